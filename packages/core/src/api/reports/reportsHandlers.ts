/** Handlers of the report operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { JobStore } from "../../engine/jobs/JobStore.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import { metricsContentType, type ReportsApi, toDeadStepResponse } from "./ReportsApi.ts"
import { makeMetricsText } from "./makeMetricsText.ts"
import { makePlanHandler } from "./makePlanHandler.ts"
import { makeHealthReport } from "./makeHealthReport.ts"
import type { Handlers } from "../operation/Handler.ts"

export const reportsHandlers = Effect.gen(function* () {
  const { listDeadLetters } = yield* JobStore
  const health = yield* makeHealthReport
  const metrics = yield* makeMetricsText
  const plan = yield* makePlanHandler
  return {
    health: () => Effect.map(health, (data) => ({ data })),
    listDeadSteps: ({ query }) =>
      Effect.map(listDeadLetters(toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toDeadStepResponse)
      ),
    metrics: () =>
      Effect.map(metrics, (text) =>
        HttpServerResponse.text(text, { contentType: metricsContentType })
      ),
    plan: (_, context) => plan(context)
  } satisfies Handlers<typeof ReportsApi>
})
