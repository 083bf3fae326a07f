import assert from "node:assert/strict";
import { test } from "node:test";
import { RestartBudget } from "./restarts";

test("a few restarts, then none until time has passed", () => {
  let now = 1000;
  const budget = new RestartBudget(2, 100, () => now);
  assert.deepEqual([budget.take(), budget.take(), budget.take()], [true, true, false]);
  now += 99;
  assert.equal(budget.take(), false);
  now += 1;
  assert.deepEqual([budget.take(), budget.take(), budget.take()], [true, true, false]);
  budget.reset();
  assert.equal(budget.take(), true);
});
