/** Handlers of the escalation operation. */
import * as Effect from "effect/Effect"
import { Calibrations } from "../../calibration/Calibrations.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { toAnswerPair } from "../escalation/EscalationThresholds.ts"
import { reportEscalation } from "../escalation/escalationReport.ts"
import { listModelNames } from "../escalation/listModelNames.ts"
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
  } satisfies OperationHandlers<typeof EscalationApi>
})
