// The texts of the panel's page, in the display language.

import * as vscode from "vscode";
import type { Texts } from "./webview/messages";

export function texts(): Texts {
  const { t } = vscode.l10n;
  return {
    environment: t("Environment"),
    then: t("Then"),
    noThen: t("no second environment"),
    tokens: t("{0} tokens"),
    system: t("system"),
    prelude: t("prelude"),
    context: t("context"),
    input: t("input"),
    boundary: t("The stable prefix ends here: {0} tokens, {1}"),
    noBoundary: t("There is no stable prefix."),
    mark: t("cache mark"),
    refused: t("The assembly is refused:"),
    value: t("value of {0}"),
    example: t("example for {0}, which has no value in this environment"),
    missing: t("{0} has no value in this environment"),
    truncated: t("… and so on; the rest is counted and not shown"),
    note: t("note that the environment has changed"),
    withoutPin: t("Pinned. Without the pin, {0} tokens of the prefix would be computed anew, from {1} on."),
    unchanged: t("No variable of the system zone has another value there."),
    noValue: t("no value"),
    absent: {
      zone: t("The open block is not assembled: it has no valid zone."),
      replaced: t("The open block is not assembled: an exclusive block replaces it."),
      blank: t("The open block is not assembled: nothing is rendered."),
    },
    computed: t("Computed by the program, and not shown:"),
    jump: t("Go to the source"),
    waiting: t("Waiting for the server …"),
    noEnvironment: t("no environment"),
    overBudget: t("over the budget of {0} tokens"),
    of: t("{0} of {1}"),
  };
}
