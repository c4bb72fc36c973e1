/** Handlers of chats with interns. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Unauthenticated } from "../../auth/AuthErrors.ts"
import { askedTurn } from "../../interns/askedTurn.ts"
import { InternChatRequest } from "../../interns/InternChatRequest.ts"
import { InternChats } from "../../interns/InternChats.ts"
import { Interns } from "../../interns/Interns.ts"
import { Settings } from "../../Settings.ts"
import type { InternChatsApi } from "../api/InternChatsApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { Drain } from "../Drain.ts"
import { inTime } from "../inTime.ts"
import { internChatEvents } from "../internChatEvents.ts"
import { internDoors } from "../internDoors.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { readInternBody } from "../readInternBody.ts"

export const internChatsHandlers = Effect.gen(function* () {
  const behindDoors = yield* internDoors
  const chats = yield* InternChats
  const drain = yield* Drain
  const interns = yield* Interns
  const { keepaliveMillis } = yield* Settings
  const bounded = yield* inTime

  /** By its hostname where the request was sent to one, which is no place in a path. */
  const internOf = ({ caller, params: { hostname, internId = "" } }: Asked) =>
    hostname === undefined ? interns.find(caller, internId) : chats.findAt(caller, hostname)

  const read = behindDoors(
    Effect.fnUntraced(function* (asked: Asked) {
      // Source: semantics D1.
      if (asked.caller.kind === "management") {
        return yield* new Unauthenticated({ reason: "management_key" })
      }
      const turn = yield* Effect.fromResult(askedTurn(yield* readChat(asked.request)))
      return { intern: yield* internOf(asked), turn }
    })
  )

  return {
    chat: Effect.fnUntraced(function* (asked) {
      const { intern, turn } = yield* bounded(read(asked))
      const answer = yield* chats.chat(asked.caller, intern, turn)
      return answer.type === "steered"
        ? jsonAnswer({ session_id: answer.session, status: "steered" }, 202)
        : HttpServerResponse.stream(internChatEvents(answer, { keepaliveMillis, drain }), {
            contentType: "text/event-stream",
            headers: {
              "cache-control": "no-cache",
              // A proxy that gathers what it passes on would make one piece of many.
              "x-accel-buffering": "no"
            }
          })
    })
  } satisfies Handlers<typeof InternChatsApi>
})

const readChat = readInternBody(InternChatRequest)
