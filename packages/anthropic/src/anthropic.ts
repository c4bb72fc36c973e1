/** An upstream with Anthropic's Messages API, for chats and Decisions. */
import { makeMessagesChat, type MessagesModels } from "@signalbox/core/dialects"
import {
  checkOptionTypes,
  makeChatDecisions,
  type OptionTypes,
  resolveHostKey,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"

/** By default the upstream is Anthropic itself, which needs an `apiKey`. */
export interface AnthropicOptions {
  /**
   * Sent as `x-api-key`. Required for Anthropic itself; null means that only customers' own credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `anthropic`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `Anthropic`. */
  readonly name?: string | undefined
  /**
   * The URL under which `/v1/messages` is, or the one that ends in `/v1`. Default `https://api.anthropic.com`.
   */
  readonly baseUrl?: string | undefined
  /**
   * The header of the key, and of customers' own, such as `api-key`. `authorization` sends it as `Bearer`. Default
   * `x-api-key`.
   */
  readonly keyHeader?: string | undefined
  /**
   * Sent with every call, in addition to the key, such as `anthropic-beta`. The version of the API is `2023-06-01` unless
   * there is an `anthropic-version`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * What models take, by the beginning of their ids, such as `claude-opus-5` or the name of a deployment. It counts before
   * what is known about Anthropic's own models.
   */
  readonly models?: MessagesModels | undefined
  /**
   * The most input tokens of one image, for the reservation. Default 10,000: twice those of 3.75 megapixels, to which the
   * newest models scale images down.
   */
  readonly maxImageTokens?: number | undefined
  /**
   * The same for a file that is not text, such as a PDF, and for a part of an unknown type. Default 200,000: 100 pages at
   * 2,000 tokens.
   */
  readonly maxFileTokens?: number | undefined
  /**
   * The most output tokens of one answer, thinking included. It is sent, because the API requires a limit, if neither the
   * caller (`max_tokens`, `max_completion_tokens`) nor the endpoint (`maxCompletionTokens`) sets one. Default: that of the
   * model, and 64,000 for an unknown model.
   */
  readonly maxOutputTokens?: number | undefined
}

const anthropicUrl = "https://api.anthropic.com"

const optionTypes: OptionTypes<AnthropicOptions> = {
  apiKey: ["string", "object", "null"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  keyHeader: ["string"],
  headers: ["object"],
  models: ["object"],
  maxImageTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"]
}

/**
 * **Chats** are translated, and sent to `POST {baseUrl}/v1/messages`. Messages, tools, images, documents, JSON schemas,
 * reasoning with its signatures and marks for the prompt cache are expressed in the words of the API, and its answers in
 * those of chat. Left out is what the API has no word for: `seed`, penalties, `logit_bias`, `logprobs`, `n`, JSON without
 * a schema, and the sampling parameters of models that refuse them. A call that would lose more, such as one with
 * audio, is an `unsupported_parameter`, and nothing is sent.
 *
 * **Decisions** are answered by one chat for all questions, because the API has no logprobs. If the endpoint supports
 * `structured_outputs`, or its parameters are unknown, the model states probabilities (`stated`); else, or if it rejects
 * the schema, it names the best options (`discrete`). It thinks little.
 *
 * Failures are `UpstreamFailure`s with the usage so far. Throws a `RangeError` for an unknown option, or one of the wrong
 * type or out of range.
 *
 * @example
 * ```ts
 * import { anthropic } from "@signalbox/anthropic"
 *
 * const upstream = anthropic({ apiKey: process.env.ANTHROPIC_API_KEY })
 *
 * const gateway = anthropic({
 *   slug: "gateway",
 *   name: "Our gateway",
 *   baseUrl: "https://gateway.internal.example/anthropic",
 *   apiKey: process.env.GATEWAY_KEY,
 *   keyHeader: "authorization"
 * })
 * ```
 */
export const anthropic = (options: AnthropicOptions = {}): Upstream => {
  checkOptionTypes("anthropic", options, optionTypes)
  const { headers, maxFileTokens, maxImageTokens = 10_000, maxOutputTokens, models } = options
  for (const [name, most] of Object.entries({ maxImageTokens, maxFileTokens })) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${name} must be a whole number, got ${most}`)
    }
  }
  checkMaxOutputTokens("maxOutputTokens", maxOutputTokens)
  for (const [id, model] of Object.entries(models ?? {})) {
    checkMaxOutputTokens(`maxOutputTokens of ${id}`, model.maxOutputTokens)
  }
  const root = (options.baseUrl ?? anthropicUrl).replace(/\/+$/, "").replace(/\/v1$/, "")
  if (!/^https?:\/\/[^/]/i.test(root)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(`baseUrl must be an address such as ${anthropicUrl}`)
  }
  const apiKey = resolveHostKey({
    upstreamName: "anthropic",
    apiKey: options.apiKey,
    url: root,
    keyRequiredHost: "api.anthropic.com"
  })
  const keyHeader = (options.keyHeader ?? "x-api-key").toLowerCase()
  const url = `${root}/v1/messages`
  const chat = makeMessagesChat({
    getUrl: () => url,
    apiKey,
    keyHeader: keyHeader === "authorization" ? undefined : keyHeader,
    headers,
    models,
    maxImageTokens,
    maxFileTokens,
    maxOutputTokens
  })
  return {
    slug: options.slug ?? "anthropic",
    name: options.name ?? "Anthropic",
    chat,
    decisions: makeChatDecisions(chat, { maxImageTokens, assumedParameters })
  }
}

/** The newest models think in any case, so a Decision leaves room for that. */
const assumedParameters = ["max_tokens", "reasoning", "structured_outputs"]

const checkMaxOutputTokens = (name: string, tokens: number | undefined): void => {
  if (tokens !== undefined && (!Number.isSafeInteger(tokens) || tokens < 1)) {
    throw new RangeError(`${name} must be a whole number from 1, got ${tokens}`)
  }
}
