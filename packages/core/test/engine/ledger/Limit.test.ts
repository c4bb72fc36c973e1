import { assert, describe, it } from "vitest"
import { getCalendar } from "../../../src/engine/ledger/Calendar.ts"
import * as Limit from "../../../src/engine/ledger/Limit.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"

const dayMillis = 86_400_000
const calendar = getCalendar(defaults)
const daily: Limit.LimitDefinition = {
  kind: "key",
  id: "ours",
  interval: "daily",
  cap: nano(10n),
  countsByok: false
}

describe("a limit within a moment", () => {
  const today = Limit.resolveLimit(calendar, dayMillis, daily)

  it("is itself while its window lasts", () => {
    assert.strictEqual(Limit.refreshLimit(calendar, 2 * dayMillis - 1, today), today)
  })

  it.each([
    ["before", dayMillis - 1],
    ["after", 2 * dayMillis]
  ])("moves to the window of a moment %s its own", (_, moment) => {
    assert.deepStrictEqual(
      Limit.refreshLimit(calendar, moment, today),
      Limit.resolveLimit(calendar, moment, daily)
    )
    assert.notStrictEqual(Limit.refreshLimit(calendar, moment, today).window, today.window)
  })
})
