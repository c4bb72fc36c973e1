import { assert, it } from "@effect/vitest"
import { FirstEventTimes } from "../../../../src/routing/attempt/lateness/FirstEventTimes.ts"
import { makeCandidate } from "../../makeCandidate.ts"

const candidate = makeCandidate({ provider: "one" })

const answer = (times: FirstEventTimes, count: number, at: number) => {
  for (let index = 0; index < count; index++) {
    times.record("chat", candidate, {
      endpoint: candidate.id,
      startedAt: at,
      at,
      result: "first_event",
      latencyMillis: 100
    })
  }
}

it("keeps the p99 of an endpoint that hangs, and forgets it after ten minutes without answers", () => {
  const times = new FirstEventTimes(10)
  answer(times, 19, 0)
  assert.isUndefined(times.getP99("chat", candidate, 1_000))
  answer(times, 1, 1_000)
  const known = times.getP99("chat", candidate, 2_000)
  assert.isDefined(known)
  for (let at = 10_000; at < 600_000; at += 10_000) {
    assert.strictEqual(times.getP99("chat", candidate, at), known)
  }
  assert.isUndefined(times.getP99("chat", candidate, 700_000))
})

it("keeps no p99 of too few answers", () => {
  const times = new FirstEventTimes(10)
  answer(times, 10, 0)
  answer(times, 10, 70_000)
  assert.isUndefined(times.getP99("chat", candidate, 71_000))
})
