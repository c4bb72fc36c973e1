/** The kinds of model requests. */
import * as Schema from "effect/Schema"

/** What a request asks of a model. */
export const OperationName = Schema.Literals([
  "decisions",
  "videos",
  "chat",
  "embeddings",
  "rerank",
  "speech",
  "transcriptions",
  "images"
])
export type OperationName = typeof OperationName.Type
