/** Makes an upstream of a server with OpenAI's APIs, for chats, Decisions and embeddings. */
import { makeResponsesChat } from "@signalbox/core/dialects"
import {
  type ChatCapability,
  type ChatDecisionOptions,
  type ChatEndpoint,
  chooseChat,
  type EmbeddingCapability,
  type EmbeddingEndpoint,
  makeChatCompletions,
  makeChatDecisions,
  makeEmbeddings,
  makeProbe,
  type Upstream
} from "@signalbox/core/upstream"
import { type ChatOptions, checkChatOptions } from "./ChatOptions.ts"

/** Where a server is, and how it differs from others with the same APIs. */
export interface ChatServer extends Pick<
  ChatEndpoint,
  "apiKey" | "keyHeader" | "refusedFields" | "signer" | "takesCacheMarks" | "takesStreamOptions"
> {
  readonly slug: string
  readonly name: string
  /** The URL under which `/chat/completions` and `/responses` are, without a slash at its end. */
  readonly baseUrl: string
  readonly checksParameters: boolean
  /** What Decisions assume of an endpoint without a list of parameters; absent: what most servers support. */
  readonly assumedParameters?: ChatDecisionOptions["assumedParameters"]
  /** Of encrypted reasoning; absent: OpenAI's. */
  readonly reasoningFormat?: string
  /** How it makes embeddings; absent: it makes none. */
  readonly embeddings?: Pick<EmbeddingEndpoint, "maxInputs" | "takesEncoding"> | undefined
}

/** The options count before the server. Throws a `RangeError` for an option out of range. */
export const makeChatUpstream = (options: ChatOptions, server: ChatServer): Upstream => {
  checkChatOptions(options)
  const { maxImageTokens = 50_000, minLabelMass } = options
  const chat = makeChat(options, server, maxImageTokens)
  return {
    slug: options.slug ?? server.slug,
    name: options.name ?? server.name,
    chat,
    probe: makeProbe({
      url: `${server.baseUrl}/models`,
      apiKey: server.apiKey,
      keyHeader: server.keyHeader,
      signer: server.signer,
      headers: options.headers
    }),
    decisions: makeChatDecisions(chat, {
      maxImageTokens,
      minLabelMass,
      assumedParameters: server.assumedParameters
    }),
    ...(server.embeddings === undefined
      ? undefined
      : { embeddings: makeServerEmbeddings(options, server, server.embeddings, maxImageTokens) })
  }
}

const makeServerEmbeddings = (
  { headers, maxEmbeddingInputs, ...options }: ChatOptions,
  { apiKey, baseUrl, keyHeader, signer, ...server }: ChatServer,
  { maxInputs, takesEncoding }: NonNullable<ChatServer["embeddings"]>,
  maxImageTokens: number
): EmbeddingCapability =>
  makeEmbeddings({
    url: `${baseUrl}/embeddings`,
    apiKey,
    keyHeader,
    signer,
    headers,
    maxImageTokens,
    maxAudioTokens: options.maxAudioTokens,
    maxVideoTokens: options.maxVideoTokens,
    maxFileTokens: options.maxFileTokens,
    takesEncoding,
    maxInputs: maxEmbeddingInputs ?? maxInputs,
    checksParameters: options.checksParameters ?? server.checksParameters
  })

const makeChat = (
  options: ChatOptions,
  server: ChatServer,
  maxImageTokens: number
): ChatCapability => {
  const { apiKey, baseUrl, keyHeader, reasoningFormat, signer } = server
  const { refusedFields, takesCacheMarks, takesStreamOptions } = server
  const { api = "chat", headers, maxOutputTokens = 128_000, models } = options
  const { maxAudioTokens, maxFileTokens, maxVideoTokens } = options
  const credentials = { apiKey, keyHeader, signer, headers }
  const perPart = { maxImageTokens, maxAudioTokens, maxVideoTokens, maxFileTokens }
  const endpoint = { ...credentials, ...perPart, maxOutputTokens }
  const checks = options.checksParameters ?? server.checksParameters
  const chat: ChatCapability = {
    ...makeChatCompletions({
      ...endpoint,
      url: `${baseUrl}/chat/completions`,
      refusedFields,
      takesCacheMarks,
      takesStreamOptions
    }),
    ...(checks ? { checksParameters: true } : undefined)
  }
  if (api === "chat") return chat
  const url = `${baseUrl}/responses`
  const responses = makeResponsesChat({ ...endpoint, url, models, reasoningFormat })
  if (api === "responses") return responses
  return chooseChat((model) => (api(model) === "responses" ? responses : chat))
}
