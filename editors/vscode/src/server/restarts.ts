// How often a server that falls over is started again.

/** Allows `most` restarts within `window` milliseconds; a server that falls more often is left alone. */
export class RestartBudget {
  private readonly times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly window: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Takes one restart out of the budget; false if none is left. */
  take(): boolean {
    const now = this.now();
    while (this.times[0] !== undefined && now - this.times[0] >= this.window) this.times.shift();
    if (this.times.length >= this.most) return false;
    this.times.push(now);
    return true;
  }

  reset(): void {
    this.times.length = 0;
  }
}
