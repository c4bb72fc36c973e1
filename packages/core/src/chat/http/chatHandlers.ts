/** Handlers of the chat operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { Chats } from "../Chats.ts"
import { decodeChatRequest } from "../request/parseChatRequest.ts"
import { Settings } from "../../Settings.ts"
import type { ChatApi } from "./ChatApi.ts"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { Drain } from "../../Drain.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { eventStreamResponse } from "../../http/operation/serverSentEvents.ts"
import { toChatEvents } from "./toChatEvents.ts"

export const chatHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const clock = yield* Clock.Clock
  const drain = yield* Drain

  return {
    complete: Effect.fnUntraced(function* (_, context) {
      const { caller, headers, readBody, routing } = context
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(limit)
      const parsed = yield* Effect.fromResult(
        decodeChatRequest(json, { bytes, session: headers["x-session-id"], settings })
      )
      const observer = routing.observeModel(parsed.models[0])
      if (parsed.request.stream !== true) {
        const completion = yield* chats.complete(caller, parsed, observer)
        return HttpServerResponse.jsonUnsafe(routing.addMetadata(completion), {
          headers: { "x-generation-id": completion.id }
        })
      }
      const stream = yield* Scope.provide(chats.stream(caller, parsed, observer), context.scope)
      const events = toChatEvents(stream, {
        clock,
        keepaliveMillis: settings.keepaliveMillis,
        drain,
        toRoutingMetadata: () => routing.toMetadata()
      })
      return eventStreamResponse(events, { "x-generation-id": stream.id })
    })
  } satisfies OperationHandlers<typeof ChatApi>
})
