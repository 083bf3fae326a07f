// Which server goes with this extension.

/** The oldest server that speaks as this extension expects. A newer one is welcome: the protocol negotiates the rest. */
export const OLDEST_SERVER = "0.1.0";

export type VersionCheck =
  | { ok: true; version: string }
  | { ok: false; reason: "tooOld"; version: string }
  | { ok: false; reason: "notPromptblock" };

/** Judges what `promptblock --version` printed. */
export function checkVersion(output: string, oldest = OLDEST_SERVER): VersionCheck {
  const match = /^promptblock (\d+\.\d+\.\d+)((?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)(?=\s|$)/.exec(output.trimStart());
  if (!match?.[1]) return { ok: false, reason: "notPromptblock" };
  const version = match[1] + (match[2] ?? "");
  return compare(match[1], oldest) >= 0 ? { ok: true, version } : { ok: false, reason: "tooOld", version };
}

function compare(left: string, right: string): number {
  const a = left.split(".").map(Number);
  const b = right.split(".").map(Number);
  for (let part = 0; part < 3; part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
