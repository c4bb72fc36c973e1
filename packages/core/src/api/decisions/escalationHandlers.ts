/** Handlers of the escalation operation. */
import * as Effect from "effect/Effect"
import { Calibrations } from "../../domains/calibration/Calibrations.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Handlers } from "../operation/Handler.ts"
import {
  listModelNames,
  toAnswerPair
} from "../../domains/decisions/escalation/EscalationThresholds.ts"
import { reportEscalation } from "../../domains/decisions/escalation/escalationReport.ts"
import { type EscalationApi, questionKinds, toEscalationReportResponse } from "./EscalationApi.ts"

export const escalationHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { listPairs } = yield* Calibrations
  return {
    report: ({ query: { from, kind, to } }, { caller }) => {
      const configuration = catalog.current()
      const models = {
        from: listModelNames(configuration, from),
        to: listModelNames(configuration, to)
      }
      return Effect.map(
        Effect.forEach(kind === undefined ? questionKinds : [kind], (kind) =>
          Effect.map(listPairs(caller.account, kind, models), (pairs) =>
            toEscalationReportResponse(
              kind,
              reportEscalation(pairs.map((pair) => toAnswerPair(kind, pair)))
            )
          )
        ),
        (data) => ({ data })
      )
    }
  } satisfies Handlers<typeof EscalationApi>
})
