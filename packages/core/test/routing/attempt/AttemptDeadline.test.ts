import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { AttemptDeadline } from "../../../src/routing/attempt/AttemptDeadline.ts"

it("does not add up how late its timers are", () => {
  let elapsed = 0
  let suspected = 0
  const attempt = {
    committedAt: undefined,
    entry: undefined,
    getElapsedMillis: () => elapsed,
    getQueuedMillis: () => 0,
    onDequeued: () => undefined,
    onQueued: () => undefined,
    startedAt: 0,
    suspect: () => void suspected++,
    suspectMillis: 1_010
  }
  const deadline = new AttemptDeadline(attempt, 2_120, 2_120, 60_000, true)
  expect(deadline.begin()).toBe(1_010)
  // The timer is a fifth of a second late.
  elapsed = 1_210
  expect(deadline.onTimeout()).toBe(910)
  expect(suspected).toBe(1)
  elapsed = 2_320
  const ended = deadline.onTimeout()
  expect(Exit.isExit(ended) && Exit.isFailure(ended)).toBe(true)
})
