// The extension's settings, read afresh each time.

import * as vscode from "vscode";

export const SECTION = "promptblock";
export const SERVER_PATH = "server.path";

export interface Settings {
  serverPath: string;
  /** `null`: as the editor's own display language. */
  locale: "en" | "zh-CN" | null;
}

export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION);
  const locale = section.get<unknown>("locale");
  const serverPath = section.get<unknown>(SERVER_PATH);
  return {
    // An untrusted folder's value does not come through here: the manifest lists the setting as restricted.
    serverPath: typeof serverPath === "string" ? serverPath : "",
    locale: locale === "en" || locale === "zh-CN" ? locale : null,
  };
}

export function tracing(): boolean {
  const level = vscode.workspace.getConfiguration(SECTION).get<unknown>("trace.server");
  return level === "messages" || level === "verbose";
}

export function closesTags(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration(SECTION, document).get<boolean>("autoCloseTags", true);
}
