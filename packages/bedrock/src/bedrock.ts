/** An upstream with the models of Amazon Bedrock. */
import { makeChatFit, makeMessagesChat, thinkingParameters } from "@signalbox/core/dialects"
import {
  type ChatCapability,
  checkOptionTypes,
  chooseChat,
  makeChatCompletions,
  makeChatDecisions,
  type OptionTypes,
  type Upstream
} from "@signalbox/core/upstream"
import * as Redacted from "effect/Redacted"
import { type AwsCredentialProvider, type AwsCredentials, makeAwsSigner } from "./makeAwsSigner.ts"

/** The region, and either `credentials` or `apiKey`. */
export interface BedrockOptions {
  /** Such as `us-east-1`. */
  readonly region: string
  /** Keys of AWS, or what provides them. Null: only customers' own credentials are used, which are Bedrock API keys. */
  readonly credentials?: AwsCredentialProvider | AwsCredentials | null | undefined
  /** A Bedrock API key, sent as `Authorization: Bearer`, instead of `credentials`. */
  readonly apiKey?: string | Redacted.Redacted | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `amazon-bedrock`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `Amazon Bedrock`. */
  readonly name?: string | undefined
  /** The URL under which the APIs are. Default `https://bedrock-mantle.{region}.api.aws`. */
  readonly baseUrl?: string | undefined
  /** The most input tokens of one image, for the reservation. Default 50,000. */
  readonly maxImageTokens?: number | undefined
  /**
   * The most output tokens of an answer that neither the caller nor the endpoint limits. Default: the model's maximum
   * for Claude, whose requests always have a limit, and 128,000 for other models.
   */
  readonly maxOutputTokens?: number | undefined
}

const optionTypes: OptionTypes<BedrockOptions> = {
  region: ["string"],
  credentials: ["object", "function", "null"],
  apiKey: ["string", "object"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  maxImageTokens: ["number"],
  maxOutputTokens: ["number"]
}

/**
 * Chats and Decisions with the models of Bedrock, each by its own API: Claude (`anthropic.claude-…`) by Messages, the others by OpenAI's
 * chat completions. `model` of an endpoint is Bedrock's id of the model. Requests are signed with Signature Version
 * 4, anew for each attempt, or carry an API key. Media must not be URLs for Claude, and the older `InvokeModel` API is not
 * used, because its streams are not server-sent events.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { bedrock } from "@signalbox/bedrock"
 *
 * const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
 * const upstream = bedrock({
 *   region: "us-east-1",
 *   credentials: {
 *     accessKeyId: AWS_ACCESS_KEY_ID ?? "",
 *     secretAccessKey: AWS_SECRET_ACCESS_KEY ?? ""
 *   }
 * })
 * ```
 */
export const bedrock = (options: BedrockOptions): Upstream => {
  checkOptionTypes("bedrock", options, optionTypes)
  const { maxImageTokens = 50_000, maxOutputTokens, name, region, slug } = options
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) {
    throw new RangeError(`region must be a region of AWS such as us-east-1, got ${region}`)
  }
  const baseUrl = (options.baseUrl ?? `https://bedrock-mantle.${region}.api.aws`).replace(
    /\/+$/,
    ""
  )
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(
      "baseUrl must be an address such as https://bedrock-mantle.us-east-1.api.aws"
    )
  }
  checkTokens("maxImageTokens", maxImageTokens, 0)
  checkTokens("maxOutputTokens", maxOutputTokens, 1)
  const common = { ...resolveCredential(options), maxImageTokens }
  const claude = makeMessagesChat({
    ...common,
    headers: undefined,
    getUrl: () => `${baseUrl}/anthropic/v1/messages`,
    takesUrls: false,
    maxOutputTokens
  })
  const makeOpenAiChat = (prefix: string, isOpenAi: boolean): ChatCapability =>
    makeChatCompletions({
      ...common,
      fit: makeChatFit(() => ({
        reasoningParameters: ["reasoning_effort"],
        takesAllowedTools: isOpenAi,
        takesDeveloper: isOpenAi
      })),
      url: `${baseUrl}${prefix}/chat/completions`,
      maxOutputTokens: maxOutputTokens ?? 128_000
    })
  const openai = makeOpenAiChat("/openai/v1", true)
  const others = makeOpenAiChat("/v1", false)
  const chat = chooseChat((model) => {
    if (claudePattern.test(model)) return claude
    return openAiPattern.test(model) ? openai : others
  })
  return {
    slug: slug ?? "amazon-bedrock",
    name: name ?? "Amazon Bedrock",
    // Prices of other regions differ: https://aws.amazon.com/bedrock/pricing/
    ...(options.baseUrl === undefined && /^us-(?:east|west)-\d$/.test(region)
      ? { listedAs: "amazon-bedrock" }
      : undefined),
    chat,
    decisions: makeChatDecisions(chat, {
      maxImageTokens,
      assumedParameters: (model) => (claudePattern.test(model) ? thinkingParameters : undefined)
    })
  }
}

const checkTokens = (option: string, tokens: number | undefined, atLeast: number): void => {
  if (tokens !== undefined && (!Number.isSafeInteger(tokens) || tokens < atLeast)) {
    throw new RangeError(`${option} must be a whole number from ${atLeast}, got ${tokens}`)
  }
}

/** With or without the geography of an inference profile. */
const claudePattern = /^(?:[a-z-]+\.)?anthropic\./

/** Served under `/openai/v1` only. */
const openAiPattern = /^(?:[a-z-]+\.)?(?:openai\.gpt-(?!oss)|google\.gemma-4|xai\.)/

const resolveCredential = ({ apiKey, credentials, region }: BedrockOptions) => {
  if (apiKey !== undefined && credentials !== undefined) {
    throw new RangeError("bedrock: pass either apiKey or credentials, not both")
  }
  if (apiKey !== undefined) {
    const key = Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(apiKey)
    if (Redacted.value(key) === "") {
      throw new RangeError("bedrock: apiKey is empty; is the variable that holds it set?")
    }
    return { apiKey: key }
  }
  if (credentials === null) return { apiKey: undefined }
  if (credentials === undefined) {
    throw new RangeError(
      "bedrock: credentials are missing. Pass keys of AWS, a provider of them or an apiKey; to use only customers' own credentials, pass credentials: null"
    )
  }
  if (
    typeof credentials !== "function" &&
    !(credentials.accessKeyId && credentials.secretAccessKey)
  ) {
    throw new RangeError(
      "bedrock: accessKeyId or secretAccessKey is empty; are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set?"
    )
  }
  return {
    apiKey: undefined,
    signer: makeAwsSigner({ credentials, region, service: "bedrock-mantle" })
  }
}
