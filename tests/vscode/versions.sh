# The tools that the tests in the real editor use, each pinned. Read by setup.sh.
NODE_VERSION=24.22.3
CODE_SERVER_VERSION=4.139.1
PLAYWRIGHT_VERSION=1.65.1
