// Failures put into words, in the display language.

import * as vscode from "vscode";
import type { Origin } from "./server/locate";
import type { Failure } from "./server/state";

/** What is wrong, in one or two sentences that name the program and what to do about it. */
export function describeFailure(failure: Failure): string {
  const { t } = vscode.l10n;
  switch (failure.reason) {
    case "notFound":
      return describeNotFound(failure.located);
    case "cannotRun":
      return t("{0} cannot be run ({1}): {2}", failure.path, describeOrigin(failure.origin), failure.detail);
    case "notPromptblock":
      return t("{0} ({1}) is not a promptblock server: asked for its version, it answered “{2}”.", failure.path, describeOrigin(failure.origin), failure.output);
    case "tooOld":
      return t("{0} ({1}) is version {2}; this extension needs {3} or newer.", failure.path, describeOrigin(failure.origin), failure.version, failure.oldest);
    case "initialize":
      return t("{0} did not start up: {1}", failure.path, failure.detail);
    case "noAnswer":
      return t("{0} did not answer within {1} seconds and was stopped.", failure.path, failure.seconds);
    case "crashed": {
      const end = failure.signal ?? (failure.code === null ? t("unknown cause") : t("exit code {0}", failure.code));
      return failure.times > 1
        ? t("{0} ended {1} times within a few minutes ({2}) and is not started again.", failure.path, failure.times, end)
        : t("{0} ended while starting up ({1}).", failure.path, end);
    }
  }
}

export function describeOrigin(origin: Origin): string {
  const { t } = vscode.l10n;
  switch (origin) {
    case "setting":
      return t("from the setting promptblock.server.path");
    case "bundled":
      return t("shipped with the extension");
    case "path":
      return t("from the PATH");
  }
}

function describeNotFound(located: Extract<Failure, { reason: "notFound" }>["located"]): string {
  const { t } = vscode.l10n;
  if (located.origin === "setting") {
    switch (located.reason) {
      case "notAbsolute":
        return t("The setting promptblock.server.path is “{0}”. It must be an absolute path, or start with ~/ or with the workspaceFolder variable.", located.path);
      case "missing":
        return t("The setting promptblock.server.path names {0}, and there is no such file.", located.path);
      case "folder":
        return t("The setting promptblock.server.path names {0}, which is a folder.", located.path);
      case "notExecutable":
        return t("The setting promptblock.server.path names {0}, which is not executable.", located.path);
    }
  }
  if (located.reason === "notExecutable") return t("{0} ({1}) is not executable.", located.path, describeOrigin(located.origin));
  return t("The promptblock program was not found. Looked for: {0}", located.lookedIn.join(", "));
}
