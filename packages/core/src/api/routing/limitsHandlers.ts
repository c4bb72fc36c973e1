/** Handlers of the limit operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import type { Interval } from "../../engine/ledger/Interval.ts"
import { Settings } from "../../instance/Settings.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import { makeLimitPages } from "../../routing/restrictions/makeLimitPages.ts"
import { type LimitsApi, toLimitResponse } from "./LimitsApi.ts"

export const limitsHandlers = Effect.gen(function* () {
  const listLimits = yield* makeLimitPages
  const settings = yield* Settings
  const calendar = getCalendar(settings)
  const toPeriod = (interval: Interval, now: number) => {
    const { beganAt, endsAt } = calendar.toWindow(interval, now)
    return { began_at: new Date(beganAt).toISOString(), ends_at: new Date(endsAt).toISOString() }
  }
  return {
    list: ({ query }, { caller }) =>
      Effect.map(
        listLimits(caller.account, query.holder ?? "workspace", toCursorRequest(query)),
        (page) => toCursorPageResponse(page, toLimitResponse)
      ),
    getPeriods: () =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        data: {
          time_zone: settings.limitTimeZone,
          daily: toPeriod("daily", now),
          weekly: toPeriod("weekly", now),
          monthly: toPeriod("monthly", now)
        }
      }))
  } satisfies Handlers<typeof LimitsApi>
})
