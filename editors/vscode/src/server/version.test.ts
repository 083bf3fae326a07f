import assert from "node:assert/strict";
import { test } from "node:test";
import { checkVersion } from "./version";

test("versions that go with the extension", () => {
  for (const [output, version] of [
    ["promptblock 0.1.0\n", "0.1.0"],
    ["promptblock 0.1.0 (abc1234 2026-11-30)\r\n", "0.1.0"],
    ["promptblock 0.2.0-beta.1+build.5", "0.2.0-beta.1+build.5"],
    ["promptblock 0.10.0", "0.10.0"],
    ["promptblock 1.0.0", "1.0.0"],
  ] as const) {
    assert.deepEqual(checkVersion(output, "0.1.0"), { ok: true, version });
  }
});

test("too old", () => {
  assert.deepEqual(checkVersion("promptblock 0.9.12", "0.10.0"), { ok: false, reason: "tooOld", version: "0.9.12" });
  assert.deepEqual(checkVersion("promptblock 1.9.9", "2.0.0"), { ok: false, reason: "tooOld", version: "1.9.9" });
});

test("another program", () => {
  for (const output of ["", "node v20.1.0", "v0.1.0", "promptblock", "promptblock 1", "promptblocker 1.0.0", "usage: promptblock 1.0.0", "promptblock 1.0.0x"]) {
    assert.deepEqual(checkVersion(output), { ok: false, reason: "notPromptblock" }, output);
  }
});
