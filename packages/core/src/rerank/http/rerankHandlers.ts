/** Handlers of reranks. */
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import { encodeResponse } from "../../http/operation/encodeResponse.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import type { RequestContext } from "../../http/operation/RequestContext.ts"
import { Settings } from "../../Settings.ts"
import { decodeRerankRequest } from "../parseRerankRequest.ts"
import { Reranks } from "../Reranks.ts"
import type { RerankApi } from "./RerankApi.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

export const rerankHandlers = Effect.gen(function* () {
  const reranks = yield* Reranks
  const settings = yield* Settings
  const limit = chatLimit(settings)

  return {
    create: (_: unknown, { caller, headers, readBody, routing }: RequestContext): Answered => {
      if (!isJson(headers)) return Effect.fail(new NotJson())
      return Effect.flatMapEager(readBody(limit), ({ bytes, json }): Answered => {
        const session = headers["x-session-id"]
        const parsed = decodeRerankRequest(json, { bytes, session, settings })
        if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
        const observer = routing.observeModel(parsed.success.request.model)
        return Effect.flatMapEager(reranks.submit(caller, parsed.success, observer), (ranking) =>
          encodeResponse(routing.addMetadata(ranking), { "x-generation-id": ranking.id })
        )
      })
    }
  } satisfies OperationHandlers<typeof RerankApi>
})
