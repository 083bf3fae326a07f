"""Tries what CI reads: the action, the hooks of pre-commit, SARIF logs. Prints PASS and FAIL lines."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import jsonschema
import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BIN = Path(sys.executable).parent
PROMPTBLOCK = os.environ["PROMPTBLOCK"]

# Builds lie where the last ones did, and are made quickly: what they do is the same.
BUILD = {
    "CARGO_TARGET_DIR": BIN.parent / "target",
    "CARGO_PROFILE_RELEASE_LTO": "off",
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
}

GOOD = "---\nid: t:good\nzone: context\norder: 1\ntemplate: true\n---\n你好 {hero}\n"
BAD = "---\nid: t:bad\nzone: context\norder: 2\ntemplate: true\n---\n你好 {villain}\n"
FIXABLE = '---\nid: t:json\nzone: context\norder: 3\ntemplate: true\n---\n{"a": 1}\n'
CATALOG = '{"variables": {"hero": {}}}\n'


def run(arguments, folder, **environment):
    """Exit status and all that is printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        [str(it) for it in arguments],
        cwd=folder,
        env={**clean, "LC_ALL": "C.UTF-8", **{name: str(value) for name, value in environment.items()}},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=1200,
    )
    return done.returncode, done.stdout


def write(folder, files):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def repository(folder, files):
    write(folder, files)
    for command in (["init", "-q"], ["add", "-A"]):
        status, said = run(["git", *command], folder)
        assert status == 0, said


def is_valid(schema, file):
    status, said = run([BIN / "check-jsonschema", "--builtin-schema", schema, file], ROOT)
    assert status == 0, said


def hooks(folder):
    """A good and a bad block, through pre-commit itself."""
    status, said = run([BIN / "pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"], ROOT)
    assert status == 0, said
    files = {"promptblock.toml": "", "promptblock.catalog.json": CATALOG, "notes.md": "{villain}\n"}
    repository(folder, {**files, "good.promptblock": GOOD})
    settings = {"PRE_COMMIT_HOME": Path(folder).parent / "home", **BUILD}

    def try_hook(name, *more):
        return run([BIN / "pre-commit", "try-repo", ROOT, name, "--verbose", *more], folder, **settings)

    status, said = try_hook("promptblock", "--all-files")
    assert status == 0 and "Passed" in said and "in 3 files (1 block)" in said, said

    write(folder, {"sub/bad.promptblock": BAD})
    run(["git", "add", "-A"], folder)
    status, said = try_hook("promptblock", "--all-files")
    assert status == 1 and "- exit code: 1" in said, said
    assert "error[unknown-variable]" in said and "sub/bad.promptblock:7:" in said, said
    status, said = try_hook("promptblock", "--files", "good.promptblock", "notes.md")
    assert status == 0 and "in 1 file (1 block)" in said, said
    status, said = try_hook("promptblock", "--files", "notes.md")
    assert status == 0 and "no files to check" in said, said

    write(folder, {"json.promptblock": FIXABLE})
    run(["git", "add", "-A"], folder)
    status, said = try_hook("promptblock-fix", "--files", "json.promptblock", "good.promptblock")
    assert status == 1 and "files were modified by this hook" in said, said
    fixed = Path(folder, "json.promptblock").read_text(encoding="utf-8")
    assert fixed.endswith('---\n{{"a": 1}}\n'), fixed
    status, said = try_hook("promptblock-fix", "--files", "json.promptblock", "good.promptblock")
    assert status == 0 and "Passed" in said, said
    assert Path(folder, "sub/bad.promptblock").read_text(encoding="utf-8") == BAD


class Action:
    """Runs the steps as a runner does: inputs into the environment, then bash."""

    def __init__(self, folder):
        self.definition = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        self.folder = Path(folder)
        self.temporary = self.folder.parent / "runner"
        self.temporary.mkdir()

    def run(self, step, **inputs):
        values = {name: it.get("default", "") for name, it in self.definition["inputs"].items()}
        unknown = inputs.keys() - {name.replace("-", "_") for name in values}
        assert not unknown, unknown
        values.update({name.replace("_", "-"): value for name, value in inputs.items()})
        known = set(values)

        def value(found):
            name = re.fullmatch(r"inputs\.([\w-]+)", found[1]).group(1)
            assert name in known, name
            return values[name]

        environment = {
            name: re.sub(r"\$\{\{\s*(.*?)\s*\}\}", value, text) for name, text in step.get("env", {}).items()
        }
        # An expression in a script would let what the user gives be run.
        assert "${{" not in step["run"] and step["shell"] == "bash" and "if" not in step
        script = self.temporary / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        files = {name: self.temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for path in files.values():
            path.write_text("", encoding="utf-8")
        status, said = run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            self.folder,
            GITHUB_ACTION_PATH=ROOT,
            RUNNER_TEMP=self.temporary,
            **BUILD,
            **files,
            **environment,
        )
        return status, said, {name: path.read_text(encoding="utf-8") for name, path in files.items()}


def action(folder):
    """The action's steps on a project, with inputs that are meant well and with others."""
    is_valid("vendor.github-actions", "action.yml")
    write(folder, {"promptblock.catalog.json": CATALOG, "good.promptblock": GOOD})
    write(folder, {"sub 1/bad.promptblock": BAD})
    action = Action(folder)
    install, check = action.definition["runs"]["steps"]
    used = set(re.findall(r"inputs\.([\w-]+)", yaml.safe_dump(check)))
    assert used == set(action.definition["inputs"]), used

    status, said, files = action.run(install)
    assert status == 0, said
    program = Path(files["GITHUB_PATH"].strip(), "promptblock")
    assert run([program, "--version"], folder) == run([PROMPTBLOCK, "--version"], folder)

    status, said, files = action.run(check)
    line = "::error file=sub 1/bad.promptblock,line=7,col=5,endLine=7,endColumn=12,title=unknown-variable::"
    assert status == 1 and said.startswith(line), said
    assert files["GITHUB_OUTPUT"] == "", files
    status, said, _ = action.run(check, path="good.promptblock\npromptblock.catalog.json\n")
    assert (status, said) == (0, ""), said
    status, said, _ = action.run(check, path="good.promptblock\nsub 1", fail_on="never", format="text")
    assert status == 0 and "error[unknown-variable]" in said and "in 2 files" in said, said

    status, said, files = action.run(check, sarif_file="out 1.sarif", path="sub 1")
    assert status == 1 and said.startswith("::error"), said
    assert files["GITHUB_OUTPUT"] == "sarif-file=out 1.sarif\n", files
    log = json.loads((Path(folder) / "out 1.sarif").read_text(encoding="utf-8"))
    assert [it["ruleId"] for it in log["runs"][0]["results"]] == ["unknown-variable"], log

    status, said, _ = action.run(check, args="--env\nnowhere")
    assert status == 2 and "no environment `nowhere`" in said, said
    status, said, _ = action.run(check, fail_on="sometimes", sarif_file="never.sarif")
    assert status == 2 and not Path(folder, "never.sarif").exists(), said
    # What looks like a command or an option stays a text.
    for evil in ("$(touch pwned)", "`touch pwned`", '"; touch pwned; "', "'; touch pwned #", "--fix", "*"):
        for name in ("path", "env", "fail_on", "format"):
            status, said, _ = action.run(check, **{name: evil})
            assert status == 2 and said, (name, evil, status)
            assert not Path(folder, "pwned").exists(), (name, evil)


def sarif(folder):
    """Logs of a sound project, of one with every kind of mistake, and of files made to break them."""
    schema = json.loads((HERE / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    files = {f"{name}.promptblock": GOOD.replace("t:good", f"t:{name}") for name in ("a b", "%41", "#,:", "名🎉")}
    write(folder, {**files, "empty.promptblock": "", "bom.promptblock": "\ufeff" + BAD.replace("\n", "\r\n")})
    write(folder, {"control.promptblock": BAD.replace("你好", "\x1b[31m\x00\x07{\u202e} {zz\u200d}")})
    write(folder, {"json.promptblock": FIXABLE, "a/promptblock.toml": "profile = 1\n", "a/promptblock.env.json": "["})
    projects = [folder, ROOT / "examples/chat-bot", ROOT / "examples/mistakes"]
    for project in projects:
        for locale in ("C.UTF-8", "zh_CN.UTF-8"):
            done = subprocess.run(
                [PROMPTBLOCK, "check", "--format", "sarif", "--fail-on", "never"],
                cwd=project,
                env={**os.environ, "LC_ALL": locale},
                stdout=subprocess.PIPE,
                timeout=60,
            )
            assert done.returncode == 0, project
            log = json.loads(done.stdout.decode("utf-8"))
            errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(log)]
            assert not errors, (project, errors[:5])
            assert bool(log["runs"][0]["results"]) == ("chat-bot" not in str(project)), project
    # What could not be read stands in it too.
    Path(folder, "名 bytes.promptblock").write_bytes(b"\xff")
    command = [PROMPTBLOCK, "check", "--format", "sarif", ".", "no such"]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 2, done
    log = json.loads(done.stdout.decode("utf-8"))
    assert not [error.message for error in validator.iter_errors(log)]
    assert len(log["runs"][0]["invocations"][0]["toolExecutionNotifications"]) == 2
    # The validator does find faults.
    log["runs"][0]["columnKind"] = "bytes"
    assert not validator.is_valid(log)


def main():
    failed = 0
    for test in (hooks, action, sarif):
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder, "project")
            project.mkdir()
            try:
                test(project)
                print(f"PASS {test.__name__}")
            except Exception:
                failed += 1
                print(f"FAIL {test.__name__}")
                traceback.print_exc(file=sys.stdout)
    return failed


if __name__ == "__main__":
    for program in ("git", "cargo", "bash"):
        if shutil.which(program) is None:
            sys.exit(f"needed: {program}")
    sys.exit(1 if main() else 0)
