import { onTestFinished, vi } from "vitest"

/** Makes the system clock of this process jump until the test ends; timers and the monotonic clock go on. */
export const jumpClock = (millis: number): void => {
  const now = Date.now
  const spied = vi.spyOn(Date, "now").mockImplementation(() => now() + millis)
  onTestFinished(() => spied.mockRestore())
}

/** Moves every clock of this process on by `millis` until the test ends, except the clocks of its timers. */
export const jumpClocks = (millis: number): void => {
  jumpClock(millis)
  const monotonic = performance.now.bind(performance)
  const spied = vi.spyOn(performance, "now").mockImplementation(() => monotonic() + millis)
  onTestFinished(() => spied.mockRestore())
}
