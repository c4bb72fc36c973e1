/** Handlers of embeddings. */
import * as Effect from "effect/Effect"
import { answerJson } from "../operation/Reply.ts"
import type { Handlers } from "../operation/Handler.ts"
import { Settings } from "../../instance/Settings.ts"
import { Embeddings } from "../../domains/embeddings/Embeddings.ts"
import { decodeEmbeddingRequest } from "../../domains/embeddings/request/parseEmbeddingRequest.ts"
import type { EmbeddingsApi } from "./EmbeddingsApi.ts"

export const embeddingsHandlers = Effect.gen(function* () {
  const { submit } = yield* Embeddings
  return {
    create: answerJson(yield* Settings, decodeEmbeddingRequest, submit)
  } satisfies Handlers<typeof EmbeddingsApi>
})
