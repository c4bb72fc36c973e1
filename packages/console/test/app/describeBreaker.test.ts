import { expect, test } from "vitest"
import { formatTime } from "../../app/format/format.ts"
import { describeBreaker } from "../../app/pages/now/describeBreaker.ts"

const since = "2026-11-23T12:00:00.000Z"
const now = Date.parse("2026-11-23T12:01:30.000Z")
const began = `since ${formatTime(since)} (1 min 30 s)`
const closed = { cause: null, next_probe_at: null, share: null, since: null }

test.each([
  [{ state: "closed", ...closed }, ""],
  [
    {
      state: "open",
      ...closed,
      since,
      cause: "12 of 20 failed in 60 s",
      next_probe_at: "2026-11-23T12:02:00.000Z"
    },
    `${began}; 12 of 20 failed in 60 s; next probe in 30 s`
  ],
  [{ state: "ramping", ...closed, since, share: 0.25 }, `${began}; 25 % of its traffic`],
  [
    { state: "backing_off", ...closed, since, cause: "rate limited", next_probe_at: since },
    `${began}; rate limited; next probe now`
  ]
] as const)("the breaker %j", (breaker, text) => expect(describeBreaker(breaker, now)).toBe(text))
