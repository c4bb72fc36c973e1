/** Handlers of the chat operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Chats } from "../Chats.ts"
import { decodeChatRequest } from "../request/parseChatRequest.ts"
import { Settings } from "../../Settings.ts"
import type { ChatApi } from "./ChatApi.ts"
import { chatLimit } from "../../http/body/BodyLimit.ts"
import { Drain } from "../../Drain.ts"
import { NotJson } from "../../http/errors/HttpErrors.ts"
import { isJson } from "../../http/body/isJson.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { toChatEvents } from "./toChatEvents.ts"

export const chatHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const drain = yield* Drain

  return {
    complete: Effect.fnUntraced(function* (_, { caller, headers, readBody, routing }) {
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
      const stream = yield* chats.stream(caller, parsed, observer)
      return HttpServerResponse.stream(
        toChatEvents(stream, {
          keepaliveMillis: settings.keepaliveMillis,
          drain,
          toRoutingMetadata: () => routing.toMetadata()
        }),
        {
          contentType: "text/event-stream",
          headers: {
            "cache-control": "no-cache",
            // Keeps proxies such as nginx from buffering the events.
            "x-accel-buffering": "no",
            "x-generation-id": stream.id
          }
        }
      )
    })
  } satisfies OperationHandlers<typeof ChatApi>
})
