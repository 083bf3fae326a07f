// Draws images/icon.png from images/icon.svg with a Chromium, whose path is given. Run by hand when the drawing changes.
//
//   npm run icon -- /usr/bin/chromium
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./paths.mjs";

const chromium = process.argv[2];
if (!chromium) {
  console.error("usage: npm run icon -- CHROMIUM");
  process.exit(2);
}
const profile = mkdtempSync(join(tmpdir(), "promptblock-icon-"));
const drawn = spawnSync(
  chromium,
  [
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
    `--user-data-dir=${profile}`, "--default-background-color=00000000", "--window-size=256,256",
    `--screenshot=${join(root, "images", "icon.png")}`, pathToFileURL(join(root, "images", "icon.svg")).href,
  ],
  { stdio: "inherit" },
);
rmSync(profile, { recursive: true, force: true });
process.exit(drawn.status ?? 1);
