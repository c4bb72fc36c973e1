/** An upstream with OpenRouter's HTTP API, for Decisions, chats, embeddings, reranks, images, speech, transcriptions and videos: OpenRouter, or another Signalbox instance. */
import {
  makeChatCompletions,
  makeEmbeddings,
  makeProbe,
  makeRerankCapability,
  makeSpeech,
  makeTranscription,
  checkOptionTypes,
  type DecisionCall,
  type DecisionReply,
  resolveHostKey,
  countOptions,
  type OptionTypes,
  postJson,
  type TokenUsage,
  type Upstream,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import { isObject } from "./jsonChecks.ts"
import { parseCost } from "./parseCost.ts"
import { parseDecisionReply } from "./parseDecisionReply.ts"
import { parseRootUrl } from "./parseRootUrl.ts"
import { makeImageCapability } from "./makeImageCapability.ts"
import { makeVideoCapability } from "./makeVideoCapability.ts"
import { writeRerank } from "./writeRerank.ts"

/** By default the upstream is OpenRouter itself, which needs an `apiKey`. */
export interface OpenRouterOptions {
  /**
   * Sent as `Authorization: Bearer`. Required for OpenRouter itself; null means that only customers' own
   * credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `openrouter`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `OpenRouter`. */
  readonly name?: string | undefined
  /**
   * The server's root, before `/api/alpha/decisions`, or the address its clients are given, which ends in `/api/v1`.
   * Default `https://openrouter.ai`.
   */
  readonly baseUrl?: string | undefined
  /**
   * The most input tokens of one image of a chat or a Decision, for the reservation. Default 50,000.
   */
  readonly maxImageTokens?: number | undefined
  /**
   * The same for audio in a chat, or the number of its bytes if that is less. Default 50,000: 26 minutes at 32 tokens a second.
   */
  readonly maxAudioTokens?: number | undefined
  /** The same for a video in a chat. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /**
   * The same for a file in a chat that is not text, such as a PDF, and for a part of an unknown type.
   * Default 200,000: 100 pages at 2,000 tokens.
   */
  readonly maxFileTokens?: number | undefined
  /**
   * The most output tokens of one chat answer, for the reservation. It applies if neither the caller (`max_tokens`,
   * `max_completion_tokens`) nor the endpoint (`maxCompletionTokens`) sets a limit. Default 128,000.
   */
  readonly maxOutputTokens?: number | undefined
  /**
   * The header for the idempotency key of a video submit, for a server that deduplicates submits by it. Default: no key
   * is sent, and repeating a submit of unknown outcome may create two videos.
   */
  readonly idempotencyHeader?: string | undefined
}

const optionTypes: OptionTypes<OpenRouterOptions> = {
  apiKey: ["string", "object", "null"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  maxImageTokens: ["number"],
  maxAudioTokens: ["number"],
  maxVideoTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"],
  idempotencyHeader: ["string"]
}

/**
 * **Decisions** are native: one `POST {baseUrl}/api/alpha/decisions` with `model`, `state` and `questions`. Session, user
 * and trace are not sent. The probabilities, `choice`, `score` and `confidence` of the answer are passed through. An
 * answer without probabilities puts all weight on its choice, or on the two levels next to its score. A reply that does
 * not answer exactly the questions is an `invalid_answer`. The reported cost is the cost of the call.
 *
 * **Chats** are sent to `POST {baseUrl}/api/v1/chat/completions` with messages and parameters as the caller wrote them, and
 * with its `plugins`, `transforms`, `stop_server_tools_when` and `metadata`.
 * The cost in the usage is the cost of the call. A stream is complete with its `[DONE]`, or with the finish
 * reason of each choice.
 *
 * **Embeddings** are made by `POST {baseUrl}/api/v1/embeddings`, in the form that the caller asks for, and **reranks** by
 * `POST {baseUrl}/api/v1/rerank`. The cost in the usage is the cost of the call.
 *
 * **Speech** is made by `POST {baseUrl}/api/v1/audio/speech`, and **transcriptions** by `POST {baseUrl}/api/v1/audio/transcriptions`,
 * with the recording in JSON. The cost in the usage of a transcription is the cost of the call.
 *
 * **Images** are made by `POST {baseUrl}/api/v1/images`, whole or streamed, with references by their addresses. The cost in the
 * usage is the cost of the call.
 *
 * **Videos** are made by `POST {baseUrl}/api/v1/videos`, polled by id, and read by id and index. Addresses in answers are
 * not followed. A caller's `provider.options` for this upstream become the `provider.options` of the request.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { openrouter } from "@signalbox/openrouter"
 *
 * const upstream = openrouter({ apiKey: process.env.OPENROUTER_API_KEY })
 *
 * const other = openrouter({
 *   slug: "judge",
 *   name: "Judge",
 *   baseUrl: "https://judge.internal.example",
 *   apiKey: process.env.JUDGE_KEY
 * })
 * ```
 */
export const openrouter = (options: OpenRouterOptions = {}): Upstream => {
  checkOptionTypes("openrouter", options, optionTypes)
  const { maxImageTokens = 50_000, maxOutputTokens = 128_000 } = options
  const { maxAudioTokens, maxFileTokens, maxVideoTokens } = options
  const perPart = { maxImageTokens, maxAudioTokens, maxVideoTokens, maxFileTokens }
  for (const [name, most] of Object.entries(perPart)) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${name} must be a whole number, got ${most}`)
    }
  }
  if (!Number.isSafeInteger(maxOutputTokens) || maxOutputTokens < 1) {
    throw new RangeError(`maxOutputTokens must be a whole number from 1, got ${maxOutputTokens}`)
  }
  const root = parseRootUrl(options.baseUrl)
  const apiKey = resolveHostKey({
    upstreamName: "openrouter",
    apiKey: options.apiKey,
    url: root,
    keyRequiredHost: "openrouter.ai"
  })
  const endpoint: Endpoint = { url: `${root}/api/alpha/decisions`, apiKey }
  return {
    slug: options.slug ?? "openrouter",
    name: options.name ?? "OpenRouter",
    // The list of models is public at OpenRouter itself.
    probe: makeProbe({ url: `${root}/api/v1/key`, apiKey }),
    decisions: {
      decide: (call) => decide(endpoint, call),
      estimateWorstCase: (call) => estimateWorstCase(call, maxImageTokens)
    },
    chat: makeChatCompletions({
      url: `${root}/api/v1/chat/completions`,
      apiKey,
      parseCost: ({ cost }) => parseCost(cost),
      serverFields: ["metadata", "plugins", "stop_server_tools_when", "transforms"],
      ...perPart,
      maxOutputTokens
    }),
    embeddings: makeEmbeddings({
      url: `${root}/api/v1/embeddings`,
      apiKey,
      takesEncoding: true,
      parseCost: ({ cost }) => parseCost(cost),
      ...perPart
    }),
    rerank: makeRerankCapability({
      url: `${root}/api/v1/rerank`,
      apiKey,
      parseCost: ({ cost }) => parseCost(cost),
      maxImageTokens,
      writeBody: writeRerank
    }),
    speech: makeSpeech({
      url: `${root}/api/v1/audio/speech`,
      apiKey,
      takesReferences: true,
      idHeader: "x-generation-id"
    }),
    transcription: makeTranscription({
      url: `${root}/api/v1/audio/transcriptions`,
      apiKey,
      takesJson: true,
      parseCost: ({ cost }) => parseCost(cost)
    }),
    images: makeImageCapability({
      root: `${root}/api/v1`,
      apiKey,
      maxImageTokens,
      maxOutputTokens
    }),
    videos: makeVideoCapability({
      root: `${root}/api/v1`,
      apiKey,
      idempotencyHeader: options.idempotencyHeader
    })
  }
}

interface Endpoint {
  readonly url: string
  readonly apiKey: Redacted.Redacted | undefined
}

const decide = (
  endpoint: Endpoint,
  call: DecisionCall
): Effect.Effect<DecisionReply, UpstreamFailure, HttpClient.HttpClient> =>
  postJson(
    {
      url: endpoint.url,
      apiKey: call.credential ?? endpoint.apiKey,
      body: { model: call.model, state: call.state, questions: call.questions }
    },
    (json) => parseDecisionReply(call.questions, json)
  )

/**
 * The request contains the content once. An answer repeats at most names, labels and levels, with a few numbers for each.
 * The constants are room for an unknown prompt of the model.
 */
const estimateWorstCase = (call: DecisionCall, maxImageTokens: number): TokenUsage => {
  const { questions } = call
  let tokens = call.contentBytes + 512
  for (const name in questions) {
    const question = questions[name]
    if (question !== undefined) tokens += 128 + 32 * countOptions(question)
  }
  let images = 0
  for (const item of Array.isArray(call.state) ? (call.state as ReadonlyArray<unknown>) : []) {
    const url = getImageUrl(item)
    if (url === undefined) continue
    images++
    tokens -= url.length
  }
  return { inputTokens: tokens + images * maxImageTokens, outputTokens: tokens }
}

/** The URL of an image of a `state`, whose cost does not follow from its bytes. */
const getImageUrl = (item: unknown): string | undefined => {
  if (!isObject(item) || item["type"] !== "image_url" || !isObject(item["image_url"])) {
    return undefined
  }
  const { url } = item["image_url"]
  return typeof url === "string" ? url : undefined
}
