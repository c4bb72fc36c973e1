/** Parses chat requests, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import type { NativeRequest } from "../../../conversation/Dialect.ts"
import type { ChatApiName } from "../../../engine/observability/generations/Generation.ts"
import { findMediaProblem } from "../../../engine/outbound/findMediaProblem.ts"
import type { DialectHeaders } from "../../../engine/upstreams/ChatCapability.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import { listMessages } from "../../../engine/upstreams/openaiChat/ChatBody.ts"
import { findPreferenceProblem } from "../../../routing/Preferences.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  makeFlattenExtra,
  makeTextParser,
  omitNull,
  type AppliedPreset,
  type ParseOptions,
  type ParseResult,
  requireJsonObject,
  selectFields
} from "../../../routing/parseRequest.ts"
import type { Screenable } from "../../../routing/filters/ContentFilters.ts"
import { JsonSize } from "../../../values/json/JsonSize.ts"
import { estimateTextTokens } from "../../../values/usage/TokenUsage.ts"
import { makeFastDecoder } from "../../../values/validation/makeFastDecoder.ts"
import type { Said } from "../said/Said.ts"
import { SaidInMessages } from "../said/SaidInMessages.ts"
import { type ChatFields, ChatRequest } from "./ChatRequest.ts"
import { findItemCountProblem, findRangeProblem } from "./findChatCountProblem.ts"
import { findToolNeeds, type ToolNeeds } from "./findToolNeeds.ts"
import {
  asksForEcho,
  asksForHealing,
  findCompression,
  isIgnorable,
  listIgnoredParameters,
  pickServerFields
} from "./listIgnoredParameters.ts"

/** A valid chat request, with the fields of the router apart from the parameters of the model. */
export interface ParsedChat extends ToolNeeds, Screenable {
  /** The fields of the router, with the parameters of the model unchecked beside them. */
  readonly request: ChatFields
  /** The names of parameters that the router neither implements nor passes on. */
  readonly ignored: ReadonlyArray<string>
  /** Those of them that some servers know, such as `plugins`, even if they ask for nothing; absent: none. */
  readonly serverFields?: Readonly<Record<string, unknown>>
  /** The caller's request, in the caller's API. */
  readonly native: NativeChat
  /** Whether an answer that is almost JSON is repaired; absent: no. */
  readonly isHealed?: true
  /** The fields that ask to leave messages out of a prompt that is too long; false: none may be. Absent: none asks. */
  readonly compression?: ReadonlyArray<string> | false
  /** Whether the first chunk of the answer shows the request that its provider got; absent: no. */
  readonly isEchoed?: true
  /** The content, for facts and for providers with another API. */
  readonly said: Said
  /** The parameters of the model by their names in the chat API, in which the catalog and restrictions speak of them. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The requested models in order, without duplicates; empty: the default of the workspace. */
  readonly models: ReadonlyArray<string>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** Of the content sent to the provider: an upper bound of its tokens. */
  readonly size: JsonSize
  /** The kinds of media in the messages, each once; absent: there are none. */
  readonly inputs?: ReadonlyArray<PromptMedium["type"]>
  /** The number of images in the messages. */
  readonly images: number
  /** The estimated length of the prompt in tokens. */
  readonly inputTokens: number
  /** The maximum length of the answer in tokens; absent: the request sets none. */
  readonly maxOutputTokens?: number
  /** Headers of the caller for providers of one dialect; absent: none. */
  readonly dialectHeaders?: DialectHeaders
  /** The preset whose settings it has; absent: none. */
  readonly preset?: AppliedPreset
}

/** A request in the API of its caller. */
export interface NativeChat extends NativeRequest {
  readonly dialect: ChatApiName | "chat"
  /** Where the request has what only providers with this API can serve, such as `tools.3`; absent: others can. */
  readonly neededAt?: string
  /** Where the request lets a provider with this API answer with a model of its own choice; absent: nowhere. */
  readonly choosesModelAt?: string
  /** Fields that only providers with this API are sent; absent: none. */
  readonly fields?: ReadonlyArray<string>
}

/** The API of a caller; undefined: OpenAI's chat API. */
export const findApiName = ({ native: { dialect } }: ParsedChat): ChatApiName | undefined =>
  dialect === "chat" ? undefined : dialect

const routerFields: ReadonlySet<string> = new Set([
  "messages",
  "model",
  "models",
  "provider",
  "stream",
  "stream_options",
  "session_id",
  "trace",
  "user",
  "usage"
])

/** Whether a field of a chat is for the router, so that no provider gets it. */
export const isRouterField = (name: string): boolean => routerFields.has(name) || isIgnorable(name)

const decode = makeFastDecoder(ChatRequest)

/** Parses JSON that has been read already. A field that is null counts as absent, because clients mean that. */
export const decodeChatRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedChat> => {
  const { bytes, settings } = options
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const fields = omitNull(body.success)
  const problem =
    findItemCountProblem(fields, settings) ??
    findPreferenceProblem(fields["provider"]) ??
    findRangeProblem(fields)
  if (problem !== undefined) return Result.fail(problem)
  const decoded = decodeFields(decode, fields, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const request = decoded.success
  const inMessages = findMediaProblem(fields["messages"], settings, "messages")
  if (inMessages !== undefined) {
    return failInvalid(["messages", ...inMessages.path], inMessages.problem)
  }
  // From the JSON, because the decoder rebuilds objects and a key may be `__proto__`.
  const messages = listMessages(fields["messages"])
  const parameters = selectFields(fields, (name) => !isRouterField(name))
  const inParameters = findMediaProblem(parameters, settings)
  if (inParameters !== undefined) return failInvalid(inParameters.path, inParameters.problem)
  const said = new SaidInMessages(messages)
  const media = said.listMedia()
  const parsed: { -readonly [K in keyof ParsedChat]: ParsedChat[K] } = {
    request,
    ignored: listIgnoredParameters(fields, {
      format: fields["response_format"],
      isChatStream: fields["stream"] === true
    }),
    native: { dialect: "chat", body: { ...parameters, messages } },
    said,
    parameters,
    models: listModels(request),
    bytes,
    size: new JsonSize({ messages, parameters }),
    images: countImages(media),
    inputTokens: estimatePromptTokens(media, bytes)
  }
  const inputs = listInputs(media)
  if (inputs !== undefined) parsed.inputs = inputs
  const maxOutputTokens = findMaxOutput(request)
  if (asksForHealing(fields, fields["response_format"])) parsed.isHealed = true
  if (asksForEcho(fields)) parsed.isEchoed = true
  const compression = findCompression(fields)
  if (compression !== undefined) parsed.compression = compression
  if (maxOutputTokens !== undefined) parsed.maxOutputTokens = maxOutputTokens
  const serverFields = pickServerFields(fields)
  if (serverFields !== undefined) parsed.serverFields = serverFields
  const { serverTools, toolModels } = findToolNeeds("chat", parameters, serverFields?.["plugins"])
  if (serverTools !== undefined) parsed.serverTools = serverTools
  if (toolModels !== undefined) parsed.toolModels = toolModels
  if (options.preset !== undefined) parsed.preset = options.preset
  return Result.succeed(parsed)
}

export const parseChatRequest = makeTextParser(decodeChatRequest)

export const listModels = ({
  model,
  models = []
}: Pick<ChatFields, "model" | "models">): ReadonlyArray<string> =>
  model !== undefined && models.length === 0
    ? [model]
    : Array.from(new Set(model === undefined ? models : [model, ...models]))

export const findMaxOutput = ({
  max_completion_tokens = Infinity,
  max_tokens = Infinity
}: ChatFields): number | undefined => {
  const most = Math.min(max_completion_tokens, max_tokens)
  return most === Infinity ? undefined : most
}

/** Fails on a field of the router and on a duplicate name, because one of the two values would be lost. */
export const flattenExtra = makeFlattenExtra(isRouterField)

/** Counts images of any source, also in results of calls. */
export const countImages = (media: ReadonlyArray<PromptMedium>): number => {
  let images = 0
  for (const { type } of media) if (type === "image") images++
  return images
}

/** The kinds of media, each once; undefined: the prompt has none. */
export const listInputs = (
  media: ReadonlyArray<PromptMedium>
): ReadonlyArray<PromptMedium["type"]> | undefined =>
  // A file of text is text for every model.
  media.length === 0
    ? undefined
    : Array.from(new Set(media.flatMap(({ isText, type }) => (isText === true ? [] : [type]))))

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerMedium = 1_000

/** The bytes in the JSON of a medium around its address or its data. */
const bytesAround = 30

/** Estimated from the bytes of the whole request without its media, plus a constant for each of those. */
export const estimatePromptTokens = (
  media: ReadonlyArray<PromptMedium>,
  requestBytes: number
): number => {
  let mediaBytes = 0
  for (const { length } of media) mediaBytes += length + bytesAround
  return estimateTextTokens(Math.max(0, requestBytes - mediaBytes)) + media.length * tokensPerMedium
}
