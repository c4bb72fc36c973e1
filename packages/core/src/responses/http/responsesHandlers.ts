/** Handlers of the Responses API. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { Chats } from "../../chat/Chats.ts"
import { findSessionId } from "../../chat/request/findSessionId.ts"
import { Drain } from "../../Drain.ts"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import type { RequestContext } from "../../http/operation/RequestContext.ts"
import { eventStreamResponse } from "../../http/operation/serverSentEvents.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../Settings.ts"
import { decodeResponsesChat, type ResponsesChat } from "../parseResponsesChat.ts"
import { writeResponse } from "../writeResponse.ts"
import type { ResponsesApi } from "./ResponsesApi.ts"
import { toResponsesEvents } from "./toResponsesEvents.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

export const responsesHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const clock = yield* Clock.Clock
  const drain = yield* Drain

  const answer = (
    chat: ResponsesChat,
    observer: RouteObserver | undefined,
    { caller, routing }: RequestContext
  ): Answered =>
    Effect.mapEager(chats.answer(caller, chat.parsed, observer), (answer) => {
      const time = {
        completedAt: clock.currentTimeMillisUnsafe(),
        metadata: routing.toMetadata()
      }
      return HttpServerResponse.jsonUnsafe(writeResponse(answer, chat, time), {
        headers: { "x-generation-id": answer.id }
      })
    })

  const stream = (
    chat: ResponsesChat,
    observer: RouteObserver | undefined,
    { caller, routing, scope }: RequestContext
  ): Answered =>
    Effect.map(Scope.provide(chats.stream(caller, chat.parsed, observer), scope), (started) =>
      eventStreamResponse(
        toResponsesEvents(started, chat, {
          clock,
          keepaliveMillis: settings.keepaliveMillis,
          drain,
          toRoutingMetadata: () => routing.toMetadata()
        }),
        { "x-generation-id": started.id }
      )
    )

  return {
    create: (_: unknown, context: RequestContext): Answered => {
      const { headers, readBody } = context
      if (!isJson(headers)) return Effect.fail(new NotJson())
      return Effect.flatMapEager(readBody(limit), ({ bytes, json }): Answered => {
        const session = findSessionId(headers, settings)
        const decoded = decodeResponsesChat(json, { bytes, session, settings })
        if (Result.isFailure(decoded)) return Effect.fail(decoded.failure)
        const chat = decoded.success
        const { models, request } = chat.parsed
        const observer = context.routing.observeModel(models[0])
        return request.stream === true
          ? stream(chat, observer, context)
          : answer(chat, observer, context)
      })
    }
  } satisfies OperationHandlers<typeof ResponsesApi>
})
