// Unit tests of everything that needs no editor: src/*.test.ts, bundled to plain JavaScript, run by node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import esbuild from "esbuild";
import { root } from "./paths.mjs";

const out = join(root, "out", "unit");
rmSync(out, { recursive: true, force: true });
await esbuild.build({
  entryPoints: readdirSync(join(root, "src"), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(root, "src", name)),
  outdir: out,
  outbase: join(root, "src"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  outExtension: { ".js": ".cjs" },
  sourcemap: "inline",
  logLevel: "warning",
});
const files = readdirSync(out, { recursive: true })
  .filter((name) => name.endsWith(".cjs"))
  .map((name) => join(out, name));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
