/** Handlers of the escalation operation. */
import * as Effect from "effect/Effect"
import { Calibrations } from "../../calibration/Calibrations.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { toAnswerPair } from "../escalation/EscalationThresholds.ts"
import { reportEscalation } from "../escalation/escalationReport.ts"
import { type EscalationApi, questionKinds, toEscalationReportResponse } from "./EscalationApi.ts"

export const escalationHandlers = Effect.gen(function* () {
  const { listPairs } = yield* Calibrations
  return {
    report: ({ query: { from, kind, to } }, { caller }) =>
      Effect.map(
        Effect.forEach(kind === undefined ? questionKinds : [kind], (kind) =>
          Effect.map(listPairs(caller.account, kind, from, to), (pairs) =>
            toEscalationReportResponse(
              kind,
              reportEscalation(pairs.map((pair) => toAnswerPair(kind, pair)))
            )
          )
        ),
        (data) => ({ data })
      )
  } satisfies OperationHandlers<typeof EscalationApi>
})
