import assert from "node:assert/strict";
import { test } from "node:test";
import { documentSelector } from "./selector";

test("blocks on disk and unnamed, source code and project files on disk", () => {
  assert.deepEqual(documentSelector(["file", "file"]), [
    { scheme: "file", language: "promptblock" },
    { scheme: "untitled", language: "promptblock" },
    { scheme: "file", language: "typescript" },
    { scheme: "file", language: "typescriptreact" },
    { scheme: "file", language: "javascript" },
    { scheme: "file", language: "javascriptreact" },
    { scheme: "file", pattern: "**/promptblock.catalog.json" },
    { scheme: "file", pattern: "**/promptblock.catalog.local.json" },
    { scheme: "file", pattern: "**/promptblock.env.json" },
    { scheme: "file", pattern: "**/promptblock.tools.json" },
    { scheme: "file", pattern: "**/promptblock.toml" },
  ]);
});

test("a virtual folder brings its scheme, and nothing else comes in", () => {
  const schemes = new Set(documentSelector(["vscode-vfs"]).map((filter) => filter.scheme));
  assert.deepEqual([...schemes].sort(), ["file", "untitled", "vscode-vfs"]);
});
