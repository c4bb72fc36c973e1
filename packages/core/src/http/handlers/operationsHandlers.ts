/** Handlers of our own operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { metricsContentType, type OperationsApi } from "../api/OperationsApi.ts"
import type { Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { makeMetricsText } from "../makeMetricsText.ts"
import { requireOperator } from "../requireOperator.ts"
import { makePlanHandler } from "../makePlanHandler.ts"
import { makeReadinessReport } from "../makeReadinessReport.ts"

export const operationsHandlers = Effect.gen(function* () {
  const health = yield* makeReadinessReport
  const metrics = yield* makeMetricsText
  const plan = yield* makePlanHandler
  return {
    health: requireOperator(() => Effect.map(health, (data) => jsonResponse({ data }))),
    metrics: requireOperator(() =>
      Effect.map(metrics, (text) =>
        HttpServerResponse.text(text, { contentType: metricsContentType })
      )
    ),
    plan: requireManagementKey(({ caller, request }) => plan(caller, request))
  } satisfies Handlers<typeof OperationsApi>
})
