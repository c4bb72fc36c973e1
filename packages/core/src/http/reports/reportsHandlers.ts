/** Handlers of the report operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { metricsContentType, type ReportsApi } from "./ReportsApi.ts"
import { makeMetricsText } from "./makeMetricsText.ts"
import { makePlanHandler } from "./makePlanHandler.ts"
import { makeReadinessReport } from "./makeReadinessReport.ts"
import type { OperationHandlers } from "../operation/OperationHandler.ts"

export const reportsHandlers = Effect.gen(function* () {
  const health = yield* makeReadinessReport
  const metrics = yield* makeMetricsText
  const plan = yield* makePlanHandler
  return {
    health: () => Effect.map(health, (data) => ({ data })),
    metrics: () =>
      Effect.map(metrics, (text) =>
        HttpServerResponse.text(text, { contentType: metricsContentType })
      ),
    plan: (_, context) => plan(context)
  } satisfies OperationHandlers<typeof ReportsApi>
})
