// Bundles the extension and brings in what lives elsewhere in the project: the TextMate grammar and the schemas.
// They are copied here at each build and never committed twice.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import esbuild from "esbuild";
import { dist, project, root } from "./paths.mjs";

const SCHEMAS = ["catalog", "environment", "config", "tools"];

export async function build({ watch = false } = {}) {
  rmSync(dist, { recursive: true, force: true });
  copyShared();
  const options = {
    entryPoints: [join(root, "src", "extension.ts")],
    outfile: join(dist, "extension.js"),
    bundle: true,
    minify: !watch,
    sourcemap: watch ? "inline" : false,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    // The client's dependencies offer a build for browsers first; this runs in node.
    mainFields: ["module", "main"],
    conditions: ["node"],
    metafile: true,
    logLevel: "warning",
  };
  // The page of the preview runs in a browser, with nothing but itself.
  const page = {
    entryPoints: [join(root, "src", "preview", "webview", "page.ts"), join(root, "src", "preview", "webview", "page.css")],
    outdir: join(dist, "preview"),
    bundle: true,
    minify: !watch,
    format: "iife",
    target: "es2022",
    logLevel: "warning",
  };
  if (watch) {
    await (await esbuild.context(page)).watch();
    await (await esbuild.context(options)).watch();
    return;
  }
  await esbuild.build(page);
  writeNotices((await esbuild.build(options)).metafile);
}

/** The licences of what is bundled ask to be passed on with it. */
function writeNotices(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll("\\", "/"));
    if (inside) folders.add(inside[1]);
  }
  const notices = [...folders].sort().map((folder) => {
    const at = resolve(folder);
    const { name, version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (!file) throw new Error(`${name} comes without its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(at, file), "utf8").trim()}\n`;
  });
  const heading = "The extension contains the following packages.\n";
  writeFileSync(join(dist, "THIRD-PARTY.txt"), [heading, ...notices].join(`\n${"=".repeat(78)}\n\n`));
}

function copyShared() {
  const schemas = join(project, "syntax", "schemas");
  const wanted = [
    [join(project, "syntax", "textmate", "promptblock.tmLanguage.json"), join(dist, "promptblock.tmLanguage.json")],
    ...SCHEMAS.map((name) => [join(schemas, `${name}.schema.json`), join(dist, "schemas", `${name}.schema.json`)]),
  ];
  const missing = wanted.map(([from]) => from).filter((from) => !existsSync(from));
  if (missing.length > 0) {
    const there = existsSync(schemas) ? `; ${schemas} holds ${readdirSync(schemas).join(", ")}` : "";
    throw new Error(`not found: ${missing.join(", ")}${there}`);
  }
  mkdirSync(join(dist, "schemas"), { recursive: true });
  for (const [from, to] of wanted) copyFileSync(from, to);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build({ watch: process.argv.includes("--watch") }).catch((error) => {
    console.error(String(error.message ?? error));
    process.exit(1);
  });
}
