// Finds the server's program: the setting, else the one in the extension, else the one on the PATH.
// What it needs of the machine comes in as `Machine`, so that tests can pretend to be any.

import * as path from "node:path";

export type Origin = "setting" | "bundled" | "path";

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** What is at this path; `file` is a file that cannot be executed. */
  kind(path: string): Promise<"program" | "file" | "folder" | "nothing">;
  /** Makes a file executable; false if that was not possible. */
  makeExecutable(path: string): Promise<boolean>;
}

export interface Search {
  /** The value of `promptblock.server.path`. */
  setting: string;
  /** The first workspace folder on a disk. */
  workspaceFolder: string | undefined;
  extensionFolder: string;
}

export type Located =
  | { found: true; path: string; origin: Origin }
  | { found: false; reason: "missing" | "notExecutable" | "folder"; origin: Origin; path: string; lookedIn: string[] }
  | { found: false; reason: "notAbsolute"; origin: "setting"; path: string; lookedIn: [] };

export async function locate(search: Search, machine: Machine): Promise<Located> {
  const paths = machine.platform === "win32" ? path.win32 : path.posix;
  const program = machine.platform === "win32" ? "promptblock.exe" : "promptblock";

  const setting = search.setting.trim();
  if (setting !== "") {
    // A path that was asked for and does not work is an error. To run another program in its place would hide it.
    const wanted = expand(setting, search.workspaceFolder, machine.home, paths);
    if (!paths.isAbsolute(wanted)) return { found: false, reason: "notAbsolute", origin: "setting", path: wanted, lookedIn: [] };
    return judge(wanted, "setting", await machine.kind(wanted));
  }

  const bundled = paths.join(search.extensionFolder, "server", program);
  const there = await machine.kind(bundled);
  // Some ways of unpacking an extension lose the executable bit.
  if (there === "program" || (there === "file" && (await machine.makeExecutable(bundled)))) {
    return { found: true, path: bundled, origin: "bundled" };
  }
  if (there === "file") return judge(bundled, "bundled", there);

  const lookedIn = [bundled];
  for (const folder of pathFolders(machine, paths)) {
    const candidate = paths.join(folder, program);
    if ((await machine.kind(candidate)) === "program") return { found: true, path: candidate, origin: "path" };
    lookedIn.push(candidate);
  }
  return { found: false, reason: "missing", origin: "path", path: program, lookedIn };
}

function judge(wanted: string, origin: Origin, kind: "program" | "file" | "folder" | "nothing"): Located {
  if (kind === "program") return { found: true, path: wanted, origin };
  const reason = kind === "nothing" ? "missing" : kind === "folder" ? "folder" : "notExecutable";
  return { found: false, reason, origin, path: wanted, lookedIn: [wanted] };
}

function expand(setting: string, workspaceFolder: string | undefined, home: string, paths: path.PlatformPath): string {
  const rest = setting.replace(/^~(?=$|[\\/])/, () => home);
  const inFolder = workspaceFolder === undefined ? rest : rest.replaceAll("${workspaceFolder}", () => workspaceFolder);
  return paths.normalize(inFolder);
}

/** The folders of the PATH. A relative one is left out: it would let the open folder choose the program. */
function pathFolders(machine: Machine, paths: path.PlatformPath): string[] {
  const name = Object.keys(machine.env).find((key) => (machine.platform === "win32" ? key.toUpperCase() : key) === "PATH");
  const folders = (name === undefined ? "" : (machine.env[name] ?? "")).split(paths.delimiter);
  return [...new Set(folders.map((folder) => folder.replace(/^"(.*)"$/, "$1")).filter((folder) => paths.isAbsolute(folder)))];
}
