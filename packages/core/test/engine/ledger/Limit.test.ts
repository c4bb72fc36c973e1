import { assert, describe, it } from "vitest"
import * as Limit from "../../../src/engine/ledger/Limit.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"

const dayMillis = 86_400_000
const daily: Limit.LimitDefinition = {
  kind: "key",
  id: "ours",
  interval: "daily",
  cap: nano(10n),
  countsByok: false
}

describe("a limit within a moment", () => {
  const today = Limit.resolveLimit(dayMillis, daily)

  it("is itself while its window lasts", () => {
    assert.strictEqual(Limit.refreshLimit(2 * dayMillis - 1, today), today)
  })

  it.each([
    ["before", dayMillis - 1],
    ["after", 2 * dayMillis]
  ])("moves to the window of a moment %s its own", (_, moment) => {
    assert.deepStrictEqual(Limit.refreshLimit(moment, today), Limit.resolveLimit(moment, daily))
    assert.notStrictEqual(Limit.refreshLimit(moment, today).window, today.window)
  })
})
