/** Adds to a limit what is settled and reserved under it. */
import * as Effect from "effect/Effect"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import { Settings } from "../../instance/Settings.ts"
import type { LimitUsage } from "./LimitUsage.ts"

/** What of a limit only its holder says; what is absent is null. */
export type OwnerFields = Partial<
  Pick<LimitUsage, "budget" | "guardrail" | "key" | "name" | "user" | "workspace">
>

export const makeMeasureLimit = Effect.gen(function* () {
  const calendar = getCalendar(yield* Settings)
  const ledger = yield* LedgerStore

  return (limit: Limit.Limit, owner: OwnerFields): Effect.Effect<LimitUsage> =>
    Effect.map(ledger.getUsage(limit), (usage) => ({
      limit,
      beganAt: Limit.getBeginning(calendar, limit),
      ...nobody,
      ...owner,
      ...usage
    }))
})

const nobody = {
  name: null,
  workspace: null,
  guardrail: null,
  budget: null,
  key: null,
  user: null
}
