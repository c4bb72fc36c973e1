/** Handlers of the chat operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { Chats } from "../Chats.ts"
import { decodeChatRequest, type ParsedChat } from "../request/parseChatRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../Settings.ts"
import type { ChatApi } from "./ChatApi.ts"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { Drain } from "../../Drain.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import type { ExpectedError } from "../../http/errors/errorTable.ts"
import type { RequestContext } from "../../http/operation/RequestContext.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { eventStreamResponse } from "../../http/operation/serverSentEvents.ts"
import { findSessionId } from "../request/findSessionId.ts"
import { toChatEvents } from "./toChatEvents.ts"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError>

export const chatHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const clock = yield* Clock.Clock
  const drain = yield* Drain

  const complete = (
    parsed: ParsedChat,
    observer: RouteObserver | undefined,
    { caller, routing }: RequestContext
  ): Answered =>
    Effect.mapEager(chats.complete(caller, parsed, observer), (completion) =>
      HttpServerResponse.jsonUnsafe(routing.addMetadata(completion), {
        headers: { "x-generation-id": completion.id }
      })
    )

  const stream = (
    parsed: ParsedChat,
    observer: RouteObserver | undefined,
    { caller, routing, scope }: RequestContext
  ): Answered =>
    Effect.map(Scope.provide(chats.stream(caller, parsed, observer), scope), (started) =>
      eventStreamResponse(
        toChatEvents(started, {
          clock,
          keepaliveMillis: settings.keepaliveMillis,
          drain,
          toRoutingMetadata: () => routing.toMetadata()
        }),
        { "x-generation-id": started.id }
      )
    )

  return {
    complete: (_: unknown, context: RequestContext): Answered => {
      const { headers, readBody } = context
      if (!isJson(headers)) return Effect.fail(new NotJson())
      return Effect.flatMapEager(readBody(limit), ({ bytes, json }): Answered => {
        const session = findSessionId(headers, settings)
        const decoded = decodeChatRequest(json, { bytes, session, settings })
        if (Result.isFailure(decoded)) return Effect.fail(decoded.failure)
        const parsed = addBetas(decoded.success, headers["x-anthropic-beta"])
        const { models, request } = parsed
        const observer = context.routing.observeModel(models[0])
        return request.stream === true
          ? stream(parsed, observer, context)
          : complete(parsed, observer, context)
      })
    }
  } satisfies OperationHandlers<typeof ChatApi>
})

/** For providers with Anthropic's API alone. */
const addBetas = (parsed: ParsedChat, betas: string | undefined): ParsedChat =>
  betas === undefined
    ? parsed
    : {
        ...parsed,
        dialectHeaders: { dialect: "messages", headers: { "anthropic-beta": betas } }
      }
