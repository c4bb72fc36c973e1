/** An upstream that speaks OpenAI's dialect: chats, Decisions on any of its chat endpoints, and its videos. */
import {
  makeChatCompletions,
  checkOptionTypes,
  resolveHostKey,
  type OptionTypes,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { listOpenQuestions } from "./OpenQuestion.ts"
import type { Endpoint } from "./Conversation.ts"
import { decide } from "./decide.ts"
import { assumedParameters, assumedOpenAiParameters, resolveCall } from "./ResolvedCall.ts"
import { makeVideoCapability } from "./makeVideoCapability.ts"
import { estimateWorstCase } from "./estimateWorstCase.ts"

/** Without any it is OpenAI itself, and needs an `apiKey`. */
export interface OpenAiOptions {
  /**
   * Sent as `Authorization: Bearer`; a local endpoint may need none. OpenAI's own address needs one: null says that
   * only customers' own credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The provider's name in `only`, `ignore`, `order` and in the catalog. Default `openai`. */
  readonly slug?: string | undefined
  /** What answers show as `provider`. Default `OpenAI`. */
  readonly name?: string | undefined
  /** Where `/chat/completions` and `/videos` stand. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Sent with every call, beside the authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The smallest share of the model's probability, 0..1, that must fall on the options for its
   * logprobs to count; below it the question is asked again for stated probabilities. Default 0.5:
   * less than half means the model mostly wanted to say something else.
   */
  readonly minLabelMass?: number | undefined
  /**
   * The most input tokens one image may cost, for what a budget reserves. Default 50,000, which
   * covers eight tiles on gpt-4o-mini (48,169); most models charge a small part of that.
   */
  readonly maxImageTokens?: number | undefined
  /**
   * The same of sound in a chat, where its bytes do not say less. Default 50,000: 26 minutes at 32 tokens a second.
   */
  readonly maxAudioTokens?: number | undefined
  /** The same of a video in a chat. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /**
   * The same of a file in a chat that is no text, such as a PDF, and of a part of a kind that nobody knows.
   * Default 200,000: 100 pages at 2,000 tokens.
   */
  readonly maxFileTokens?: number | undefined
  /**
   * The most output tokens of one chat answer, for what a budget reserves where neither the caller
   * (`max_tokens`, `max_completion_tokens`) nor the catalog (`maxCompletionTokens` of the endpoint) says how many.
   * Default 128,000.
   */
  readonly maxOutputTokens?: number | undefined
  /**
   * Whether it refuses a call with a parameter that its model does not take, and never ignores one: then endpoints
   * without `supportedParameters` satisfy `require_parameters`. Default: true for OpenAI itself, false with another `baseUrl`.
   */
  readonly checksParameters?: boolean | undefined
  /**
   * The header in which a video submit carries its idempotency key, for a server that promises to make one
   * job of two submits with the same key. Default: none is sent, and a submit whose fate is unknown may, when
   * it is made again, make two.
   */
  readonly idempotencyHeader?: string | undefined
}

const openAiUrl = "https://api.openai.com/v1"

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
 * Answers Decisions on a chat endpoint: OpenAI's own, or any other that speaks its dialect. What the
 * endpoint supports (`supportedParameters` in the catalog) decides how, for each question:
 *
 * 1. `logprobs`, with `logprobs` and `top_logprobs` and up to 20 options: one call per question, its
 *    options numbered, probabilities read from the first token. Calls share the state as their
 *    prefix and run at most `questionConcurrency` (Settings) at a time.
 * 2. `restrictionFields`, with `structured_outputs` or `response_format`: one call for all questions, whose
 *    reply states the probabilities. Also asked when the logprobs of step 1 are missing or hold too
 *    little mass.
 * 3. `discrete`, with anything else: one call for all questions, whose reply names the best options.
 *
 * Where nobody says what an endpoint supports, 2 is tried with a schema, and 3 where that is refused.
 *
 * A reply's `method` is the weakest that was needed, its `labelMass` the smallest that was read.
 * A question with one option is not asked; a reply made of these alone has the method
 * `single_option`. The state is sent as data between tags that it cannot close. Top-level items
 * `{type: "image_url", image_url: {url}}` of a `state` array are sent as images.
 *
 * Chats by `POST {baseUrl}/chat/completions` with messages and parameters as the caller wrote them. A stream
 * is asked for its usage, and is whole with its `[DONE]`.
 *
 * Makes videos by `POST {baseUrl}/videos`, a form as OpenAI's own client sends it, and continues them by
 * `/remix`. An image is sent as a file when it is a `data:` address, else by its address. A call that asks for
 * what this dialect cannot say (a last frame, a second image, `2K`) is an `unsupported_parameter`, and
 * nothing is sent.
 *
 * Fails with an `UpstreamFailure` as a whole; it carries what the calls used so far. Throws a
 * `RangeError` for an option that is none, of the wrong type or out of range.
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
  const { maxImageTokens = 50_000, maxOutputTokens = 128_000, minLabelMass = 0.5 } = options
  if (!(minLabelMass >= 0 && minLabelMass <= 1)) {
    throw new RangeError(`minLabelMass must lie in 0..1, got ${minLabelMass}`)
  }
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
    // It may hold a password, so it is not repeated.
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
  const assumed = isOpenAi ? assumedOpenAiParameters : assumedParameters
  const checking = (options.checksParameters ?? isOpenAi) ? { checksParameters: true as const } : {}
  const endpoint: Endpoint = { url: `${baseUrl}/chat/completions`, apiKey, headers }
  return {
    slug: options.slug ?? "openai",
    name: options.name ?? "OpenAI",
    decisions: {
      decide: (call) => decide(endpoint, resolveCall(call, assumed), minLabelMass),
      needsOneOf: ["logprobs", "structured_outputs", "response_format"],
      usesChat: true,
      ...checking,
      estimateWorstCase: (call) =>
        estimateWorstCase(
          resolveCall(call, assumed),
          listOpenQuestions(call.questions),
          maxImageTokens
        )
    },
    chat: { ...makeChatCompletions({ ...endpoint, ...perPart, maxOutputTokens }), ...checking },
    videos: makeVideoCapability({ baseUrl, apiKey, headers, idempotencyHeader })
  }
}
