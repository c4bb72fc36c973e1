/** Chats at a provider with Anthropic's Messages API: Anthropic, and the clouds that sell its models. */
import * as Result from "effect/Result"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import { findJson, isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import {
  type ChatDialect,
  type DialectEndpoint,
  type HeadedRequest,
  makeDialectChat
} from "../makeDialectChat.ts"
import { rememberModels } from "../rememberModels.ts"
import { findMessagesModel, type MessagesModel, type MessagesModels } from "./MessagesModel.ts"
import { toMessagesFailure } from "./findMessagesFailure.ts"
import { passOnMessages } from "./passOnMessages.ts"
import { type CallIds, makeCallIds, parseMessagesAnswer, writeInput } from "./readAnswer.ts"
import { makeMessagesEventReader } from "./readEvents.ts"
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

/**
 * Adds the caller's headers; its betas join those of the host. A provider whose `bodyVersion` replaces the version
 * header takes betas in the body, too:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html.
 * The caller's headers are not secret, so answers and errors may repeat them.
 */
export const addMessagesHeaders = (
  request: HeadedRequest,
  given: Readonly<Record<string, string>>,
  bodyVersion: string | undefined
): HeadedRequest => {
  const { body, headers = {} } = request
  const { [betaHeader]: beta, [versionHeader]: version } = given
  if (beta === undefined && (version === undefined || bodyVersion !== undefined)) return request
  if (bodyVersion !== undefined) {
    const betas = listBetas([...toTexts(body["anthropic_beta"]), ...toTexts([beta])])
    return { ...request, body: { ...body, anthropic_beta: betas } }
  }
  const ofHost = Object.keys(headers).flatMap((name) =>
    name.toLowerCase() === betaHeader ? [headers[name] ?? ""] : []
  )
  return {
    ...request,
    nonSecretHeaders: omitUndefined({
      [versionHeader]: version,
      [betaHeader]:
        beta === undefined || ofHost.length === 0 ? beta : listBetas([...ofHost, beta]).join(",")
    })
  }
}

const versionHeader = "anthropic-version"
const betaHeader = "anthropic-beta"

const listBetas = (lists: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(lists.flatMap((list) => list.split(",")).flatMap((beta) => beta.trim() || [])))

const toTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

type Json = Readonly<Record<string, unknown>>

/** A message, or an event of a stream: content is a list, calls have ids, and their input is an object. The same object if so. */
const repairMessage = (json: Json): Json => {
  const { content, content_block: block, type } = json
  if (type === "content_block_start") {
    const repaired = repairBlock(block, makeCallIds())
    return repaired === block ? json : { ...json, content_block: repaired }
  }
  if (typeof content === "string") return { ...json, content: [{ type: "text", text: content }] }
  if (!Array.isArray(content)) return json
  const makeId = makeCallIds()
  let isRepaired = false
  const repaired = content.map((each: unknown) => {
    const other = repairBlock(each, makeId)
    if (other !== each) isRepaired = true
    return other
  })
  return isRepaired ? { ...json, content: repaired } : json
}

const repairBlock = (block: unknown, makeId: CallIds): unknown => {
  if (!isObject(block) || block["type"] !== "tool_use") return block
  const { input } = block
  const id = makeId(block["id"])
  if (id === block["id"] && typeof input !== "string") return block
  return { ...block, id, input: typeof input === "string" ? findJson(writeInput(input)) : input }
}
