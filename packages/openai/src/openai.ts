/** An upstream with OpenAI's API, for chats, Decisions and videos. */
import {
  type ChatCapability,
  makeChatCompletions,
  makeChatDecisions,
  checkOptionTypes,
  resolveHostKey,
  type OptionTypes,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { makeVideoCapability } from "./makeVideoCapability.ts"

/** By default the upstream is OpenAI itself, which needs an `apiKey`. */
export interface OpenAiOptions {
  /**
   * Sent as `Authorization: Bearer`. Required for OpenAI itself; null means that only customers' own credentials are
   * used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `openai`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `OpenAI`. */
  readonly name?: string | undefined
  /** The URL under which `/chat/completions` and `/videos` are. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Sent with every call, in addition to the authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The smallest share of the model's probability, 0 to 1, that the options must have for their logprobs to count.
   * Below it the model is asked for probabilities. Default 0.5: with less than half, the model mostly wanted to say
   * something else.
   */
  readonly minLabelMass?: number | undefined
  /**
   * The most input tokens of one image, for the reservation. Default 50,000, which covers eight tiles on gpt-4o-mini
   * (48,169); most models use far fewer.
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
   * Whether the server rejects parameters that a model does not support, instead of ignoring them. Then endpoints without
   * `supportedParameters` satisfy `require_parameters`. Default: true for OpenAI itself, false with another `baseUrl`.
   */
  readonly checksParameters?: boolean | undefined
  /**
   * The header for the idempotency key of a video submit, for a server that deduplicates submits by it. Default: no key
   * is sent, and repeating a submit of unknown outcome may create two videos.
   */
  readonly idempotencyHeader?: string | undefined
}

const openAiUrl = "https://api.openai.com/v1"

/** All models of OpenAI support these; those with reasoning reject `max_tokens`. */
const assumedOpenAiParameters = ["structured_outputs", "max_completion_tokens"]

const optionTypes: OptionTypes<OpenAiOptions> = {
  apiKey: ["string", "object", "null"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  headers: ["object"],
  minLabelMass: ["number"],
  maxImageTokens: ["number"],
  maxAudioTokens: ["number"],
  maxVideoTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"],
  checksParameters: ["boolean"],
  idempotencyHeader: ["string"]
}

/**
 * **Decisions** are answered by chat, as `makeChatDecisions` describes. If the supported parameters are unknown, the
 * model is asked to state probabilities with a schema, and to choose options if the server rejects it.
 *
 * **Chats** are sent to `POST {baseUrl}/chat/completions` with messages and parameters as the caller wrote them. A
 * stream includes its usage, and is complete with its `[DONE]`.
 *
 * **Videos** are made by `POST {baseUrl}/videos`, with a form like that of OpenAI's client, and continued by `/remix`.
 * An image in a `data:` address is sent as a file, any other by its address. A call that the API cannot express (a last
 * frame, a second image, `2K`) is an `unsupported_parameter`, and nothing is sent.
 *
 * Failures are `UpstreamFailure`s with the usage so far. Throws a `RangeError` for an unknown option, or one of the
 * wrong type or out of range.
 *
 * @example
 * ```ts
 * import { openai } from "@signalbox/openai"
 *
 * const upstream = openai({ apiKey: process.env.OPENAI_API_KEY })
 *
 * const local = openai({
 *   slug: "vllm",
 *   name: "Our own vLLM",
 *   baseUrl: "http://127.0.0.1:8000/v1"
 * })
 * ```
 */
export const openai = (options: OpenAiOptions = {}): Upstream => {
  checkOptionTypes("openai", options, optionTypes)
  const { maxImageTokens = 50_000, maxOutputTokens = 128_000, minLabelMass } = options
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
  const baseUrl = (options.baseUrl ?? openAiUrl).replace(/\/+$/, "")
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(`baseUrl must be an address such as ${openAiUrl}`)
  }
  const apiKey = resolveHostKey({
    upstreamName: "openai",
    apiKey: options.apiKey,
    url: baseUrl,
    keyRequiredHost: "api.openai.com"
  })
  const { headers, idempotencyHeader } = options
  const isOpenAi = baseUrl === openAiUrl
  const url = `${baseUrl}/chat/completions`
  const chat: ChatCapability = {
    ...makeChatCompletions({ url, apiKey, headers, ...perPart, maxOutputTokens }),
    ...((options.checksParameters ?? isOpenAi) ? { checksParameters: true } : undefined)
  }
  return {
    slug: options.slug ?? "openai",
    name: options.name ?? "OpenAI",
    chat,
    decisions: makeChatDecisions(chat, {
      maxImageTokens,
      minLabelMass,
      assumedParameters: isOpenAi ? assumedOpenAiParameters : undefined
    }),
    videos: makeVideoCapability({ baseUrl, apiKey, headers, idempotencyHeader })
  }
}
