/** Answers a JSON request with JSON, as operations do that are routed and never streamed. */
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import { chatLimit } from "../body/BodyLimit.ts"
import { isJson } from "../body/isJson.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import { encodeResponse } from "./encodeResponse.ts"
import type { RequestContext } from "./RequestContext.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

/** Makes the handler of an operation. The id of an answer is a header, too. */
export const answerJson =
  <
    Parsed extends { readonly request: { readonly model: string } },
    Answer extends { readonly id: string }
  >(
    settings: SettingsShape,
    decode: (json: unknown, options: ParseOptions) => ParseResult<Parsed>,
    submit: (
      caller: Caller,
      parsed: Parsed,
      observer: RouteObserver | undefined
    ) => Effect.Effect<Answer, ExpectedError>
  ) =>
  (_: unknown, { caller, headers, readBody, routing }: RequestContext): Answered => {
    if (!isJson(headers)) return Effect.fail(new NotJson())
    return Effect.flatMapEager(readBody(chatLimit(settings)), ({ bytes, json }): Answered => {
      const parsed = decode(json, { bytes, session: headers["x-session-id"], settings })
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const observer = routing.observeModel(parsed.success.request.model)
      return Effect.flatMapEager(submit(caller, parsed.success, observer), (answer) =>
        encodeResponse(routing.addMetadata(answer), { "x-generation-id": answer.id })
      )
    })
  }
