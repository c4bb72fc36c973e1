/** The options that all upstreams with OpenAI's APIs have, and what they check. */
import type { ResponsesModels } from "@signalbox/core/dialects"
import type { OptionTypes } from "@signalbox/core/upstream"

/** An API for chats: `chat` is `POST /chat/completions`, `responses` is `POST /responses`. */
export type OpenAiApi = "chat" | "responses"

/** How an upstream chats, and what it reserves for a chat. */
export interface ChatOptions {
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. */
  readonly name?: string | undefined
  /** Sent with every call, in addition to the authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The API for chats; a function gets the model's name at the upstream. Default `chat`. With `responses` a chat is
   * translated, readable reasoning comes back, and encrypted reasoning is returned in the next turn. The API has no
   * `stop`, `seed`, penalties and `logit_bias`, so these are left out, and a call for several answers is an
   * `unsupported_parameter`.
   */
  readonly api?: OpenAiApi | ((model: string) => OpenAiApi) | undefined
  /**
   * Whether models reason, by the beginning of their names, such as `gpt-5`, or by the name of a deployment, before what is
   * known about OpenAI's own. For the API `responses`: models that reason get no `temperature` and `top_p`, and others no
   * `reasoning`. An unknown model gets all. Decisions at OpenAI and Azure ask models that reason to reason little, unless the
   * endpoint lists its parameters.
   */
  readonly models?: ResponsesModels | undefined
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
  /** The most inputs of one request for embeddings; more are sent in several. Default: the provider's maximum. */
  readonly maxEmbeddingInputs?: number | undefined
  /**
   * Whether the results of tools may hold images and files at the server. False: these follow in a message of the user,
   * right behind the results. Default: for callers of the chat API they stay; for callers of other APIs they follow,
   * unless the provider is known to take them.
   */
  readonly takesToolMedia?: boolean | undefined
  /**
   * Whether the server rejects parameters that a model does not support, instead of ignoring them. Then endpoints without
   * `supportedParameters` satisfy `require_parameters`. It counts for the API `chat` only.
   */
  readonly checksParameters?: boolean | undefined
}

export const chatOptionTypes: OptionTypes<ChatOptions> = {
  slug: ["string"],
  name: ["string"],
  headers: ["object"],
  api: ["string", "function"],
  models: ["object"],
  minLabelMass: ["number"],
  maxImageTokens: ["number"],
  maxAudioTokens: ["number"],
  maxVideoTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"],
  maxEmbeddingInputs: ["number"],
  takesToolMedia: ["boolean"],
  checksParameters: ["boolean"]
}

/** Throws a `RangeError` for a value out of range. */
export const checkChatOptions = (options: ChatOptions): void => {
  const { api, maxEmbeddingInputs, maxOutputTokens } = options
  const { maxAudioTokens, maxFileTokens, maxImageTokens, maxVideoTokens } = options
  const perPart = { maxImageTokens, maxAudioTokens, maxVideoTokens, maxFileTokens }
  for (const [name, most] of Object.entries(perPart)) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${name} must be a whole number, got ${most}`)
    }
  }
  for (const [name, most] of Object.entries({ maxOutputTokens, maxEmbeddingInputs })) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 1)) {
      throw new RangeError(`${name} must be a whole number from 1, got ${most}`)
    }
  }
  if (typeof api === "string" && api !== "chat" && api !== "responses") {
    throw new RangeError('api must be "chat", "responses" or a function of the model\'s name')
  }
}

/** Without slashes at the end. Throws a `RangeError` for a text that is not an address. */
export const toBaseUrl = (url: string, example: string): string => {
  const baseUrl = url.replace(/\/+$/, "")
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(`baseUrl must be an address such as ${example}`)
  }
  return baseUrl
}

/** The hostname of an address that `toBaseUrl` accepts. */
export const getHostname = (baseUrl: string): string =>
  /^https?:\/\/(?:[^/?#]*@)?([^/:?#]*)/i.exec(baseUrl)?.[1]?.toLowerCase() ?? ""
