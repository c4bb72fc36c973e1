/** Chats in process, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import type { RequestTooLarge } from "../values/errors/RequestErrors.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import { type ChatError, Chats } from "./Chats.ts"
import type { ChatStream } from "./stream/streamChat.ts"
import type { ChatRequest } from "./request/ChatRequest.ts"
import { flattenExtra } from "./request/flattenExtra.ts"
import { parseChatRequest } from "./request/parseChatRequest.ts"

const parseChat = (request: ChatRequest) =>
  Effect.flatMap(flattenExtra(request), (flat) => parseInProcess(flat, parseChatRequest))

/**
 * Answers `request` as a whole, whatever its `stream` says, for `caller` (default: the application itself). What
 * JSON cannot express is an `InvalidRequest`.
 */
export const chat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatCompletion, ChatError | RequestTooLarge, Callers | Chats> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.complete(yield* resolveCaller(caller), yield* parseChat(request))
  })

/** Like `chat`, in chunks. Closing the scope ends the call at the provider. */
export const streamChat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatStream, ChatError | RequestTooLarge, Callers | Chats | Scope.Scope> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.stream(yield* resolveCaller(caller), yield* parseChat(request))
  })
