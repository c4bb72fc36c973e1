/** Chats in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../auth/Callers.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import type { RouteObserver } from "../routing/RouteQuery.ts"
import { Settings } from "../Settings.ts"
import type { RequestTooLarge } from "../values/errors/RequestErrors.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import { type ChatError, Chats } from "./Chats.ts"
import type { ChatRequest } from "./request/ChatRequest.ts"
import { flattenExtra } from "./request/flattenExtra.ts"
import { parseChatRequest } from "./request/parseChatRequest.ts"
import type { ChatStream } from "./stream/streamChat.ts"

type ChatServices = Context.Context<Callers | Chats>

/**
 * Answers `request` as a whole, whatever its `stream` says, for `caller` (default: the application itself). What
 * JSON cannot express is an `InvalidRequest`.
 */
export const chat = (
  request: ChatRequest,
  caller?: CallerConfig
): Effect.Effect<ChatCompletion, ChatError | RequestTooLarge, Callers | Chats> =>
  Effect.contextWith((services: ChatServices) => makeChat(services).complete(request, caller))

/** Like `chat`, in chunks. Closing the scope ends the call at the provider. */
export const streamChat = (
  request: ChatRequest,
  caller?: CallerConfig
): Effect.Effect<ChatStream, ChatError | RequestTooLarge, Callers | Chats | Scope.Scope> =>
  Effect.contextWith((services: ChatServices) => makeChat(services).stream(request, caller))

/** `chat` and `streamChat` that begin when they are called. */
export const makeChat = (services: ChatServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const settings = Context.get(services, Settings)

  const begin = (request: ChatRequest, caller: CallerConfig | undefined) =>
    Effect.flatMapEager(resolveCallerWith(callers, caller), (resolved) =>
      Effect.flatMapEager(flattenExtra(request), (flat) =>
        Effect.mapEager(parseInProcess(flat, settings, parseChatRequest), (parsed) => ({
          caller: resolved,
          parsed
        }))
      )
    )

  return {
    complete: (request: ChatRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, caller), ({ caller, parsed }) =>
        chats.complete(caller, parsed, observer)
      ),
    stream: (request: ChatRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, caller), ({ caller, parsed }) =>
        chats.stream(caller, parsed, observer)
      )
  }
}
