// The machine this runs on, as the search for the server sees it.

import { constants } from "node:fs";
import { access, chmod, stat } from "node:fs/promises";
import { homedir } from "node:os";
import type { Machine } from "./locate";

export const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  home: homedir(),

  async kind(path) {
    try {
      const found = await stat(path);
      if (found.isDirectory()) return "folder";
    } catch {
      return "nothing";
    }
    try {
      await access(path, constants.X_OK);
      return "program";
    } catch {
      return "file";
    }
  },

  async makeExecutable(path) {
    try {
      await chmod(path, 0o755);
      return true;
    } catch {
      return false;
    }
  },
};
