/** Reads a chat request from JSON: the one way in, for HTTP and for calls in process. */
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { findMediaProblem } from "../outbound/findMediaProblem.ts"
import { findUnknownKey } from "../routing/Preferences.ts"
import type { SettingsShape } from "../Settings.ts"
import type { ChatMessage } from "../upstreams/ChatCapability.ts"
import { parseJson } from "../values/json/parseJson.ts"
import { InvalidRequest, RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import { ChatRequest, type DecodedChatRequest } from "./ChatRequest.ts"
import { findCountProblem } from "./findCountProblem.ts"
import { listIgnoredParameters, isIgnorable } from "./listIgnoredParameters.ts"
import { measureContent, estimatePromptTokens, countImages } from "./contentSize.ts"
import { findMessageCountProblem, findToolCountProblem } from "./findMessageCountProblem.ts"

/** A chat request, its routing keys apart from the parameters of the model. */
export interface ParsedChat {
  readonly request: DecodedChatRequest
  /** Names of what the caller asks for, and nothing here does. */
  readonly ignored: ReadonlyArray<string>
  /** As the caller wrote them. */
  readonly messages: ReadonlyArray<ChatMessage>
  /** What is the model's to heed, as the caller wrote it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Those asked for, each once, in order; empty: whatever is the default. */
  readonly models: ReadonlyArray<string>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** UTF-8 bytes of its content as sent on: an upper bound of its tokens. */
  readonly contentBytes: () => number
  /** Works them out beforehand, so that they are there when they are asked for. */
  readonly measure: Effect.Effect<void>
  /** How many images its messages show. */
  readonly images: number
  /** About how many tokens the prompt has. */
  readonly inputTokens: number
  /** The most tokens the answer may have, where the caller says so. */
  readonly maxOutputTokens?: number
}

export interface ParseOptions {
  /** UTF-8 bytes of its text. */
  readonly bytes: number
  /** The `x-session-id` header; a session in the body wins over it. */
  readonly session?: string | undefined
  readonly settings: SettingsShape
}

/** What is the router's to heed, and no provider's. */
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

/** Whether a key of a chat is no provider's. */
export const isRouterField = (name: string): boolean => routerFields.has(name) || isIgnorable(name)

// Only this schema: the host's own schemas are compiled as the host likes.
SchemaJITCompiler.enable(ChatRequest.ast)
const decode = Schema.decodeUnknownResult(ChatRequest)

/** A key that is null is taken for one that is not there, as clients mean it. */
export const parseChatRequest = (
  text: string,
  options: ParseOptions
): Result.Result<ParsedChat, InvalidRequest | RequestTooLarge> =>
  Result.flatMap(parseJson(text, options.settings.maxJsonDepth), (json) =>
    decodeChatRequest(json, options)
  )

/** The same of what was parsed already. */
export const decodeChatRequest = (
  json: unknown,
  { bytes, session, settings }: ParseOptions
): Result.Result<ParsedChat, InvalidRequest | RequestTooLarge> => {
  const setting = "maxChatBodyBytes"
  const limitBytes = settings[setting]
  if (bytes > limitBytes) return Result.fail(new RequestTooLarge({ limitBytes, setting }))
  if (!Predicate.isObject(json) || Array.isArray(json)) {
    return failInvalid([], "the body must be a JSON object")
  }
  const given = Object.entries(json).filter(([, value]) => value !== null)
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(given)
  const surplus =
    findMessageCountProblem(fields["messages"], settings) ??
    findToolCountProblem(fields["tools"], settings)
  if (surplus !== undefined) return Result.fail(surplus)
  const messages = listMessages(fields["messages"])
  const { provider } = fields
  if (Predicate.isObject(provider)) {
    const key = findUnknownKey(provider)
    if (key !== undefined) return failInvalid(["provider", ...key], "unknown routing preference")
  }
  const wrongCount = findCountProblem(fields)
  if (wrongCount !== undefined) return Result.fail(wrongCount)
  const decoded = decode(
    session === undefined || fields["session_id"] !== undefined
      ? fields
      : { ...fields, session_id: session }
  )
  if (Result.isFailure(decoded)) return Result.fail(toInvalidRequest(decoded.failure))
  const request = decoded.success
  for (const name of ["messages", "prediction"]) {
    const found = findMediaProblem(fields[name], settings)
    if (found !== undefined) return failInvalid([name, ...found.path], found.problem)
  }
  // From what was read, because a decoder makes objects anew and a key may be `__proto__`.
  const parameters = Object.fromEntries(given.filter(([name]) => !isRouterField(name)))
  const { get, measure } = measureContent({ messages, parameters })
  return Result.succeed({
    request,
    ignored: listIgnoredParameters(given),
    messages,
    parameters,
    models: listModels(request),
    bytes,
    contentBytes: get,
    measure,
    images: countImages(messages),
    inputTokens: estimatePromptTokens(messages, bytes),
    ...toMaxOutput(request)
  })
}

const listMessages = (value: unknown): ReadonlyArray<ChatMessage> =>
  Array.isArray(value) ? value.filter(isMessage) : []

const isMessage = (value: unknown): value is ChatMessage =>
  Predicate.isObject(value) && typeof value["role"] === "string"

const listModels = ({ model, models = [] }: DecodedChatRequest): ReadonlyArray<string> =>
  Array.from(new Set(model === undefined ? models : [model, ...models]))

const toMaxOutput = ({
  max_completion_tokens = Infinity,
  max_tokens = Infinity
}: DecodedChatRequest): Pick<ParsedChat, "maxOutputTokens"> => {
  const most = Math.min(max_completion_tokens, max_tokens)
  return most === Infinity ? {} : { maxOutputTokens: most }
}

const failInvalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
