/** Lets content checks ask models: each question is a Decision of the caller, within the budget of the check. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { type Limit, resolveLimit } from "../../engine/ledger/Limit.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type AskDecision,
  CheckFailed,
  type JudgedText
} from "../../routing/filters/ContentCheck.ts"
import { ContentFilters } from "../../routing/filters/ContentFilters.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { intervals } from "../../tenants/workspaces/Budget.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { DecisionRequest } from "./Decision.ts"
import { Decisions } from "./Decisions.ts"
import { decodeDecisionRequest } from "./parseDecisionRequest.ts"

export const layerDecisionChecks = Layer.effectDiscard(
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const decisions = yield* Decisions
    const filters = yield* ContentFilters
    const settings = yield* Settings
    const calendar = getCalendar(settings)

    /** The longest interval first, which is reported of several that are spent. */
    const toLimits = (account: AccountId, { check, name }: JudgedText): ReadonlyArray<Limit> =>
      intervals.toReversed().flatMap((interval) => {
        const usd = check.budget[interval]
        if (usd === undefined) return []
        const cap = {
          kind: "budget",
          id: JSON.stringify([account, toBudgetName(name)]),
          name: toBudgetName(name),
          interval,
          cap: NanoUsd.fromUsdNumber(usd),
          countsByok: true
        } as const
        return [resolveLimit(calendar, clock.currentTimeMillisUnsafe(), cap)]
      })

    filters.connectDecisions((judged) => {
      const { caller, check, requestId } = judged
      const budget = toLimits(caller.account, judged)
      const answering = Effect.flatMap(
        parseInProcess(toRequest(judged), settings, decodeDecisionRequest),
        (parsed) => decisions.submitUnscreened(caller, { ...parsed, budget }, toObserver(requestId))
      )
      return Effect.matchEffect(answering, {
        onSuccess: ({ answers: { match } }) =>
          Effect.succeed(match?.type === "noul" && match.noul >= (check.threshold ?? 0.5)),
        onFailure: (error): ReturnType<AskDecision> => {
          if (error._tag !== "LimitExceeded") {
            return Effect.fail(new CheckFailed({ reason: error._tag }))
          }
          if (!budget.some(({ id }) => id === error.limit.id)) return Effect.fail(error)
          const { onFailure, onBudgetSpent = onFailure } = check
          return Effect.succeed(onBudgetSpent === "match")
        }
      })
    })
  })
)

/** What records of its Decisions and errors call a check. */
const toBudgetName = (check: string): string => `content check ${check}`

const toRequest = ({ check, labels, name, text }: JudgedText): DecisionRequest => ({
  ...Struct.pick(labels, ["session_id", "user"]),
  model: check.model,
  state: text,
  questions: { match: { type: "noul", instructions: check.question } },
  calibration: { mode: "auto" },
  trace: { ...labels.trace, generation_name: toBudgetName(name) }
})

/** Conversations say the same again with every request, so answers come from the cache while they are there. */
const toObserver = (requestId: string | undefined): RouteObserver => ({
  requestId,
  cache: { isEnabled: true },
  onPlan: () => undefined,
  onAttempt: () => undefined
})
