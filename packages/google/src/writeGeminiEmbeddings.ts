/** Writes calls for embeddings as requests of Google's API: https://ai.google.dev/api/embeddings. */
import { type EmbeddingCall, type EmbeddingInput, UpstreamFailure } from "@signalbox/core/upstream"
import * as Result from "effect/Result"

/** One request of the API. */
export interface GeminiEmbeddingRequest {
  readonly model: string
  readonly content: { readonly parts: ReadonlyArray<object> }
  readonly taskType?: string
  readonly outputDimensionality?: number
}

/** One for each input. Fails with an `unsupported_parameter` for what the API cannot say. */
export const writeGeminiEmbeddings = ({
  dimensions,
  inputs,
  inputType,
  model,
  parameters
}: EmbeddingCall): Result.Result<ReadonlyArray<GeminiEmbeddingRequest>, UpstreamFailure> => {
  const [unknown] = Object.keys(parameters)
  if (unknown !== undefined) return failUnsupported(unknown)
  const taskType = inputType === undefined ? undefined : findTaskType(inputType)
  if (inputType !== undefined && taskType === undefined) {
    return failUnsupported(`input_type ${inputType}`)
  }
  const requests: Array<GeminiEmbeddingRequest> = []
  for (const input of inputs) {
    const parts = writeParts(input)
    if (Result.isFailure(parts)) return Result.fail(parts.failure)
    requests.push({
      model: `models/${model}`,
      content: { parts: parts.success },
      ...(taskType === undefined ? undefined : { taskType }),
      ...(dimensions === undefined ? undefined : { outputDimensionality: dimensions })
    })
  }
  return Result.succeed(requests)
}

const writeParts = (
  input: EmbeddingInput
): Result.Result<ReadonlyArray<object>, UpstreamFailure> => {
  if (typeof input === "string") return Result.succeed([{ text: input }])
  if (!("content" in input)) return failUnsupported("token ids")
  const parts: Array<object> = []
  for (const part of input.content) {
    const written = typeof part["text"] === "string" ? { text: part["text"] } : writeMedia(part)
    if (written === undefined) return failUnsupported(`a part of type ${part.type}`)
    parts.push(written)
  }
  return Result.succeed(parts)
}

/** Bytes only: the API takes no addresses of other hosts. */
const writeMedia = (part: Readonly<Record<string, unknown>>): object | undefined => {
  const { type } = part
  const holder = typeof type === "string" && Object.hasOwn(part, type) ? part[type] : undefined
  if (!isObject(holder)) return undefined
  const { data, format, url } = holder
  if (type === "input_audio" && typeof data === "string" && typeof format === "string") {
    return { inlineData: { mimeType: `audio/${format}`, data } }
  }
  const [, mimeType, bytes] =
    (typeof url === "string" ? /^data:([^;,]+);base64,(.*)$/s.exec(url) : null) ?? []
  return mimeType === undefined || bytes === undefined
    ? undefined
    : { inlineData: { mimeType, data: bytes } }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Finds the task by the names that Cohere and Voyage introduced, or the API's own. */
const findTaskType = (inputType: string): string | undefined =>
  commonTypes.get(inputType) ?? (ownTypes.has(inputType) ? inputType : undefined)

const commonTypes: ReadonlyMap<string, string> = new Map([
  ["query", "RETRIEVAL_QUERY"],
  ["search_query", "RETRIEVAL_QUERY"],
  ["document", "RETRIEVAL_DOCUMENT"],
  ["search_document", "RETRIEVAL_DOCUMENT"],
  ["classification", "CLASSIFICATION"],
  ["clustering", "CLUSTERING"],
  ["semantic_similarity", "SEMANTIC_SIMILARITY"],
  ["question_answering", "QUESTION_ANSWERING"],
  ["fact_verification", "FACT_VERIFICATION"],
  ["code_retrieval_query", "CODE_RETRIEVAL_QUERY"]
])

const ownTypes: ReadonlySet<string> = new Set(commonTypes.values())

const failUnsupported = (what: string) =>
  Result.fail(new UpstreamFailure({ kind: "unsupported_parameter", detail: what }))
