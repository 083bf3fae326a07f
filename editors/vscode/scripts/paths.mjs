// Where things are, seen from the scripts.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The extension's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The project's folder, which holds the grammar, the schemas and the licences. */
export const project = dirname(dirname(root));
export const dist = join(root, "dist");
