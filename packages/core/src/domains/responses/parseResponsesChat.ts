/** Parses requests to OpenAI's Responses API as chats, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import type { Tool } from "../../conversation/Conversation.ts"
import { getSettings } from "../../dialects/PlainTexts.ts"
import { readResponsesRequest } from "../../dialects/responses/parseRequest.ts"
import { toChatConversation } from "../../dialects/responses/toChatConversation.ts"
import {
  failInvalid,
  findSizeProblem,
  makeTextParser,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { setOwn } from "../../values/ownFields.ts"
import { decodeNativeChat } from "../chat/request/decodeNativeChat.ts"
import { isRouterField, type ParsedChat } from "../chat/request/parseChatRequest.ts"
import { findFieldProblem } from "./findFieldProblem.ts"
import { findResponsesOnlyNeed, listLostItems } from "./findResponsesOnlyNeed.ts"

type Json = Readonly<Record<string, unknown>>
type Path = InvalidRequest["path"]

/** A valid request, and what is needed to write its answer. */
export interface ResponsesChat {
  readonly parsed: ParsedChat
  /** The caller's request unchanged, because the response repeats its settings. */
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
  const translated = readResponsesRequest(request)
  if (Result.isFailure(translated)) {
    const { path, problem } = translated.failure
    return failInvalid(path, problem)
  }
  const { tools } = getSettings(translated.success)
  const neededAt = findResponsesOnlyNeed(request)
  const decoded = decodeNativeChat(
    {
      native: {
        dialect: "responses",
        body: pickFields(request, isForProviders),
        ...(neededAt === undefined ? undefined : { neededAt })
      },
      omitted: listLostItems(request),
      conversation: toChatConversation(translated.success),
      routerFields: addSession(pickFields(request, isNoFieldOfTheApi), request, options),
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

const isForProviders = (name: string): boolean =>
  name !== clientMetadata && (apiFields.has(name) || !isRouterField(name))

const isNoFieldOfTheApi = (name: string): boolean => name !== clientMetadata && !apiFields.has(name)

const pickFields = (json: Json, isPicked: (name: string) => boolean): Json => {
  const picked: Record<string, unknown> = {}
  for (const name in json) if (isPicked(name)) setOwn(picked, name, json[name])
  return picked
}

/** Requests that share a cached prompt belong together, if nothing else says what they belong to. */
const addSession = (
  fields: Json,
  { prompt_cache_key: key, session_id }: Json,
  { session }: ParseOptions
): Json =>
  (session_id ?? undefined) === undefined &&
  session === undefined &&
  typeof key === "string" &&
  key.length <= maxSessionCharacters
    ? { ...fields, session_id: key }
    : fields

const maxSessionCharacters = 256

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
