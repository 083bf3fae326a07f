import assert from "node:assert/strict";
import { test } from "node:test";
import { locate, type Machine, type Search } from "./locate";

type Kind = Awaited<ReturnType<Machine["kind"]>>;

function machine(files: Record<string, Kind>, more: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    env: { PATH: "/usr/bin:/opt/bin" },
    home: "/home/li",
    kind: async (path) => files[path] ?? "nothing",
    makeExecutable: async () => false,
    ...more,
  };
}

const search: Search = { setting: "", workspaceFolder: "/project", extensionFolder: "/ext" };
const BUNDLED = "/ext/server/promptblock";

test("the setting wins over all others", async () => {
  const files: Record<string, Kind> = { "/my/pb": "program", [BUNDLED]: "program", "/usr/bin/promptblock": "program" };
  assert.deepEqual(await locate({ ...search, setting: " /my/pb " }, machine(files)), { found: true, path: "/my/pb", origin: "setting" });
});

test("a setting that leads nowhere is not replaced by another program", async () => {
  const files: Record<string, Kind> = { [BUNDLED]: "program", "/d": "folder", "/f": "file" };
  for (const [setting, reason] of [["/gone", "missing"], ["/d", "folder"], ["/f", "notExecutable"]] as const) {
    const result = await locate({ ...search, setting }, machine(files));
    assert.deepEqual(result, { found: false, reason, origin: "setting", path: setting, lookedIn: [setting] });
  }
});

test("home and workspace folder in the setting", async () => {
  const files: Record<string, Kind> = { "/home/li/bin/pb": "program", "/project/target/pb": "program" };
  for (const [setting, path] of [["~/bin/pb", "/home/li/bin/pb"], ["${workspaceFolder}/target/pb", "/project/target/pb"]] as const) {
    assert.deepEqual(await locate({ ...search, setting }, machine(files)), { found: true, path, origin: "setting" });
  }
});

test("a relative setting is refused, whatever the folder holds", async () => {
  const files: Record<string, Kind> = { "pb": "program", "./pb": "program", "/project/pb": "program" };
  for (const setting of ["pb", "./pb", "~li/pb"]) {
    const result = await locate({ ...search, setting }, machine(files));
    assert.equal(result.found === false && result.reason, "notAbsolute");
  }
  const noFolder = await locate({ ...search, workspaceFolder: undefined, setting: "${workspaceFolder}/pb" }, machine(files));
  assert.equal(noFolder.found === false && noFolder.reason, "notAbsolute");
});

test("the bundled program wins over the PATH", async () => {
  const files: Record<string, Kind> = { [BUNDLED]: "program", "/usr/bin/promptblock": "program" };
  assert.deepEqual(await locate(search, machine(files)), { found: true, path: BUNDLED, origin: "bundled" });
});

test("a bundled program that lost its executable bit gets it back", async () => {
  const files: Record<string, Kind> = { [BUNDLED]: "file", "/usr/bin/promptblock": "program" };
  const made: string[] = [];
  const able = machine(files, { makeExecutable: async (path) => made.push(path) > 0 });
  assert.deepEqual(await locate(search, able), { found: true, path: BUNDLED, origin: "bundled" });
  assert.deepEqual(made, [BUNDLED]);
  const unable = await locate(search, machine(files));
  assert.equal(unable.found === false && unable.reason, "notExecutable");
});

test("the PATH comes last, and only its absolute folders", async () => {
  const env = { PATH: ".:bin::/usr/bin:/opt/bin" };
  const files: Record<string, Kind> = { "promptblock": "program", "bin/promptblock": "program", "/usr/bin/promptblock": "file", "/opt/bin/promptblock": "program" };
  assert.deepEqual(await locate(search, machine(files, { env })), { found: true, path: "/opt/bin/promptblock", origin: "path" });
});

test("nothing found: every place is named", async () => {
  assert.deepEqual(await locate(search, machine({})), {
    found: false, reason: "missing", origin: "path", path: "promptblock",
    lookedIn: [BUNDLED, "/usr/bin/promptblock", "/opt/bin/promptblock"],
  });
});

test("Windows: the name, the separators and the spelling of PATH", async () => {
  const windows: Partial<Machine> = { platform: "win32", env: { Path: 'bin;"C:\\Program Files\\pb";D:\\x' }, home: "C:\\Users\\li" };
  const found = await locate({ ...search, extensionFolder: "C:\\ext" }, machine({ "C:\\Program Files\\pb\\promptblock.exe": "program" }, windows));
  assert.deepEqual(found, { found: true, path: "C:\\Program Files\\pb\\promptblock.exe", origin: "path" });
  const bundled = await locate({ ...search, extensionFolder: "C:\\ext" }, machine({ "C:\\ext\\server\\promptblock.exe": "program" }, windows));
  assert.deepEqual(bundled, { found: true, path: "C:\\ext\\server\\promptblock.exe", origin: "bundled" });
  const home = await locate({ ...search, setting: "~\\pb.exe" }, machine({ "C:\\Users\\li\\pb.exe": "program" }, windows));
  assert.deepEqual(home, { found: true, path: "C:\\Users\\li\\pb.exe", origin: "setting" });
});
