/** Responses in process, with the checks of the HTTP API. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../auth/Callers.ts"
import { type ChatError, Chats } from "../chat/Chats.ts"
import { flattenExtra } from "../chat/request/flattenExtra.ts"
import { toNamedEvents } from "../chat/stream/toNamedEvents.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import type { RouteObserver } from "../routing/RouteQuery.ts"
import type { RoutingError } from "../routing/Routing.ts"
import { Settings } from "../Settings.ts"
import type { RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { loadOnce } from "../values/loadOnce.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import { toStream } from "../values/push/toStream.ts"
import type { ResponseObject } from "./ResponseObject.ts"
import type { ResponsesEvent } from "./ResponsesEvent.ts"
import type { ResponsesRequest } from "./ResponsesRequest.ts"

type ResponseServices = Context.Context<Callers | Chats>
type ResponsesError = ChatError | RequestTooLarge

/**
 * Answers a request of OpenAI's Responses API as a whole, whatever its `stream` says, for `caller` (default: the
 * application itself). What JSON cannot express is an `InvalidRequest`.
 */
export const responses = (
  request: ResponsesRequest,
  caller?: CallerConfig
): Effect.Effect<ResponseObject, ResponsesError, Callers | Chats> =>
  Effect.contextWith((services: ResponseServices) =>
    makeResponses(services).complete(request, caller)
  )

/** Like `responses`, in events. Fails when the answer breaks off. Closing the scope ends the call at the provider. */
export const streamResponses = (
  request: ResponsesRequest,
  caller?: CallerConfig
): Effect.Effect<
  Stream.Stream<ResponsesEvent, RoutingError>,
  ResponsesError,
  Callers | Chats | Scope.Scope
> =>
  Effect.contextWith((services: ResponseServices) =>
    makeResponses(services).stream(request, caller)
  )

/** `responses` and `streamResponses` that begin when they are called. What they need is loaded with the first call. */
export const makeResponses = (services: ResponseServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const clock = Context.get(services, Clock.Clock)
  const settings = Context.get(services, Settings)

  const begin = (request: ResponsesRequest, caller: CallerConfig | undefined) =>
    Effect.flatMapEager(resolveCallerWith(callers, caller), (resolved) =>
      Effect.flatMapEager(flattenExtra(request), (flat) =>
        Effect.flatMapEager(loadTranslation(), (translation) =>
          Effect.mapEager(
            parseInProcess(flat, settings, translation.parseResponsesChat),
            (chat) => ({ caller: resolved, chat, translation })
          )
        )
      )
    )

  return {
    complete: (request: ResponsesRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, caller), ({ caller, chat, translation }) =>
        Effect.mapEager(chats.answer(caller, chat.parsed, observer), (answer) =>
          translation.writeResponse(answer, chat, { completedAt: clock.currentTimeMillisUnsafe() })
        )
      ),
    stream: (request: ResponsesRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      Effect.flatMapEager(begin(request, caller), ({ caller, chat, translation }) =>
        Effect.map(chats.stream(caller, chat.parsed, observer), (stream) => {
          const events = toNamedEvents(
            stream,
            translation.makeResponseEventWriter(stream, chat, clock)
          )
          // Safe: items are passed through unchecked; the type says what the API promises.
          return toStream(events as unknown as PushStream<ResponsesEvent, RoutingError>)
        })
      )
  }
}

const loadTranslation = loadOnce(() => import("./translation.ts"))
