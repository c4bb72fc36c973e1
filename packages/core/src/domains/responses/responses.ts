/** Responses in process, with the checks of the HTTP API. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import type { Callers } from "../../tenants/auth/Callers.ts"
import type { ChatAnswer } from "../chat/ChatAnswer.ts"
import type { ChatError, Chats } from "../chat/Chats.ts"
import {
  type ChatServices,
  makeAnswersInProcess,
  parseAsJson
} from "../chat/makeAnswersInProcess.ts"
import type { ChatStream } from "../chat/stream/streamChat.ts"
import { toNamedEvents } from "../chat/stream/toNamedEvents.ts"
import type { PresetUnavailable } from "../presets/Preset.ts"
import type { Presets } from "../presets/Presets.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { toStream } from "../../values/push/toStream.ts"
import type { ResponsesChat } from "./parseResponsesChat.ts"
import type { ResponseObject } from "./ResponseObject.ts"
import type { ResponsesEvent } from "./ResponsesEvent.ts"
import type { ResponsesRequest } from "./ResponsesRequest.ts"
import type * as Translation from "./translation.ts"
import * as Step from "../../values/Step.ts"

type ResponsesError = ChatError | CustomerRefused | PresetUnavailable | RequestTooLarge

/**
 * Answers a request of OpenAI's Responses API as a whole, even with `stream: true`, for `caller` (default: the
 * application itself). Fails with `InvalidRequest` for values that JSON cannot express.
 */
export const responses = (
  request: ResponsesRequest,
  caller?: CallerConfig
): Effect.Effect<ResponseObject, ResponsesError, Callers | Chats | Presets> =>
  Effect.contextWith((services: ChatServices) => makeResponses(services).complete(request, caller))

/** Like `responses`, in events. Fails when the answer breaks off. Closing the scope ends the call at the provider. */
export const streamResponses = (
  request: ResponsesRequest,
  caller?: CallerConfig
): Effect.Effect<
  Stream.Stream<ResponsesEvent, RoutingError>,
  ResponsesError,
  Callers | Chats | Presets | Scope.Scope
> => Effect.contextWith((services: ChatServices) => makeResponses(services).stream(request, caller))

/** `responses` and `streamResponses` that begin when they are called. What they need is loaded with the first call. */
export const makeResponses = (services: ChatServices) => {
  const answers = makeAnswersInProcess(services)
  const clock = Context.get(services, Clock.Clock)
  const translate = () => Step.map(loadTranslation(), toChatTranslation(clock))
  return {
    complete: (request: ResponsesRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      answers.complete(request, { caller, translation: translate(), observer }),
    stream: (request: ResponsesRequest, caller?: CallerConfig, observer?: RouteObserver) =>
      answers.stream(request, { caller, translation: translate(), observer })
  }
}

const toChatTranslation =
  (clock: Clock.Clock) =>
  ({ decodeResponsesChat, makeResponseEventWriter, writeResponse }: typeof Translation) => ({
    parse: parseAsJson("responses", decodeResponsesChat),
    write: (answer: ChatAnswer, chat: ResponsesChat) =>
      writeResponse(answer, chat, { completedAt: clock.currentTimeMillisUnsafe() }),
    writeStream: (stream: ChatStream, chat: ResponsesChat) => {
      const events = toNamedEvents(stream, makeResponseEventWriter(stream, chat, clock))
      // Safe: items are passed through unchecked; the type is the API's specification.
      return toStream(events as unknown as PushStream<ResponsesEvent, RoutingError>)
    }
  })

const loadTranslation = loadOnce(() => import("./translation.ts"))
