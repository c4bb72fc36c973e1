/** Makes an upstream of a server with OpenAI's APIs, for chats, Decisions and embeddings. */
import {
  chatIds,
  type ChatServerModel,
  findResponsesModel,
  makeChatFit,
  makeResponsesChat,
  rememberModels,
  type ResponsesModels
} from "@signalbox/core/dialects"
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
import { findServerQuirks } from "./serverQuirks.ts"

/** Where a server is, and how it differs from others with the same APIs. */
export interface ChatServer
  extends
    Pick<
      ChatEndpoint,
      | "apiKey"
      | "keyHeader"
      | "readsThinkTags"
      | "refusedFields"
      | "serverFields"
      | "signer"
      | "takesCacheMarks"
      | "takesStreamOptions"
    >,
    Pick<Upstream, "authors" | "listedAs"> {
  readonly slug: string
  readonly name: string
  /** The URL under which `/chat/completions` and `/responses` are, without a slash at its end. */
  readonly baseUrl: string
  readonly checksParameters: boolean
  /** Whether the results of tools may hold media; absent: unknown. */
  readonly takesToolMedia?: boolean
  /** What models take there that is known of no other server, by their names there. */
  readonly findModel?: ((model: string) => ChatServerModel) | undefined
  /** What Decisions assume of an endpoint without a list of parameters; absent: what most servers support. */
  readonly assumedParameters?: ChatDecisionOptions["assumedParameters"]
  /** The format of encrypted reasoning; absent: OpenAI's. */
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
    ...(server.listedAs === undefined ? undefined : { listedAs: server.listedAs }),
    ...(server.authors === undefined ? undefined : { authors: server.authors }),
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
  const { readsThinkTags, refusedFields, takesCacheMarks, takesStreamOptions } = server
  const known =
    server.serverFields === undefined ? undefined : { serverFields: server.serverFields }
  const { api = "chat", headers, maxOutputTokens = 128_000, models } = options
  const { maxAudioTokens, maxFileTokens, maxVideoTokens } = options
  const credentials = { apiKey, keyHeader, signer, headers }
  const perPart = { maxImageTokens, maxAudioTokens, maxVideoTokens, maxFileTokens }
  const endpoint = { ...credentials, ...perPart, maxOutputTokens }
  const checks = options.checksParameters ?? server.checksParameters
  const findModel = rememberModels(makeModelFinder(options, server))
  const chat: ChatCapability = {
    ...makeChatCompletions({
      ...endpoint,
      url: `${baseUrl}/chat/completions`,
      fit: makeChatFit(findModel),
      ...known,
      readsThinkTags,
      refusedFields,
      takesCacheMarks,
      takesStreamOptions
    }),
    ...(checks ? { checksParameters: true } : undefined)
  }
  if (api === "chat") return chat
  const url = `${baseUrl}/responses`
  const responses = makeResponsesChat({ ...endpoint, ...known, url, models, reasoningFormat })
  if (api === "responses") return responses
  return { ...chooseChat((model) => (api(model) === "responses" ? responses : chat)), ...known }
}

/** What is known of the server counts before what is known of the model anywhere, and what the host says before both. */
const makeModelFinder =
  (
    { models, slug: given, takesToolMedia: told }: ChatOptions,
    { baseUrl, findModel, refusedFields = [], slug, takesToolMedia }: ChatServer
  ) =>
  (model: string): ChatServerModel => ({
    reasoningParameters: ["reasoning_effort"],
    ...(wantsReasoningContent(model) && !refusedFields.includes("reasoning_content")
      ? { reasoningField: "reasoning_content" }
      : undefined),
    takesToolMedia: told ?? takesToolMedia,
    callIds: chatIds,
    ...findServerQuirks({ baseUrl, slug: given ?? slug }, model),
    ...findResponsesModel(model),
    ...findModel?.(model),
    ...(models === undefined ? undefined : findToldModel(model, models))
  })

/** Undefined for a model that the host does not describe. */
const findToldModel = (model: string, models: ResponsesModels): ChatServerModel | undefined => {
  const told = findResponsesModel(model, models)
  return Object.values(models).includes(told) ? told : undefined
}

/**
 * Models that want their reasoning back in `reasoning_content` wherever they are served, as
 * https://github.com/anomalyco/models.dev says of them (`interleaved.field`).
 */
const wantsReasoningContent = (model: string): boolean =>
  /(?:^|[/.])(?:deepseek|glm-|kimi|mimo|minimax|moonshot)/i.test(model)
