/** Handlers of our own operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { metricsType, type OperationsApi } from "../api/OperationsApi.ts"
import type { Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { metricsText } from "../metricsText.ts"
import { operated } from "../operated.ts"
import { planRequest } from "../planRequest.ts"
import { readiness } from "../readiness.ts"

export const operationsHandlers = Effect.gen(function* () {
  const health = yield* readiness
  const metrics = yield* metricsText
  const plan = yield* planRequest
  return {
    health: operated(() => Effect.map(health, (data) => jsonAnswer({ data }))),
    metrics: operated(() =>
      Effect.map(metrics, (text) => HttpServerResponse.text(text, { contentType: metricsType }))
    ),
    plan: managed(({ caller, request }) => plan(caller, request))
  } satisfies Handlers<typeof OperationsApi>
})
