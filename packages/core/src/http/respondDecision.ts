/** `POST .../decisions`, from the request to the response: admit, read, parse, submit, encode. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { NotPermitted } from "../auth/AuthErrors.ts"
import { bearerToken } from "../auth/bearerToken.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { parseDecisionRequest } from "../decisions/parseDecisionRequest.ts"
import { Settings } from "../Settings.ts"
import { Admission } from "./Admission.ts"
import { type ExpectedError, notJson, refusalOf } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { readBody } from "./readBody.ts"

/** Built once; the effect it yields is the same for every request. */
export const respondDecision = Effect.gen(function* () {
  const { admit } = yield* Admission
  const decisions = yield* Decisions
  const settings = yield* Settings

  const respond = Effect.fnUntraced(function* (): Effect.fn.Return<
    HttpServerResponse.HttpServerResponse,
    ExpectedError,
    HttpServerRequest.HttpServerRequest
  > {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers } = request
    const caller = yield* admit(bearerToken(headers["authorization"]))
    // `submit` would refuse it too, but only once its whole body has been read.
    if (caller.kind === "management") {
      return yield* new NotPermitted({ kind: caller.kind, needs: "a member or organization key" })
    }
    if (!isJson(headers["content-type"])) return refuse(notJson)
    const { bytes, text } = yield* readBody(request, settings.imageBodyLimitBytes)
    const parsed = yield* Effect.fromResult(
      parseDecisionRequest(text, { bytes, session: headers["x-session-id"], settings })
    )
    const decision = yield* decisions.submit(caller, parsed)
    return HttpServerResponse.jsonUnsafe(decision, {
      headers: decision.id === undefined ? {} : { "x-generation-id": decision.id }
    })
  })

  return Effect.matchEffect(respond(), {
    onSuccess: Effect.succeed,
    onFailure: (error) => Effect.succeed(refuse(refusalOf(error)))
  })
})

/** Parameters such as `charset` do not matter, nor does a missing header. */
const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(contentType)
