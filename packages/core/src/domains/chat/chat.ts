/** Chats in process, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import type { Callers } from "../../tenants/auth/Callers.ts"
import type { PresetUnavailable } from "../presets/Preset.ts"
import type { Presets } from "../presets/Presets.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { type ChatAnswer, toChatCompletion } from "./ChatAnswer.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import type { ChatError, Chats } from "./Chats.ts"
import { type ChatServices, makeAnswersInProcess, parseAsJson } from "./makeAnswersInProcess.ts"
import type { ChatRequest } from "./request/ChatRequest.ts"
import { decodeChatRequest } from "./request/parseChatRequest.ts"
import type { ChatStream } from "./stream/streamChat.ts"

/**
 * Answers `request` as a whole, even with `stream: true`, for `caller` (default: the application itself). Fails with
 * `InvalidRequest` for values that JSON cannot express.
 */
export const chat = (
  request: ChatRequest,
  caller?: CallerConfig
): Effect.Effect<
  InProcessCompletion,
  ChatError | CustomerRefused | PresetUnavailable | RequestTooLarge,
  Callers | Chats | Presets
> => Effect.contextWith((services: ChatServices) => makeChat(services).complete(request, caller))

/** Like `chat`, in chunks. Closing the scope ends the call at the provider. */
export const streamChat = (
  request: ChatRequest,
  caller?: CallerConfig
): Effect.Effect<
  ChatStream,
  ChatError | CustomerRefused | PresetUnavailable | RequestTooLarge,
  Callers | Chats | Presets | Scope.Scope
> => Effect.contextWith((services: ChatServices) => makeChat(services).stream(request, caller))

/** `chat` and `streamChat` that begin when they are called. */
export const makeChat = (services: ChatServices) => {
  const answers = makeAnswersInProcess(services)
  return {
    complete: (request: ChatRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      answers.complete(request, { caller, translation, observer }),
    stream: (request: ChatRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      answers.stream(request, { caller, translation, observer })
  }
}

/** The answer of a chat in process: that of the HTTP API, with its text at hand. */
export interface InProcessCompletion extends ChatCompletion {
  /**
   * The text of the first choice; empty where the model only calls tools or refuses. It is no part of the JSON of the answer,
   * nor of a copy by `{ ...answer }`.
   */
  readonly text: string
}

export const toInProcessCompletion = (answer: ChatAnswer): InProcessCompletion =>
  // The property has the type of its getter.
  Object.defineProperty(toChatCompletion(answer), "text", text) as InProcessCompletion

const text: ThisType<ChatCompletion> & PropertyDescriptor = {
  get() {
    const content = this.choices[0]?.message.content
    return typeof content === "string"
      ? content
      : (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
  }
}

/** The neutral form of an answer has the words of the chat API. */
const translation = Effect.succeed({
  parse: parseAsJson("chat", (json, options) =>
    Result.map(decodeChatRequest(json, options), (parsed) => ({ parsed }))
  ),
  write: toInProcessCompletion,
  writeStream: identity<ChatStream>
})
