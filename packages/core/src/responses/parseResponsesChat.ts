/** Parses requests to OpenAI's Responses API as chats, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import { decodeNativeChat } from "../chat/request/decodeNativeChat.ts"
import { isRouterField, type ParsedChat } from "../chat/request/parseChatRequest.ts"
import type { Tool } from "../conversation/Conversation.ts"
import { parseResponsesRequest } from "../dialects/responses/parseResponsesRequest.ts"
import {
  failInvalid,
  findSizeProblem,
  makeTextParser,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../routing/parseRequest.ts"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { isObject } from "../values/json/isObject.ts"
import { setOwn } from "../values/setOwn.ts"
import { findResponsesOnlyNeed } from "./findResponsesOnlyNeed.ts"
import { toChatConversation } from "./toChatConversation.ts"

type Json = Readonly<Record<string, unknown>>
type Path = InvalidRequest["path"]

/** A valid request, and what is needed to write its answer. */
export interface ResponsesChat {
  readonly parsed: ParsedChat
  /** As the caller wrote it, because the response repeats its settings. */
  readonly request: Json
  /** Calls in the answer have the names of these. */
  readonly tools: ReadonlyArray<Tool>
}

export const decodeResponsesChat = (
  json: unknown,
  options: ParseOptions
): ParseResult<ResponsesChat> => {
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const request = body.success
  const problem = findFieldProblem(request)
  if (problem !== undefined) return Result.fail(problem)
  const translated = parseResponsesRequest(request)
  if (Result.isFailure(translated)) {
    const { path, problem } = translated.failure
    return failInvalid(path, problem)
  }
  const { tools } = translated.success
  const neededAt = findResponsesOnlyNeed(request)
  const decoded = decodeNativeChat(
    {
      native: {
        dialect: "responses",
        body: pickFields(request, (name) => !isForRouter(name)),
        ...(neededAt === undefined ? undefined : { neededAt })
      },
      conversation: toChatConversation(translated.success),
      routerFields: {
        ...pickFields(request, (name) => name !== clientMetadata && !apiFields.has(name)),
        ...findSession(request, options)
      },
      toNativePath
    },
    options
  )
  return Result.map(decoded, (parsed) => ({ parsed, request, tools }))
}

export const parseResponsesChat = makeTextParser(decodeResponsesChat)

/**
 * The fields of the API itself. Every other field is one of the router, or a parameter of the model, such as `seed`, that
 * endpoints which support it get under its name in chat.
 */
const apiFields: ReadonlySet<string> = new Set([
  "background",
  "cache_control",
  "context_management",
  "conversation",
  "frequency_penalty",
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "moderation",
  "parallel_tool_calls",
  "presence_penalty",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "stream_options",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_k",
  "top_logprobs",
  "top_p",
  "truncation"
])

/** Clients describe themselves there, which says nothing to the model. */
const clientMetadata = "client_metadata"

/** Whether no provider gets it. */
const isForRouter = (name: string): boolean =>
  name === clientMetadata || (isRouterField(name) && !apiFields.has(name))

const pickFields = (json: Json, isPicked: (name: string) => boolean): Json => {
  const picked: Record<string, unknown> = {}
  for (const name of Object.keys(json)) if (isPicked(name)) setOwn(picked, name, json[name])
  return picked
}

/** Requests that share a cached prompt belong together, if nothing else says what they belong to. */
const findSession = (
  { prompt_cache_key: key, session_id }: Json,
  { session }: ParseOptions
): Json | undefined =>
  (session_id ?? undefined) === undefined &&
  session === undefined &&
  typeof key === "string" &&
  key.length <= maxSessionCharacters
    ? { session_id: key }
    : undefined

const maxSessionCharacters = 256

/** Fields of the chat API that would multiply the answer, or say something else here. */
const refusedFields: Readonly<Record<string, string>> = {
  best_of: "is not a field of this API: there is one answer",
  max_completion_tokens: "is not a field of this API: use max_output_tokens",
  max_tokens: "is not a field of this API: use max_output_tokens",
  messages: "is not a field of this API: use input",
  n: "is not a field of this API: there is one answer",
  reasoning_effort: "is not a field of this API: use reasoning.effort",
  response_format: "is not a field of this API: use text.format"
}

const findFieldProblem = (request: Json): InvalidRequest | undefined => {
  for (const [name, problem] of Object.entries(refusedFields)) {
    if (isGiven(request[name])) return new InvalidRequest({ path: [name], problem })
  }
  const { max_output_tokens: cap, top_logprobs: top } = request
  if (isGiven(cap) && !(Number.isSafeInteger(cap) && Number(cap) >= 1)) {
    return new InvalidRequest({
      path: ["max_output_tokens"],
      problem: "must be a whole number from 1"
    })
  }
  if (isGiven(top) && !(Number.isSafeInteger(top) && Number(top) >= 0 && Number(top) <= 20)) {
    return new InvalidRequest({
      path: ["top_logprobs"],
      problem: "must be a whole number from 0 to 20"
    })
  }
  return findMetadataProblem(request["metadata"])
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const maxPairs = 16
const maxKeyCharacters = 64
const maxValueCharacters = 512

const metadataProblem = (path: Path, problem: string) =>
  new InvalidRequest({ path: ["metadata", ...path], problem })

const findMetadataProblem = (metadata: unknown): InvalidRequest | undefined => {
  if (!isGiven(metadata)) return undefined
  if (!isObject(metadata)) return metadataProblem([], "must be an object")
  const pairs = Object.entries(metadata)
  if (pairs.length > maxPairs) return metadataProblem([], `must have at most ${maxPairs} keys`)
  for (const [key, value] of pairs) {
    if (key.length > maxKeyCharacters) {
      return metadataProblem([], `must have keys of at most ${maxKeyCharacters} characters`)
    }
    if (typeof value !== "string" || value.length > maxValueCharacters) {
      return metadataProblem([key], `must be a string of at most ${maxValueCharacters} characters`)
    }
  }
  return undefined
}

/** Messages of a chat are others than the items of the request, so that a path within them says nothing. */
const toNativePath = (path: Path): Path => {
  const [first, ...rest] = path
  switch (first) {
    case "messages":
      return ["input"]
    case "max_tokens":
      return ["max_output_tokens"]
    case "response_format":
      return ["text", "format"]
    case "verbosity":
      return ["text", "verbosity"]
    case "logprobs":
      return ["include"]
    case "tools":
      // The functions of namespaces are tools of a chat.
      return rest.length > 1 ? ["tools"] : path
    case undefined:
    default:
      return path
  }
}
