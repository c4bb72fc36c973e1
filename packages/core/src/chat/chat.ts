/** Chats in process: the request is parsed as one over HTTP is. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import { Settings } from "../Settings.ts"
import type { InvalidRequest, RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { stringifyRequest } from "../values/json/stringifyRequest.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import type { ChatRequest } from "./ChatRequest.ts"
import { type ChatError, Chats, type ChatStream } from "./Chats.ts"
import { flattenExtra } from "./flattenExtra.ts"
import { type ParsedChat, parseChatRequest } from "./parseChatRequest.ts"

/** The request goes through JSON: what JSON cannot hold is an `InvalidRequest`. */
const parseChat: (
  request: ChatRequest
) => Effect.Effect<ParsedChat, InvalidRequest | RequestTooLarge> = Effect.fnUntraced(
  function* (request) {
    const settings = yield* Settings
    const { bytes, text } = yield* stringifyRequest(yield* flattenExtra(request))
    return yield* Effect.fromResult(parseChatRequest(text, { bytes, settings }))
  }
)

/** Answers `request` as a whole, whatever its `stream` says, for `caller` (default: the application itself). */
export const chat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatCompletion, ChatError | RequestTooLarge, Callers | Chats> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.complete(yield* resolveCaller(caller), yield* parseChat(request))
  })

/** Answers `request` in chunks. */
export const streamChat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatStream, ChatError | RequestTooLarge, Callers | Chats | Scope.Scope> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.stream(yield* resolveCaller(caller), yield* parseChat(request))
  })
