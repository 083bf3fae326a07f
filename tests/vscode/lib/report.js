// PASS and FAIL lines, one a check, and the count of failures.
"use strict";

class Report {
  constructor(where) {
    this.where = where;
    this.failed = 0;
  }

  line(name, error) {
    if (error) this.failed += 1;
    const reason = error ? `: ${String(error.message ?? error).split("\n").slice(0, 12).join("\n      ")}` : "";
    console.log(`${error ? "FAIL" : "PASS"} ${this.where}: ${name}${reason}`);
  }

  /** One check: it fails if `body` throws. The others go on. */
  async check(name, body) {
    try {
      await body();
      this.line(name);
    } catch (error) {
      this.line(name, error);
    }
  }
}

/** Asks again until `ask` gives something truthy and does not throw. */
async function until(what, ask, ms = 15_000) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`waited ${ms} ms for: ${what}${last ? ` (${last.message})` : ""}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

module.exports = { Report, until };
