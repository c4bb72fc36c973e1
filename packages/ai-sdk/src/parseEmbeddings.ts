/** Reads the untrusted embeddings of a model. */
import { type EmbeddingReply, UpstreamFailure } from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import { isObject } from "./isObject.ts"

/** Vectors are in the order of the texts. */
export const parseEmbeddings = (
  result: unknown
): Result.Result<EmbeddingReply, UpstreamFailure> => {
  const { embeddings, response, usage } = isObject(result) ? result : {}
  if (!Array.isArray(embeddings) || !embeddings.every(Array.isArray)) {
    const detail = "the answer holds no embeddings"
    return Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
  }
  const tokens = isObject(usage) ? usage["tokens"] : undefined
  const body = isObject(response) ? response["body"] : undefined
  const model = isObject(body) ? body["model"] : undefined
  return Result.succeed({
    vectors: embeddings.map((vector: ReadonlyArray<number>, index) => ({ index, vector })),
    ...(typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0
      ? { usage: { inputTokens: tokens, outputTokens: 0 } }
      : undefined),
    ...(typeof model === "string" && model !== "" && model.length <= 256 ? { model } : undefined)
  })
}
