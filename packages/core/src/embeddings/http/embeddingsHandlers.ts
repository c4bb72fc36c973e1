/** Handlers of embeddings. */
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
import { Embeddings } from "../Embeddings.ts"
import { decodeEmbeddingRequest } from "../request/parseEmbeddingRequest.ts"
import type { EmbeddingsApi } from "./EmbeddingsApi.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

export const embeddingsHandlers = Effect.gen(function* () {
  const embeddings = yield* Embeddings
  const settings = yield* Settings
  const limit = chatLimit(settings)

  return {
    create: (_: unknown, { caller, headers, readBody, routing }: RequestContext): Answered => {
      if (!isJson(headers)) return Effect.fail(new NotJson())
      return Effect.flatMapEager(readBody(limit), ({ bytes, json }): Answered => {
        const session = headers["x-session-id"]
        const parsed = decodeEmbeddingRequest(json, { bytes, session, settings })
        if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
        const observer = routing.observeModel(parsed.success.request.model)
        return Effect.flatMapEager(embeddings.submit(caller, parsed.success, observer), (list) =>
          encodeResponse(routing.addMetadata(list), { "x-generation-id": list.id })
        )
      })
    }
  } satisfies OperationHandlers<typeof EmbeddingsApi>
})
