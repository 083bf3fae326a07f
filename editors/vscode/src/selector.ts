// Which documents the server gets to see.

export const LANGUAGE = "promptblock";

/** Read by the server besides the blocks. Open, they are sent as they stand in the editor, saved or not. */
export const PROJECT_FILES = [
  "**/promptblock.catalog.json",
  "**/promptblock.catalog.local.json",
  "**/promptblock.env.json",
  "**/promptblock.tools.json",
  "**/promptblock.toml",
];

/** Source code registers blocks and variables, too. The server says nothing about files that do not. */
export const SOURCE_LANGUAGES = ["typescript", "typescriptreact", "javascript", "javascriptreact"];

export type Filter = { scheme: string; language: string } | { scheme: string; pattern: string };

/**
 * Blocks on a disk, in a new editor and in the folders that are open, wherever these are. Not every scheme: the old
 * side of a comparison (`git:`) holds a block too, and its problems would stand beside the real ones.
 */
export function documentSelector(folderSchemes: readonly string[]): Filter[] {
  const stored = [...new Set(["file", ...folderSchemes])];
  return [
    ...[...stored, "untitled"].map((scheme) => ({ scheme, language: LANGUAGE })),
    ...stored.flatMap((scheme) => SOURCE_LANGUAGES.map((language) => ({ scheme, language }))),
    ...stored.flatMap((scheme) => PROJECT_FILES.map((pattern) => ({ scheme, pattern }))),
  ];
}
