/** Handlers of chats. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { Chats } from "../../chat/Chats.ts"
import { decodeChatRequest } from "../../chat/parseChatRequest.ts"
import { Settings } from "../../Settings.ts"
import type { ChatApi } from "../api/ChatApi.ts"
import type { LegacyContext, Handlers } from "../legacyHandlers.ts"
import { chatLimit } from "../BodyLimit.ts"
import { toChatEvents } from "../toChatEvents.ts"
import { Drain } from "../Drain.ts"
import type { ExpectedError } from "../errors/toErrorResponse.ts"
import { NotJson } from "../HttpErrors.ts"
import { isJson } from "../isJson.ts"
import { readBody } from "../readBody.ts"

export const chatHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = chatLimit(settings)
  const chats = yield* Chats
  const drain = yield* Drain

  const complete = Effect.fnUntraced(function* ({
    caller,
    request,
    routing
  }: LegacyContext): Effect.fn.Return<
    HttpServerResponse.HttpServerResponse,
    ExpectedError,
    Scope.Scope
  > {
    const { headers } = request
    // Refused before its body is read.
    yield* chats.permit(caller)
    if (!isJson(headers)) return yield* new NotJson()
    const { bytes, json } = yield* readBody(request, limit)
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
          // A proxy that gathers what it passes on would make one piece of many.
          "x-accel-buffering": "no",
          "x-generation-id": stream.id
        }
      }
    )
  })

  return { complete } satisfies Handlers<typeof ChatApi>
})
