/** Chats at a provider with Anthropic's Messages API: Anthropic, and the clouds that sell its models. */
import * as Result from "effect/Result"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import { type ChatDialect, type DialectEndpoint, makeDialectChat } from "../makeDialectChat.ts"
import { rememberModels } from "../rememberModels.ts"
import { addMessagesHeaders, versionHeader } from "./addMessagesHeaders.ts"
import { toMessagesFailure } from "./findMessagesFailure.ts"
import { makeMessagesEventReader } from "./readEvents.ts"
import { findMessagesModel, type MessagesModel, type MessagesModels } from "./MessagesModel.ts"
import { parseMessagesAnswer } from "./readAnswer.ts"
import { repairMessage } from "./repairMessage.ts"
import { passOnMessages } from "./passOnMessages.ts"
import { writeMessagesRequest } from "./writeRequest.ts"

/** How a provider differs from Anthropic itself. */
export interface MessagesDialectOptions {
  /** Facts about models, which take precedence over the built-in ones. */
  readonly models?: MessagesModels | undefined
  /** Whether images and documents may be URLs: not on Bedrock and Vertex. Default true. */
  readonly takesUrls?: boolean | undefined
  /**
   * For a provider whose URLs name the model: its `anthropic_version`, such as `vertex-2023-10-16`, which is sent in the
   * body instead of the model, and instead of the header `anthropic-version`.
   */
  readonly bodyVersion?: string | undefined
}

/** The address of a provider, its credential, and how it differs from Anthropic itself. */
export interface MessagesEndpoint
  extends Omit<DialectEndpoint, "dialect" | "maxOutputTokens">, MessagesDialectOptions {
  /** The maximum length of an answer in tokens, unless the call sets one. Default: the model's maximum. */
  readonly maxOutputTokens?: number | undefined
}

/**
 * Each call is one request to `getUrl`. Without `keyHeader` the key is sent as `Authorization: Bearer`. The version of
 * the API comes from the header `anthropic-version` in `headers`; default: `2023-06-01`.
 */
export const makeMessagesChat = (endpoint: MessagesEndpoint): ChatCapability => {
  const { bodyVersion, headers, maxOutputTokens, models } = endpoint
  const findModel = rememberModels((model) => findMessagesModel(model, models))
  const chat = makeDialectChat({
    ...endpoint,
    headers: bodyVersion === undefined ? withVersion(headers) : headers,
    maxOutputTokens: maxOutputTokens ?? ((model: string) => findModel(model).maxOutputTokens),
    dialect: makeMessagesDialect(endpoint, findModel)
  })
  return { ...chat, refusesPrefill: (model) => !findModel(model).takesPrefill }
}

const withVersion = (headers: DialectEndpoint["headers"] = {}): DialectEndpoint["headers"] =>
  Object.keys(headers).some((name) => name.toLowerCase() === versionHeader)
    ? headers
    : { ...headers, [versionHeader]: "2023-06-01" }

const makeMessagesDialect = (
  { bodyVersion, takesUrls = true }: MessagesDialectOptions,
  findModel: (model: string) => MessagesModel
): ChatDialect => ({
  writeRequest: (conversation, { isStreamed, maxOutputTokens, model }, changes) => {
    const { takesSampling, takesSystemTurns, thinking, ...facts } = findModel(model)
    const written = writeMessagesRequest(conversation, {
      ...(bodyVersion === undefined ? { model } : undefined),
      maxOutputTokens,
      changes,
      takesSampling,
      takesSystemTurns,
      takesTopPBesideTemperature: false,
      takesUrls,
      thinking,
      limitsCacheMarks: true,
      fitsTools: true,
      efforts: facts.efforts,
      unthinkingEfforts: facts.unthinkingEfforts,
      forcedTools: facts.forcedTools
    })
    if (bodyVersion === undefined && !isStreamed) return written
    return Result.map(written, (body) => ({
      ...(bodyVersion === undefined ? undefined : { anthropic_version: bodyVersion }),
      ...body,
      ...(isStreamed ? { stream: true } : undefined)
    }))
  },
  name: "messages",
  passOn: (body, call, changes) =>
    passOnMessages(body, call, {
      bodyVersion,
      changes,
      model: findModel(call.model),
      takesUrls
    }),
  addHeaders: (request, given) => addMessagesHeaders(request, given, bodyVersion),
  parseAnswer: parseMessagesAnswer,
  makeEventReader: makeMessagesEventReader,
  toFailure: toMessagesFailure,
  reasoningFamily: "anthropic",
  markNative: repairMessage
})
