/** Parses requests to Anthropic's Messages API as chats, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import type { Conversation, Tool, Turn } from "../../conversation/Conversation.ts"
import { getSettings, isUnread, type UnreadConversation } from "../../dialects/PlainTexts.ts"
import { findLostBlocks } from "../../dialects/messages/findLostBlocks.ts"
import { findMessagesOnlyNeed } from "../../dialects/messages/findMessagesOnlyNeed.ts"
import { findMessagesUser, readMessagesRequest } from "../../dialects/messages/parseRequest.ts"
import {
  failInvalid,
  makeTextParser,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
import { shorten } from "../../values/validation/text.ts"
import { decodeNativeChat } from "../chat/request/decodeNativeChat.ts"
import { isRouterField, type ParsedChat } from "../chat/request/parseChatRequest.ts"

type Json = Readonly<Record<string, unknown>>
type Path = InvalidRequest["path"]

/** A valid request, and what is needed to write its answer. */
export interface MessagesChat {
  readonly parsed: ParsedChat
  /** Calls in the answer have the names of these. */
  readonly tools: ReadonlyArray<Tool>
}

export interface MessagesParseOptions extends ParseOptions {
  /** Headers for providers with this API, such as `anthropic-beta`; absent: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export const decodeMessagesChat = (
  json: unknown,
  { headers, ...options }: MessagesParseOptions
): ParseResult<MessagesChat> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const { native, router } = splitFields(body.success)
  if (native["thread"] !== undefined && native["thread"] !== null) return Result.fail(threaded)
  const fallbacks = parseFallbacks(router)
  if (Result.isFailure(fallbacks)) return Result.fail(fallbacks.failure)
  const translated = readMessagesRequest(native)
  if (Result.isFailure(translated)) {
    const { path, problem } = translated.failure
    return failInvalid(path, problem)
  }
  const unmatched = findUnmatchedResult(native["messages"])
  if (unmatched !== undefined) return Result.fail(unmatched)
  const conversation = translated.success
  const settings = getSettings(conversation)
  const turns = isUnread(conversation) ? noTurns : conversation.turns
  const { needed, omitted } = findLostBlocks(native["messages"])
  const need = findMessagesOnlyNeed(settings, turns)?.path ?? needed
  const decoded = decodeNativeChat(
    {
      native: {
        dialect: "messages",
        body: native,
        ...(need === undefined ? undefined : { neededAt: need.join(".") }),
        ...(native["fallbacks"] === undefined ? undefined : { choosesModelAt: "fallbacks" })
      },
      omitted,
      conversation: omitZeroCap(conversation),
      routerFields: addOwnFields(fallbacks.success, native),
      ...(headers === undefined ? undefined : { dialectHeaders: { dialect: "messages", headers } }),
      toNativePath: (path) => toNativePath(path, router)
    },
    options
  )
  return Result.map(decoded, (parsed) => ({ parsed, tools: settings.tools }))
}

export const parseMessagesChat = makeTextParser(decodeMessagesChat)

/** Anthropic's client then sends the whole conversation instead. */
const threaded = new InvalidRequest({
  path: ["thread"],
  problem: "is not supported, because the router keeps no conversations; send all messages",
  reason: "thread_unsupported_request"
})

/** Texts change no tools. */
const noTurns: ReadonlyArray<Turn> = []

/** Fields that belong to this API, although the router has fields of the same names in a chat. */
const nativeFields: ReadonlySet<string> = new Set([
  "messages",
  "metadata",
  "model",
  "safeguards",
  "stream"
])

/** Adds settings that this API has in fields of its own. The router's own fields take precedence. */
const addOwnFields = (router: Json, native: Json): Json => {
  const { model, stream } = native
  const fields: Record<string, unknown> = {}
  const user = findMessagesUser(native)
  if (model !== undefined) fields["model"] = model
  if (stream !== undefined) fields["stream"] = stream
  if (user !== undefined) fields["user"] = user
  return router === noFields ? fields : { ...fields, ...router }
}

/**
 * Splits the fields for providers from the fields for the router. A router field that is null counts as absent. Most
 * requests have no router fields, and stay the same object.
 */
const splitFields = (body: Json): { readonly native: Json; readonly router: Json } => {
  if (!hasRouterField(body)) return { native: body, router: noFields }
  const native: Record<string, unknown> = {}
  const router: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = body[name]
    const isRouters = isForRouter(name, value)
    if (!isRouters) setOwn(native, name, value)
    else if (value !== null) setOwn(router, name, value)
  }
  return { native, router }
}

const hasRouterField = (body: Json): boolean => {
  for (const name in body) if (isForRouter(name, body[name])) return true
  return false
}

const noFields: Json = {}

/** A list of fallbacks is for the router; the value `default` asks Anthropic for its own. */
const isForRouter = (name: string, value: unknown): boolean =>
  name === "fallbacks" ? typeof value !== "string" : isRouterField(name) && !nativeFields.has(name)

/** Fallbacks are further models. */
const parseFallbacks = (given: Json): Result.Result<Json, InvalidRequest> => {
  if (given["fallbacks"] === undefined) return Result.succeed(given)
  const { fallbacks, ...router } = given
  if (!Array.isArray(fallbacks)) return failInvalid(["fallbacks"], "must be a list of models")
  if (fallbacks.length === 0) return Result.succeed(router)
  if (fallbacks.length > maxFallbacks) {
    return failInvalid(["fallbacks"], `must have at most ${maxFallbacks} models`)
  }
  if (router["models"] !== undefined) {
    return failInvalid(["fallbacks"], "must not be given together with models")
  }
  const models: Array<unknown> = []
  for (const [index, fallback] of fallbacks.entries()) {
    if (!isObject(fallback)) return failInvalid(["fallbacks", index], "must be an object")
    const other = Object.keys(fallback).find((name) => name !== "model")
    if (other !== undefined) {
      return failInvalid(["fallbacks", index, other], "is not supported: only a model can be given")
    }
    models.push(fallback["model"])
  }
  return Result.succeed({ ...router, models })
}

const maxFallbacks = 3

/** A chat cannot ask for an answer of no tokens. Only providers with this API can, and they get the field unchanged. */
const omitZeroCap = (
  conversation: Conversation | UnreadConversation
): Conversation | UnreadConversation => {
  if (getSettings(conversation).maxOutputTokens !== 0) return conversation
  if (isUnread(conversation)) {
    const { maxOutputTokens: _, ...settings } = conversation.settings
    return { ...conversation, settings }
  }
  const { maxOutputTokens: _, ...rest } = conversation
  return rest
}

/** The chat has other messages than the request, so a path within them means nothing to the caller. */
const toNativePath = (path: Path, { fallbacks }: Json): Path => {
  const [first, ...rest] = path
  if (first === "messages") return ["messages"]
  if (first === "reasoning") {
    return rest[0] === "max_tokens" ? ["thinking", "budget_tokens"] : ["thinking"]
  }
  const isFallback = first === "models" && rest.length > 0 && fallbacks !== undefined
  return isFallback ? ["fallbacks", ...rest, "model"] : path
}

/**
 * Every `tool_result` is in a message of the user, after the assistant's message with the `tool_use` of its id, and is
 * the only one: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
export const findUnmatchedResult = (messages: unknown): InvalidRequest | undefined => {
  if (!Array.isArray(messages)) return undefined
  let open: Set<unknown> | undefined
  let answered: Set<unknown> | undefined
  let lastRole: unknown
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    if (!isObject(message)) continue
    const { content, role } = message
    if (role === "assistant" && lastRole !== "assistant") {
      open = undefined
      answered = undefined
    }
    lastRole = role
    if (!Array.isArray(content)) continue
    for (let at = 0; at < content.length; at++) {
      const block: unknown = content[at]
      if (!isObject(block)) continue
      if (block["type"] === "tool_use" && role === "assistant") {
        ;(open ??= new Set()).add(block["id"])
      }
      if (block["type"] !== "tool_result") continue
      const problem = findProblem(block, role, open, answered)
      if (problem !== undefined) {
        return new InvalidRequest({ path: ["messages", index, "content", at], problem })
      }
      ;(answered ??= new Set()).add(block["tool_use_id"])
    }
  }
  return undefined
}

const findProblem = (
  { tool_use_id: id }: Json,
  role: unknown,
  open: ReadonlySet<unknown> | undefined,
  answered: ReadonlySet<unknown> | undefined
): string | undefined => {
  if (role !== "user") return "is a tool_result, which only messages of the user may have"
  const name = `the tool_use "${shorten(String(id))}"`
  if (answered?.has(id) === true) return `is a second tool_result of ${name}; each call has one`
  return open?.has(id) === true
    ? undefined
    : `is a tool_result of ${name}, which is not in the last message of the assistant before it`
}
