// Builds the .vsix with the server inside.
//
//   PROMPTBLOCK_BINARY  the server's program, required
//   PROMPTBLOCK_TARGET  the platform it is for, as vsce names them; this machine's by default
//   PROMPTBLOCK_VSIX    the file to write; out/promptblock-TARGET-VERSION.vsix by default
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "./build.mjs";
import { project, root } from "./paths.mjs";

const TARGETS = ["linux-x64", "linux-arm64", "linux-armhf", "alpine-x64", "alpine-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];

function fail(message) {
  console.error(`package: ${message}`);
  process.exit(1);
}

function thisTarget() {
  const system = process.platform === "linux" && existsSync("/etc/alpine-release") ? "alpine" : process.platform;
  return `${system}-${process.arch === "arm" ? "armhf" : process.arch}`;
}

const target = process.env.PROMPTBLOCK_TARGET || thisTarget();
if (!TARGETS.includes(target)) fail(`no such target: ${target}; one of ${TARGETS.join(", ")}`);

const given = process.env.PROMPTBLOCK_BINARY;
if (!given) fail("PROMPTBLOCK_BINARY must name the server's program");
const binary = resolve(given);
if (!existsSync(binary) || !statSync(binary).isFile()) fail(`PROMPTBLOCK_BINARY: no such file: ${binary}`);

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const vsix = resolve(process.env.PROMPTBLOCK_VSIX || join(root, "out", `promptblock-${target}-${version}.vsix`));

await build().catch((error) => fail(error.message));

const server = join(root, "server");
rmSync(server, { recursive: true, force: true });
mkdirSync(server, { recursive: true });
const program = join(server, target.startsWith("win32") ? "promptblock.exe" : "promptblock");
copyFileSync(binary, program);
chmodSync(program, 0o755);

const licences = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => join(project, name));
for (const licence of licences) if (!existsSync(licence)) fail(`not found: ${licence}`);
const choice = "Licensed under either of the two licences below, at your option.\n";
writeFileSync(join(root, "LICENSE.txt"), [choice, ...licences.map((licence) => readFileSync(licence, "utf8"))].join(`\n${"=".repeat(78)}\n\n`));

mkdirSync(dirname(vsix), { recursive: true });
const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
const packed = spawnSync(process.execPath, [vsce, "package", "--no-dependencies", "--target", target, "--out", vsix], { cwd: root, stdio: "inherit" });
if (packed.status !== 0) fail("vsce failed");
console.log(vsix);
