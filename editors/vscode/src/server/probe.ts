// Asks a program for its version before it is trusted with the protocol: a program that cannot run, or is another
// one, then gets a clear word instead of a broken connection.

import { execFile } from "node:child_process";

export type Probe = { ran: true; output: string } | { ran: false; detail: string };

const PATIENCE_MS = 10_000;

export function probe(program: string): Promise<Probe> {
  return new Promise<Probe>((resolve) => {
    const child = execFile(
      program,
      ["--version"],
      { timeout: PATIENCE_MS, maxBuffer: 64 * 1024, windowsHide: true, encoding: "utf8" },
      (error, stdout, stderr) => {
        // A system error has a text as its code. A file that the system cannot execute is given to a shell, which
        // answers with 126 or 127. A program that ran and failed is judged by what it printed.
        if (error && typeof error.code === "string") resolve({ ran: false, detail: error.message });
        else if (error?.code === 126 || error?.code === 127) resolve({ ran: false, detail: (stderr || error.message).trim() });
        else if (error?.killed) resolve({ ran: true, output: "" });
        else resolve({ ran: true, output: stdout || stderr });
      },
    );
    child.stdin?.end();
  }).catch(
    // Some system errors are thrown on the spot, a file that is no program among them.
    (error: unknown) => ({ ran: false, detail: error instanceof Error ? error.message : String(error) }),
  );
}
