/** Answers requests for embeddings, of OpenAI's API and of Google's. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { Content, EmbeddingContent, EmbeddingFlaw } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { ScriptError } from "./ScriptError.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"
import { vectorOf } from "./vectorOf.ts"

type EmbeddingDialect = "embeddings" | "gemini_embeddings"

/** The default step of a server is a Decision, which means a correct answer. */
export const toEmbeddingsResponse = (
  request: RecordedRequest,
  dialect: EmbeddingDialect,
  content: Content
): ScriptedResponse => {
  if (content.type !== "embeddings" && content.type !== "decision") {
    throw new ScriptError(`embeddings have no ${content.type} answer`)
  }
  const given: EmbeddingContent =
    content.type === "embeddings" ? content : { type: "embeddings", report: content.report }
  return dialect === "embeddings" ? toList(request, given) : toGemini(request, given)
}

interface Vector {
  readonly index: number
  readonly numbers: ReadonlyArray<unknown>
}

const toList = (request: RecordedRequest, content: EmbeddingContent): ScriptedResponse => {
  const { body, model } = request
  const inputs = listInputs(getProperty(body, "input"))
  if (model === undefined || inputs.length === 0 || inputs.includes("")) {
    return toScriptErrorResponse("embeddings", 400, "model and input are required")
  }
  if (inputs.length > maxInputs) {
    return toScriptErrorResponse("embeddings", 400, `at most ${maxInputs} inputs`)
  }
  const { encoding = getProperty(body, "encoding_format"), report } = content
  const vectors = makeVectors(inputs, getProperty(body, "dimensions"), content)
  const tokens = report.usage?.inputTokens ?? countInputTokens(inputs)
  return answer.makeJsonResponse({
    object: "list",
    ...(report.id === undefined ? undefined : { id: report.id }),
    model: report.model ?? model,
    data: vectors.map(({ index, numbers }) => ({
      object: "embedding",
      index,
      embedding: encoding === "base64" ? toBase64(numbers) : numbers
    })),
    ...(content.omitsUsage === true
      ? undefined
      : {
          usage: {
            prompt_tokens: tokens,
            total_tokens: tokens,
            ...report.usageDetails,
            ...(report.cost === undefined ? undefined : { cost: report.cost })
          }
        })
  })
}

/** The most of OpenAI's API. */
const maxInputs = 2_048

/** A list of numbers is one input. */
const listInputs = (input: unknown): ReadonlyArray<unknown> => {
  if (!Array.isArray(input)) return input === undefined ? [] : [input]
  return typeof input[0] === "number" ? [input] : (input as ReadonlyArray<unknown>)
}

const countInputTokens = (inputs: ReadonlyArray<unknown>): number =>
  inputs.reduce<number>(
    (sum, input) =>
      sum +
      (Array.isArray(input)
        ? input.length
        : countTokens(typeof input === "string" ? input : JSON.stringify(input))),
    0
  )

const makeVectors = (
  inputs: ReadonlyArray<unknown>,
  dimensions: unknown,
  { flaw, isReversed = false, vectors }: EmbeddingContent
): ReadonlyArray<Vector> => {
  const size = typeof dimensions === "number" ? dimensions : undefined
  const made = inputs.map((input, index) => ({
    index,
    numbers: vectors?.[index] ?? vectorOf(input, size)
  }))
  const spoilt = applyEmbeddingFlaw(made, flaw)
  return isReversed ? spoilt.toReversed() : spoilt
}

const applyEmbeddingFlaw = (
  vectors: ReadonlyArray<Vector>,
  flaw: EmbeddingFlaw | undefined
): ReadonlyArray<Vector> => {
  const [first, ...others] = vectors
  if (first === undefined || flaw === undefined) return vectors
  switch (flaw) {
    case "missing_vector":
      return others
    case "extra_vector":
      return [...vectors, { ...first, index: vectors.length }]
    case "repeated_index":
      return [...others, { ...first, index: others[0]?.index ?? 1 }]
    case "wrong_length":
      return [...others, { ...first, numbers: [...first.numbers, 0] }]
    case "not_a_number":
      return [...others, { ...first, numbers: first.numbers.map(() => null) }]
  }
}

const toBase64 = (numbers: ReadonlyArray<unknown>): string =>
  Buffer.from(
    Float32Array.from(numbers.map((number) => Number(number ?? Number.NaN))).buffer
  ).toString("base64")

const toGemini = (request: RecordedRequest, content: EmbeddingContent): ScriptedResponse => {
  const { body, path } = request
  const isBatch = path.includes(":batchEmbedContents")
  const requests = isBatch ? getProperty(body, "requests") : [body]
  if (!Array.isArray(requests) || requests.length === 0) {
    return toScriptErrorResponse("gemini_embeddings", 400, "requests are required")
  }
  const inputs = requests.map(readText)
  if (inputs.includes(undefined)) {
    return toScriptErrorResponse("gemini_embeddings", 400, "content is required")
  }
  const dimensions = getProperty(requests[0], "outputDimensionality")
  const vectors = makeVectors(inputs, dimensions, { ...content, isReversed: false })
  const embeddings = vectors.map(({ numbers }) => ({ values: numbers }))
  const tokens = content.report.usage?.inputTokens ?? countInputTokens(inputs)
  return answer.makeJsonResponse({
    ...(isBatch ? { embeddings } : { embedding: embeddings[0] }),
    ...(content.omitsUsage === true ? undefined : { usageMetadata: { promptTokenCount: tokens } })
  })
}

const readText = (request: unknown): string | undefined => {
  const parts = getProperty(getProperty(request, "content"), "parts")
  if (!Array.isArray(parts) || parts.length === 0) return undefined
  const [part] = parts as ReadonlyArray<unknown>
  const text = getProperty(part, "text")
  return parts.length === 1 && typeof text === "string" ? text : JSON.stringify(parts)
}
