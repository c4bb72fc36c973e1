/** Responds to Decisions, the hot path: admits, reads, parses, submits, encodes. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { requireModelAccess } from "../../auth/permissions.ts"
import { Decisions } from "../../decisions/Decisions.ts"
import { decodeDecisionRequest } from "../../decisions/parseDecisionRequest.ts"
import { Settings } from "../../Settings.ts"
import { Admission } from "./Admission.ts"
import { decisionLimit } from "../body/BodyLimit.ts"
import { findErrorRules } from "./findErrorRules.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import { isJson } from "../body/isJson.ts"
import { readBody } from "../body/readBody.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"

/** Errors are the same at all three paths. */
const errorRules = findErrorRules({ group: "decisions", name: "create" })

/** Built once; the effect it yields is the same for every request. */
export const makeDecisionResponder = Effect.gen(function* () {
  const { admit } = yield* Admission
  const decisions = yield* Decisions
  const settings = yield* Settings
  const limit = decisionLimit(settings)

  const decide = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    routing: RoutingMetadataRecorder
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, ExpectedError, Scope.Scope> {
    const { headers } = request
    const caller = yield* admit(request)
    // Checked before the body is read.
    yield* requireModelAccess(caller)
    if (!isJson(headers)) return yield* new NotJson()
    const { bytes, json } = yield* readBody(request, limit)
    const parsed = yield* Effect.fromResult(
      decodeDecisionRequest(json, { bytes, session: headers["x-session-id"], settings })
    )
    const decision = yield* decisions.submit(
      caller,
      parsed,
      routing.observeModel(parsed.request.model)
    )
    return HttpServerResponse.jsonUnsafe(routing.addMetadata(decision), {
      headers: decision.id === undefined ? {} : { "x-generation-id": decision.id }
    })
  })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const routing = new RoutingMetadataRecorder(request.headers)
    return Effect.matchEffect(decide(request, routing), {
      onSuccess: Effect.succeed,
      onFailure: (error) => Effect.succeed(routing.renderError(toErrorResponse(error, errorRules)))
    })
  })
})
