/** Handlers of chats with interns. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { InternChats } from "../chat/InternChats.ts"
import { parseTurn } from "../chat/parseTurn.ts"
import { Interns } from "../Interns.ts"
import { Settings } from "../../Settings.ts"
import type { InternChatsApi } from "./InternChatsApi.ts"
import { Drain } from "../../Drain.ts"
import { makeWithTimeout } from "../../http/operation/makeWithTimeout.ts"
import type { OperationHandlers } from "../../http/operation/OperationInput.ts"
import { reply } from "../../http/operation/Reply.ts"
import { toInternChatEvents } from "./toInternChatEvents.ts"

export const internChatsHandlers = Effect.gen(function* () {
  const chats = yield* InternChats
  const drain = yield* Drain
  const interns = yield* Interns
  const { keepaliveMillis } = yield* Settings
  const withTimeout = yield* makeWithTimeout

  return {
    chat: Effect.fnUntraced(function* ({ params, payload }, { caller, internHostname }) {
      const turn = yield* Effect.fromResult(parseTurn(payload))
      const intern = yield* withTimeout(
        internHostname === undefined
          ? interns.find(caller, params.internId)
          : chats.getByHostname(caller, internHostname)
      )
      const answer = yield* chats.chat(caller, intern, turn)
      return answer.type === "steered"
        ? reply(202, { session_id: answer.session, status: "steered" as const })
        : HttpServerResponse.stream(toInternChatEvents(answer, { keepaliveMillis, drain }), {
            contentType: "text/event-stream",
            headers: {
              "cache-control": "no-cache",
              // A proxy that buffers what it passes on would hold back the pieces.
              "x-accel-buffering": "no"
            }
          })
    })
  } satisfies OperationHandlers<typeof InternChatsApi>
})
