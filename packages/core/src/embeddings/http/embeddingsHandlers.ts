/** Handlers of embeddings. */
import * as Effect from "effect/Effect"
import { answerJson } from "../../http/operation/answerJson.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { Settings } from "../../Settings.ts"
import { Embeddings } from "../Embeddings.ts"
import { decodeEmbeddingRequest } from "../request/parseEmbeddingRequest.ts"
import type { EmbeddingsApi } from "./EmbeddingsApi.ts"

export const embeddingsHandlers = Effect.gen(function* () {
  const { submit } = yield* Embeddings
  return {
    create: answerJson(yield* Settings, decodeEmbeddingRequest, submit)
  } satisfies OperationHandlers<typeof EmbeddingsApi>
})
