/** Parses an untrusted answer with embeddings of Google's API. */
import {
  type EmbeddingReply,
  findEmbeddedFailure,
  type IndexedVector,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"

/** Vectors are in the order of the inputs. Only some models report tokens. */
export const parseGeminiEmbeddings = (
  json: unknown
): Result.Result<EmbeddingReply, UpstreamFailure> => {
  if (!isObject(json)) return failInvalid("the answer is not a JSON object")
  const inside = findEmbeddedFailure(json)
  if (inside !== undefined) return Result.fail(inside)
  const { embedding, embeddings = [embedding], usageMetadata } = json
  if (!Array.isArray(embeddings)) return failInvalid("the answer holds no embeddings")
  const vectors: Array<IndexedVector> = []
  for (const [index, each] of (embeddings as ReadonlyArray<unknown>).entries()) {
    const values = isObject(each) ? each["values"] : undefined
    if (!Array.isArray(values)) return failInvalid(`embedding ${index} has no values`)
    vectors.push({ index, vector: values as ReadonlyArray<number> })
  }
  const tokens = isObject(usageMetadata) ? usageMetadata["promptTokenCount"] : undefined
  return Result.succeed({
    vectors,
    ...(typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0
      ? { usage: { inputTokens: tokens, outputTokens: 0 } }
      : undefined)
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const failInvalid = (detail: string) =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
