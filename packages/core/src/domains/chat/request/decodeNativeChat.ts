/** Makes a chat of a request that came by another API than OpenAI's chat API. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Conversation } from "../../../conversation/Conversation.ts"
import { getSettings, isUnread, type UnreadConversation } from "../../../dialects/PlainTexts.ts"
import { writeChatParameters } from "../../../dialects/chat/writeRequest.ts"
import {
  addressRequired,
  findFileProblem,
  findMediaProblem,
  findMediaUrlProblem
} from "../../../engine/outbound/findMediaProblem.ts"
import { findPreferenceProblem } from "../../../routing/Preferences.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  omitNull,
  type ParseOptions,
  type ParseResult,
  selectFields
} from "../../../routing/parseRequest.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { JsonSize } from "../../../values/json/JsonSize.ts"
import { makeFastDecoder } from "../../../values/validation/makeFastDecoder.ts"
import { SaidInTexts, SaidInTurns } from "../said/SaidInTurns.ts"
import type { MediaPart } from "../said/turnFacts.ts"
import { ChatFields } from "./ChatRequest.ts"
import { findRangeProblem, findTurnCountProblem } from "./findChatCountProblem.ts"
import { findToolNeeds, joinToolNeeds, noNeeds, type ToolNeeds } from "./findToolNeeds.ts"
import {
  asksForHealing,
  findCompression,
  isIgnorable,
  listIgnoredParameters,
  pickServerFields
} from "./listIgnoredParameters.ts"
import {
  countImages,
  estimatePromptTokens,
  findMaxOutput,
  isRouterField,
  listInputs,
  listModels,
  type NativeChat,
  type ParsedChat
} from "./parseChatRequest.ts"

type Json = Readonly<Record<string, unknown>>
type Path = InvalidRequest["path"]

/** A request that has been translated to a conversation, or can be. */
export interface TranslatedChat {
  readonly native: NativeChat
  readonly conversation: Conversation | UnreadConversation
  /** Places of the request that the translation leaves out, such as `messages.3.content.1`; absent: none. */
  readonly omitted?: ReadonlyArray<string>
  /**
   * The fields of the router, such as `models`, `provider` and `stream`, by their names in the chat API, and parameters that
   * have the name of the chat API in the caller's API.
   */
  readonly routerFields: Json
  readonly dialectHeaders?: ParsedChat["dialectHeaders"]
  /** Converts a path in the chat to the path in the caller's request. */
  readonly toNativePath: (path: Path) => Path
}

const decode = makeFastDecoder(ChatFields)

/** It passes every check of a chat, so restrictions, limits and records treat both alike. */
export const decodeNativeChat = (
  translated: TranslatedChat,
  options: ParseOptions
): ParseResult<ParsedChat> => {
  const { native } = translated
  // Checks the body that a provider with the same API is sent; the translation has no other addresses.
  const found = findMediaProblem(native.body, options.settings)
  return found === undefined
    ? decodeConversation(translated, options, findToolNeeds(native.dialect, native.body))
    : failInvalid(found.path, found.problem)
}

/** The same for a conversation that did not come in the form of an API. */
export const decodeConversation = (
  {
    conversation,
    dialectHeaders,
    native,
    omitted = [],
    routerFields,
    toNativePath
  }: TranslatedChat,
  options: ParseOptions,
  nativeNeeds: ToolNeeds = noNeeds
): ParseResult<ParsedChat> => {
  const { bytes, settings } = options
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const given = omitNull(routerFields)
  const conversationSettings = getSettings(conversation)
  const written = writeChatParameters(conversationSettings)
  const others = findOthers(given)
  const parameters = others === undefined ? written : { ...written, ...others }
  const problem =
    findTurnCountProblem(conversation, settings) ??
    findPreferenceProblem(given["provider"]) ??
    findRangeProblem(parameters) ??
    findEmptiness(conversation)
  if (problem !== undefined) return failAt(problem, toNativePath)
  const decoded = decodeFields(decode, { ...parameters, ...given }, options)
  if (Result.isFailure(decoded)) return failAt(decoded.failure, toNativePath)
  const request = decoded.success
  const said = isUnread(conversation)
    ? new SaidInTexts(conversation, others)
    : new SaidInTurns(conversation, others)
  const inTurns = findTurnMediaProblem(said.mediaParts, settings)
  if (inTurns !== undefined) return failInvalid(toNativePath(["messages"]), inTurns)
  const media = said.listMedia()
  const size = new JsonSize(native.dialect === "chat" ? conversation : native.body, bytes)
  const unnamed = listNativeFields(conversationSettings, parameters)
  const lost = omitted.length === 0 ? unnamed : [...(unnamed ?? []), ...omitted]
  const parsed: { -readonly [K in keyof ParsedChat]: ParsedChat[K] } = {
    request,
    ignored: addLost(
      listIgnoredParameters(given, { format: parameters["response_format"] }),
      options.preset?.lost
    ),
    native: lost === undefined ? native : { ...native, fields: lost },
    said,
    parameters,
    models: listModels(request),
    bytes,
    size,
    images: countImages(media),
    inputTokens: estimatePromptTokens(media, bytes)
  }
  const inputs = listInputs(media)
  if (inputs !== undefined) parsed.inputs = inputs
  const maxOutputTokens = findMaxOutput(request)
  if (maxOutputTokens !== undefined) parsed.maxOutputTokens = maxOutputTokens
  if (asksForHealing(given, parameters["response_format"])) parsed.isHealed = true
  const compression = findCompression(given)
  if (compression !== undefined) parsed.compression = compression
  const serverFields = pickServerFields(given)
  if (serverFields !== undefined) parsed.serverFields = serverFields
  const needs = joinToolNeeds(
    findToolNeeds("chat", parameters, serverFields?.["plugins"]),
    nativeNeeds
  )
  if (needs.serverTools !== undefined) parsed.serverTools = needs.serverTools
  if (needs.toolModels !== undefined) parsed.toolModels = needs.toolModels
  if (dialectHeaders !== undefined) parsed.dialectHeaders = dialectHeaders
  if (options.preset !== undefined) parsed.preset = options.preset
  return Result.succeed(parsed)
}

const addLost = (
  ignored: ReadonlyArray<string>,
  lost: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => (lost === undefined ? ignored : [...ignored, ...lost])

const failAt = (
  { path, problem }: InvalidRequest,
  toNativePath: TranslatedChat["toNativePath"]
): Result.Result<never, InvalidRequest> => failInvalid(toNativePath(path), problem)

/** Parameters of the model, by their names in the chat API; undefined: none. */
const findOthers = (given: Json): Json | undefined => {
  for (const name in given) if (isOther(name)) return selectFields(given, isOther)
  return undefined
}

const isOther = (name: string): boolean => !isRouterField(name)

const findEmptiness = (
  conversation: Conversation | UnreadConversation
): InvalidRequest | undefined =>
  (isUnread(conversation) ? conversation.texts.messages : conversation.turns.length) === 0
    ? new InvalidRequest({
        path: ["messages"],
        problem: "expected a value with a length of at least 1"
      })
    : undefined

/**
 * Paths such as `context_management` or `output_config.task_budget`; undefined: none. `parameters` are those of the
 * translation, which has some of the fields under their own names.
 */
const listNativeFields = (
  { extra }: Pick<Conversation, "extra">,
  parameters: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  if (extra === undefined) return undefined
  const names = Object.entries(extra.fields).flatMap(([name, value]) => {
    if (Object.hasOwn(parameters, name) || routerReads.has(name) || isIgnorable(name)) return []
    if (!asksForSomething(value)) return []
    return partlyTranslated.has(name) && Predicate.isObject(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name]
  })
  return names.length === 0 ? undefined : names
}

/** The router itself reads it. */
const routerReads: ReadonlySet<string> = new Set(["prompt_cache_key"])

/** Their untranslated remainder has no neutral form. */
const partlyTranslated: ReadonlySet<string> = new Set([
  "output_config",
  "reasoning",
  "text",
  "thinking"
])

const asksForSomething = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== "disabled" &&
  !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)

type AddressSettings = Parameters<typeof findMediaUrlProblem>[1]

/**
 * The problem; undefined: none. The id of an image or a film is no address, which providers want in its place, but Anthropic,
 * which keeps files.
 */
export const findTurnMediaProblem = (
  parts: ReadonlyArray<MediaPart>,
  settings: AddressSettings
): string | undefined => {
  for (const part of parts) {
    const problem = findPartProblem(part, settings)
    if (problem !== undefined) return problem
  }
  return undefined
}

const findPartProblem = (
  { source, type }: MediaPart,
  settings: AddressSettings
): string | undefined => {
  if (source.type === "id") {
    return type === "file" || source.dialect === "messages" ? undefined : addressRequired
  }
  if (source.type === "base64") return undefined
  return type === "file"
    ? findFileProblem(source.url, settings)
    : findMediaUrlProblem(source.url, settings)
}
