/** `POST {base}/signalbox/plan`: the plan a Decision would get, without asking anybody. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Caller } from "../auth/Caller.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { parseDecisionRequest } from "../decisions/parseDecisionRequest.ts"
import { explanationOf } from "../routing/Explanation.ts"
import { Settings } from "../Settings.ts"
import { HealthSnapshot } from "./api/HealthReport.ts"
import type { ExpectedError } from "./errors/refusalOf.ts"
import { isOperator } from "./isOperator.ts"
import { ofCredentials } from "./ofCredentials.ts"
import { readBody } from "./readBody.ts"

const encoder = new TextEncoder()

const readPlanRequest = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      request: Schema.Unknown,
      seed: Schema.optionalKey(Schema.Int),
      health: Schema.optionalKey(HealthSnapshot)
    })
  )
)

export const planDecision = Effect.gen(function* () {
  const decisions = yield* Decisions
  const settings = yield* Settings

  return Effect.fnUntraced(function* (
    caller: Caller,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, ExpectedError> {
    const { text } = yield* readBody(request, settings.imageBodyLimitBytes)
    const asked = Option.getOrUndefined(readPlanRequest(text))
    if (asked === undefined) {
      return yield* new InvalidRequest({
        path: [],
        problem: "expected {request, seed?, health?}: a Decision, a whole number, a health snapshot"
      })
    }
    const decision = JSON.stringify(asked.request)
    const parsed = yield* Effect.fromResult(
      parseDecisionRequest(decision, { bytes: encoder.encode(decision).byteLength, settings })
    )
    const explanation = explanationOf(yield* decisions.plan(caller, parsed, asked))
    return HttpServerResponse.jsonUnsafe({
      data: isOperator(caller)
        ? explanation
        : { ...explanation, health: ofCredentials(explanation.health) }
    })
  })
})
