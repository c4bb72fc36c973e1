/** The options that all upstreams with the Messages API have, and what they check. */
import type { MessagesModels } from "@signalbox/core/dialects"
import type { OptionTypes } from "@signalbox/core/upstream"

/** How an upstream is called, what its models take, and what it reserves for a chat. */
export interface ChatOptions {
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. */
  readonly name?: string | undefined
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
   * The most input tokens of one image, for the reservation. Default 10,000: twice the tokens of 3.75 megapixels, to
   * which the newest models scale images down.
   */
  readonly maxImageTokens?: number | undefined
  /**
   * The same for a file that is not text, such as a PDF, and for a part of an unknown type. Default 200,000: 100 pages at
   * 2,000 tokens.
   */
  readonly maxFileTokens?: number | undefined
  /**
   * The most output tokens of one answer, thinking included. It is sent, because the API requires a limit, if neither
   * the caller (`max_tokens`, `max_completion_tokens`) nor the endpoint (`maxCompletionTokens`) sets one. Default: the
   * model's maximum, and 64,000 for an unknown model.
   */
  readonly maxOutputTokens?: number | undefined
}

export const chatOptionTypes: OptionTypes<ChatOptions> = {
  slug: ["string"],
  name: ["string"],
  headers: ["object"],
  models: ["object"],
  maxImageTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"]
}

/** Throws a `RangeError` for a value out of range. */
export const checkChatOptions = ({
  maxFileTokens,
  maxImageTokens,
  maxOutputTokens,
  models = {}
}: ChatOptions): void => {
  for (const [name, most] of Object.entries({ maxImageTokens, maxFileTokens })) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${name} must be a whole number, got ${most}`)
    }
  }
  checkMaxOutputTokens("maxOutputTokens", maxOutputTokens)
  for (const [id, model] of Object.entries(models)) {
    checkMaxOutputTokens(`maxOutputTokens of ${id}`, model.maxOutputTokens)
  }
}

const checkMaxOutputTokens = (name: string, tokens: number | undefined): void => {
  if (tokens !== undefined && (!Number.isSafeInteger(tokens) || tokens < 1)) {
    throw new RangeError(`${name} must be a whole number from 1, got ${tokens}`)
  }
}

/**
 * The URL under which `/v1/messages` is, without a slash at its end. One that ends in `/v1` means the same server. `example`
 * is what an error names.
 */
export const toRootUrl = (baseUrl: string, example: string): string => {
  const root = baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")
  if (!/^https?:\/\/[^/]/i.test(root)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(`baseUrl must be an address such as ${example}`)
  }
  return root
}

/** The hostname of an address that `toRootUrl` accepts. */
export const getHostname = (root: string): string =>
  /^https?:\/\/(?:[^/?#]*@)?([^/:?#]*)/i.exec(root)?.[1]?.toLowerCase() ?? ""
