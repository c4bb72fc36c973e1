/** Messages in process, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import type { Callers } from "../../tenants/auth/Callers.ts"
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
import type { Message, MessageEvent } from "./Message.ts"
import type { MessagesRequest } from "./MessagesRequest.ts"
import type { MessagesChat } from "./parseMessagesChat.ts"
import * as Step from "../../values/Step.ts"

type MessageError = ChatError | CustomerRefused | PresetUnavailable | RequestTooLarge

/** The caller, and the betas of Anthropic's API it asks for. */
export interface MessageOptions {
  /** Default: the application itself. */
  readonly caller?: CallerConfig | undefined
  /** Sent as `anthropic-beta` to providers with this API. */
  readonly betas?: ReadonlyArray<string> | undefined
}

/**
 * Answers a request of Anthropic's Messages API as a whole, even with `stream: true`. Fails with `InvalidRequest` for
 * values that JSON cannot express.
 */
export const messages = (
  request: MessagesRequest,
  options?: MessageOptions
): Effect.Effect<Message, MessageError, Callers | Chats | Presets> =>
  Effect.contextWith((services: ChatServices) => makeMessages(services).complete(request, options))

/** Like `messages`, in events. Fails when the answer breaks off. Closing the scope ends the call at the provider. */
export const streamMessages = (
  request: MessagesRequest,
  options?: MessageOptions
): Effect.Effect<
  Stream.Stream<MessageEvent, RoutingError>,
  MessageError,
  Callers | Chats | Presets | Scope.Scope
> => Effect.contextWith((services: ChatServices) => makeMessages(services).stream(request, options))

/** `messages` and `streamMessages` that begin when they are called. What they need is loaded with the first call. */
export const makeMessages = (services: ChatServices) => {
  const answers = makeAnswersInProcess(services)
  return {
    complete: (
      request: MessagesRequest,
      { betas, caller }: MessageOptions = {},
      observer?: RouteObserver
    ) => answers.complete(request, { caller, translation: translate(betas), observer }),
    stream: (
      request: MessagesRequest,
      { betas, caller }: MessageOptions = {},
      observer?: RouteObserver
    ) => answers.stream(request, { caller, translation: translate(betas), observer })
  }
}

const translate = (betas: ReadonlyArray<string> = []) =>
  Step.map(loadTranslation(), ({ decodeMessagesChat, makeMessageEventWriter, writeMessage }) => ({
    parse: parseAsJson("messages", (json, options) =>
      decodeMessagesChat(json, { ...options, headers: toHeaders(betas) })
    ),
    write: writeMessage,
    writeStream: (stream: ChatStream, chat: MessagesChat) => {
      const events = toNamedEvents(stream, makeMessageEventWriter(stream, chat))
      // Safe: content is passed through unchecked; the type is the API's specification.
      return toStream(events as unknown as PushStream<MessageEvent, RoutingError>)
    }
  }))

const toHeaders = (betas: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }

const loadTranslation = loadOnce(() => import("./translation.ts"))
