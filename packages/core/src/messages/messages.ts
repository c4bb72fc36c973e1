/** Messages in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../auth/Callers.ts"
import { type ChatError, Chats } from "../chat/Chats.ts"
import { flattenExtra } from "../chat/request/flattenExtra.ts"
import { toNamedEvents } from "../chat/stream/toNamedEvents.ts"
import type { RouteObserver } from "../routing/RouteQuery.ts"
import type { RoutingError } from "../routing/Routing.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import { Settings } from "../Settings.ts"
import type { RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { loadOnce } from "../values/loadOnce.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import { toStream } from "../values/push/toStream.ts"
import type { Message } from "./Message.ts"
import type { MessageEvent } from "./MessageEvent.ts"
import type { MessagesRequest } from "./MessagesRequest.ts"

type MessageServices = Context.Context<Callers | Chats>
type MessageError = ChatError | RequestTooLarge

/** Who asks, and for which betas of Anthropic's API. */
export interface MessageOptions {
  /** Default: the application itself. */
  readonly caller?: CallerConfig | undefined
  /** Sent as `anthropic-beta` to providers with this API. */
  readonly betas?: ReadonlyArray<string> | undefined
}

/**
 * Answers a request of Anthropic's Messages API as a whole, whatever its `stream` says. What JSON cannot express is an
 * `InvalidRequest`.
 */
export const messages = (
  request: MessagesRequest,
  options?: MessageOptions
): Effect.Effect<Message, MessageError, Callers | Chats> =>
  Effect.contextWith((services: MessageServices) =>
    makeMessages(services).complete(request, options)
  )

/** Like `messages`, in events. Fails when the answer breaks off. Closing the scope ends the call at the provider. */
export const streamMessages = (
  request: MessagesRequest,
  options?: MessageOptions
): Effect.Effect<
  Stream.Stream<MessageEvent, RoutingError>,
  MessageError,
  Callers | Chats | Scope.Scope
> =>
  Effect.contextWith((services: MessageServices) => makeMessages(services).stream(request, options))

/** `messages` and `streamMessages` that begin when they are called. What they need is loaded with the first call. */
export const makeMessages = (services: MessageServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const settings = Context.get(services, Settings)

  const begin = (request: MessagesRequest, { betas = [], caller }: MessageOptions = {}) =>
    Effect.flatMapEager(resolveCallerWith(callers, caller), (resolved) =>
      Effect.flatMapEager(flattenExtra(request), (flat) =>
        Effect.flatMapEager(loadTranslation(), (translation) =>
          Effect.mapEager(
            parseInProcess(flat, settings, (text, options) =>
              translation.parseMessagesChat(text, { ...options, headers: toHeaders(betas) })
            ),
            (chat) => ({ caller: resolved, chat, translation })
          )
        )
      )
    )

  return {
    complete: (request: MessagesRequest, options?: MessageOptions, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, options), ({ caller, chat, translation }) =>
        Effect.mapEager(chats.answer(caller, chat.parsed, observer), (answer) =>
          translation.writeMessage(answer, chat)
        )
      ),
    stream: (request: MessagesRequest, options?: MessageOptions, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, options), ({ caller, chat, translation }) =>
        Effect.map(chats.stream(caller, chat.parsed, observer), (stream) => {
          const events = toNamedEvents(stream, translation.makeMessageEventWriter(stream, chat))
          // Safe: content is passed through unchecked; the type says what the API promises.
          return toStream(events as unknown as PushStream<MessageEvent, RoutingError>)
        })
      )
  }
}

const toHeaders = (betas: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }

const loadTranslation = loadOnce(() => import("./translation.ts"))
