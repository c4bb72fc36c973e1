/** An upstream with Anthropic's Messages API, for chats and Decisions. */
import {
  checkOptionTypes,
  type OptionTypes,
  resolveHostKey,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { type ChatOptions, chatOptionTypes, toRootUrl } from "./ChatOptions.ts"
import { makeMessagesUpstream } from "./makeMessagesUpstream.ts"

/**
 * By default the upstream is Anthropic itself, which needs an `apiKey`. The slug defaults to `anthropic`, the name to
 * `Anthropic`.
 */
export interface AnthropicOptions extends ChatOptions {
  /**
   * Sent as `x-api-key`. Required for Anthropic itself; null means that only customers' own credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /**
   * The URL under which `/v1/messages` is, or the one that ends in `/v1`. Default `https://api.anthropic.com`.
   */
  readonly baseUrl?: string | undefined
  /**
   * The header of the key, and of customers' own, such as `api-key`. `authorization` sends it as `Bearer`. Default
   * `x-api-key`.
   */
  readonly keyHeader?: string | undefined
}

const optionTypes: OptionTypes<AnthropicOptions> = {
  apiKey: ["string", "object", "null"],
  baseUrl: ["string"],
  keyHeader: ["string"],
  ...chatOptionTypes
}

/**
 * **Chats** are translated, and sent to `POST {baseUrl}/v1/messages`. Messages, tools, images, documents, JSON schemas,
 * reasoning with its signatures and marks for the prompt cache are expressed in the words of the API, and its answers in
 * those of chat. Left out is what the API has no word for: `seed`, penalties, `logit_bias`, `logprobs`, JSON without
 * a schema, and the sampling parameters of models that refuse them. A call that would lose more, such as one with
 * audio or for several answers, is an `unsupported_parameter`, and nothing is sent.
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
  const root = toRootUrl(options.baseUrl ?? anthropicUrl, anthropicUrl)
  const keyHeader = (options.keyHeader ?? "x-api-key").toLowerCase()
  return makeMessagesUpstream(options, {
    slug: "anthropic",
    name: "Anthropic",
    root,
    ...(root === anthropicUrl ? { listedAs: "anthropic", authors: ["anthropic"] } : undefined),
    apiKey: resolveHostKey({
      upstreamName: "anthropic",
      apiKey: options.apiKey,
      url: root,
      keyRequiredHost: "api.anthropic.com"
    }),
    keyHeader: keyHeader === "authorization" ? undefined : keyHeader
  })
}

const anthropicUrl = "https://api.anthropic.com"
