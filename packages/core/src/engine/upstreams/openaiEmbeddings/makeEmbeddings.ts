/** Embeddings at a server with OpenAI's embeddings API. */
import * as Result from "effect/Result"
import { isObject, toList } from "../../../values/json/guards.ts"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type {
  EmbeddingCall,
  EmbeddingCapability,
  EmbeddingPart,
  EmbeddingReply,
  IndexedVector
} from "../EmbeddingCapability.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import type { ChatTokenLimits } from "../openaiChat/estimateChatWorstCase.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"
import { postJson } from "../transport/jsonRequests.ts"

/** A server with OpenAI's embeddings API. */
export interface EmbeddingEndpoint
  extends
    Pick<UpstreamRequest, "url" | "apiKey" | "keyHeader" | "headers" | "signer">,
    EmbeddingTokenLimits {
  /**
   * Whether the server takes `encoding_format`. If it does not, vectors are converted here to the requested form.
   * Default false.
   */
  readonly takesEncoding?: boolean | undefined
  /** The most inputs of one request, 1 or more. Default: unlimited. */
  readonly maxInputs?: number | undefined
  /** See `EmbeddingCapability`. Default false. */
  readonly checksParameters?: boolean | undefined
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/**
 * Posts the model, the inputs and the parameters to `url`. The credential of a call takes precedence over `apiKey` and
 * `signer`.
 */
export const makeEmbeddings = (endpoint: EmbeddingEndpoint): EmbeddingCapability => {
  const { apiKey, checksParameters, headers, keyHeader, maxInputs, parseCost, signer } = endpoint
  const { takesEncoding = false, url } = endpoint
  return {
    embed: (call) =>
      postJson(
        {
          url,
          apiKey: call.credential ?? apiKey,
          keyHeader,
          headers,
          signer: call.credential === undefined ? signer : undefined,
          body: toBody(call, takesEncoding)
        },
        (json) => parseEmbeddingReply(json, parseCost)
      ),
    estimateWorstCase: (call) => estimateEmbeddingWorstCase(call, endpoint),
    ...(maxInputs === undefined ? undefined : { maxInputs }),
    ...(checksParameters === true ? { checksParameters } : undefined)
  }
}

const toBody = (
  { dimensions, encoding, inputs, inputType, model, parameters }: EmbeddingCall,
  takesEncoding: boolean
) => ({
  ...parameters,
  model,
  input: inputs,
  ...(takesEncoding ? { encoding_format: encoding } : undefined),
  ...(dimensions === undefined ? undefined : { dimensions }),
  ...(inputType === undefined ? undefined : { input_type: inputType })
})

/** The vectors in `json`, or the error in it, with the usage if it is reported. */
const parseEmbeddingReply = (
  json: unknown,
  parseCost?: CostParser
): Result.Result<EmbeddingReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseEmbeddingUsage(json["usage"], parseCost)
  const inside = findEmbeddedFailure(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { data, id, model } = json
  if (!Array.isArray(data)) {
    return Result.fail(toInvalidAnswer("the answer holds no data", report.usage))
  }
  const vectors: Array<IndexedVector> = []
  for (const [position, each] of toList(data).entries()) {
    const vector = parseVector(each, position)
    if (vector === undefined) {
      return Result.fail(toInvalidAnswer(`item ${position} holds no embedding`, report.usage))
    }
    vectors.push(vector)
  }
  return Result.succeed({
    vectors,
    ...report,
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(model) ? { model } : undefined)
  })
}

/** Bounded, because it is shown to callers and stored. */
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256

/** Servers without an index answer in the order of the inputs. The core checks the numbers. */
const parseVector = (item: unknown, position: number): IndexedVector | undefined => {
  if (!isObject(item)) return undefined
  const { embedding, index = position } = item
  if (typeof index !== "number") return undefined
  return typeof embedding === "string" || Array.isArray(embedding)
    ? { index, vector: embedding as IndexedVector["vector"] }
    : undefined
}

/** Only input is counted. Some servers report the total alone, and some zeros, which count nothing: no input is empty. */
const parseEmbeddingUsage = (
  usage: unknown,
  parseCost: CostParser | undefined
): Pick<EmbeddingReply, "cost" | "tokenDetails" | "usage"> => {
  if (!isObject(usage)) return {}
  const { prompt_tokens: prompt, prompt_tokens_details: details, total_tokens: total } = usage
  const inputTokens = [prompt, total].find((count) => isCount(count) && count > 0)
  const cost = parseCost?.(usage)
  if (!isCount(inputTokens)) return cost === undefined ? {} : { cost }
  const tokenDetails = parseDetails(details)
  const tokens: TokenUsage = { inputTokens, outputTokens: 0 }
  const audioTokens = tokenDetails?.["audio_tokens"] ?? 0
  return {
    usage: audioTokens === 0 ? tokens : { ...tokens, audioTokens },
    ...(tokenDetails === undefined ? undefined : { tokenDetails }),
    ...(cost === undefined ? undefined : { cost })
  }
}

const parseDetails = (details: unknown): EmbeddingReply["tokenDetails"] => {
  if (!isObject(details)) return undefined
  const counts = Object.entries(details).flatMap(([name, value]) =>
    isCount(value) ? [[name, value] as const] : []
  )
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const toInvalidAnswer = (detail: string, usage?: TokenUsage): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(usage === undefined ? undefined : { usage })
  })

/** The maximum input tokens of one part of an input, by its type. */
export type EmbeddingTokenLimits = Omit<ChatTokenLimits, "maxOutputTokens">

/**
 * The maximum usage of a call for embeddings: a token has at least one byte of text, and each medium counts as the
 * maximum of its type.
 */
export const estimateEmbeddingWorstCase = (
  { inputs }: Pick<EmbeddingCall, "inputs">,
  limits: EmbeddingTokenLimits
): TokenUsage => {
  let inputTokens = 0
  let audioTokens = 0
  for (const input of inputs) {
    inputTokens += overheadTokens
    if (typeof input === "string") inputTokens += countUtf8Bytes(input)
    else if (!("content" in input)) inputTokens += input.length
    else {
      for (const part of input.content) {
        const tokens = getMaxTokens(part, limits)
        inputTokens += tokens
        if (part.type === "input_audio") audioTokens += tokens
      }
    }
  }
  const usage = { inputTokens, outputTokens: 0 }
  return audioTokens === 0 ? usage : { ...usage, audioTokens }
}

/** Marks that a model puts around an input. */
const overheadTokens = 8

const getMaxTokens = (
  part: EmbeddingPart,
  {
    maxAudioTokens = 50_000,
    maxFileTokens = 200_000,
    maxImageTokens,
    maxVideoTokens = 300_000
  }: EmbeddingTokenLimits
): number => {
  const { text, type } = part
  if (typeof text === "string") return countUtf8Bytes(text)
  if (type === "image_url" || type === "input_image") return maxImageTokens
  if (type === "input_video" || type === "video_url") return maxVideoTokens
  if (type !== "input_audio") return maxFileTokens
  const { input_audio: audio } = part
  const data = isObject(audio) ? audio["data"] : undefined
  return typeof data === "string" ? Math.min(data.length, maxAudioTokens) : maxAudioTokens
}
