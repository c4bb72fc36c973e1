/** Handlers of the operations of Anthropic's Messages API. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { Chats } from "../../chat/Chats.ts"
import { Drain } from "../../Drain.ts"
import { findSessionId } from "../../chat/request/findSessionId.ts"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import type { RequestContext } from "../../http/operation/RequestContext.ts"
import { eventStreamResponse } from "../../http/operation/serverSentEvents.ts"
import { Settings } from "../../Settings.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { decodeMessagesChat, type MessagesChat } from "../parseMessagesChat.ts"
import { writeMessage } from "../writeMessage.ts"
import type { MessagesApi } from "./MessagesApi.ts"
import { toMessageEvents } from "./toMessageEvents.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

export const messagesHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const clock = yield* Clock.Clock
  const drain = yield* Drain

  const readChat = (context: RequestContext): Effect.Effect<MessagesChat, ExpectedError> => {
    const { headers, readBody } = context
    if (!isJson(headers)) return Effect.fail(new NotJson())
    return Effect.flatMapEager(readBody(limit), ({ bytes, json }) =>
      Effect.fromResult(
        decodeMessagesChat(json, {
          bytes,
          session: findSessionId(headers, settings),
          settings,
          headers: pickApiHeaders(headers)
        })
      )
    )
  }

  const create = (chat: MessagesChat, { caller, routing }: RequestContext): Answered =>
    Effect.mapEager(
      chats.answer(caller, chat.parsed, routing.observeModel(chat.parsed.models[0])),
      (answer) =>
        HttpServerResponse.jsonUnsafe(routing.addMetadata(writeMessage(answer, chat)), {
          headers: toIdHeaders(answer.id)
        })
    )

  const stream = (chat: MessagesChat, { caller, routing, scope }: RequestContext): Answered =>
    Effect.map(
      Scope.provide(
        chats.stream(caller, chat.parsed, routing.observeModel(chat.parsed.models[0])),
        scope
      ),
      (started) =>
        eventStreamResponse(
          toMessageEvents(started, chat, {
            clock,
            keepaliveMillis: settings.keepaliveMillis,
            drain,
            toRoutingMetadata: () => routing.toMetadata()
          }),
          toIdHeaders(started.id)
        )
    )

  return {
    create: (_: unknown, context: RequestContext): Answered =>
      Effect.flatMapEager(readChat(context), (chat) =>
        chat.parsed.request.stream === true ? stream(chat, context) : create(chat, context)
      ),
    countTokens: (_: unknown, context: RequestContext) =>
      Effect.mapEager(readChat(context), ({ parsed: { inputTokens } }) => ({
        input_tokens: inputTokens
      }))
  } satisfies OperationHandlers<typeof MessagesApi>
})

/** Anthropic's client reports the id of `request-id`. */
const toIdHeaders = (id: string) => ({ "x-generation-id": id, "request-id": id })

/** What providers with this API are sent as it is. */
const pickApiHeaders = (headers: RequestContext["headers"]): Readonly<Record<string, string>> =>
  omitUndefined({
    "anthropic-version": headers["anthropic-version"],
    "anthropic-beta": headers["anthropic-beta"]
  })
