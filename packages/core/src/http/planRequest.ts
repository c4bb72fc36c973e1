/** `POST {base}/signalbox/plan`: the plan a request would get, without asking anybody. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Caller } from "../auth/Caller.ts"
import { Settings } from "../Settings.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { HealthSnapshot } from "./api/HealthReport.ts"
import { planLimit } from "./BodyLimit.ts"
import type { ExpectedError } from "./errors/refusalOf.ts"
import { explaining } from "./explaining.ts"
import { NotJson } from "./HttpErrors.ts"
import { isJson } from "./isJson.ts"
import { isOperator } from "./isOperator.ts"
import { jsonAnswer } from "./jsonAnswer.ts"
import { ofCredentials } from "./ofCredentials.ts"
import { readBody } from "./readBody.ts"

/** What is in `request` is read as it would be if it were asked. */
const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    request: Schema.Unknown,
    workspace_id: Schema.optionalKey(Schema.String),
    seed: Schema.optionalKey(Schema.Int),
    health: Schema.optionalKey(HealthSnapshot)
  })
)

export const planRequest = Effect.gen(function* () {
  const explain = yield* explaining
  const limit = planLimit(yield* Settings)
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* (
    caller: Caller,
    asked: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, ExpectedError, Scope.Scope> {
    if (!isJson(asked.headers)) return yield* new NotJson()
    const { json } = yield* readBody(asked, limit)
    const { request, workspace_id, ...replay } = yield* Effect.mapError(decode(json), schemaProblem)
    const within =
      workspace_id === undefined
        ? caller
        : { ...caller, workspace: yield* workspaces.meant(caller, workspace_id) }
    const explanation = yield* Effect.mapError(explain(within, request, replay), withinRequest)
    return jsonAnswer({
      data: isOperator(caller)
        ? explanation
        : { ...explanation, health: ofCredentials(explanation.health) }
    })
  })
})

const withinRequest = <E extends ExpectedError>(error: E): E | InvalidRequest =>
  error instanceof InvalidRequest
    ? new InvalidRequest({ path: ["request", ...error.path], problem: error.problem })
    : error
