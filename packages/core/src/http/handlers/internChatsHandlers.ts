/** Handlers of chats with interns. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Unauthenticated } from "../../auth/AuthErrors.ts"
import { parseTurn } from "../../interns/chat/parseTurn.ts"
import { InternChatRequest } from "../../interns/chat/InternChatRequest.ts"
import { InternChats } from "../../interns/chat/InternChats.ts"
import { Interns } from "../../interns/Interns.ts"
import { Settings } from "../../Settings.ts"
import type { InternChatsApi } from "../api/InternChatsApi.ts"
import type { LegacyContext, Handlers } from "../legacyHandlers.ts"
import { Drain } from "../Drain.ts"
import { makeWithTimeout } from "../makeWithTimeout.ts"
import { toInternChatEvents } from "../toInternChatEvents.ts"
import { makeLegacyInternAccess } from "../InternAccess.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { readInternBody } from "../readInternBody.ts"

export const internChatsHandlers = Effect.gen(function* () {
  const requireInternAccess = yield* makeLegacyInternAccess
  const chats = yield* InternChats
  const drain = yield* Drain
  const interns = yield* Interns
  const { keepaliveMillis } = yield* Settings
  const withTimeout = yield* makeWithTimeout

  /** By its hostname where the request was sent to one, which is no place in a path. */
  const findIntern = ({ caller, params: { hostname, internId = "" } }: LegacyContext) =>
    hostname === undefined ? interns.find(caller, internId) : chats.getByHostname(caller, hostname)

  const read = requireInternAccess(
    Effect.fnUntraced(function* (asked: LegacyContext) {
      // Source: semantics D1.
      if (asked.caller.kind === "management") {
        return yield* new Unauthenticated({ reason: "management_key" })
      }
      const turn = yield* Effect.fromResult(parseTurn(yield* readChat(asked.request)))
      return { intern: yield* findIntern(asked), turn }
    })
  )

  return {
    chat: Effect.fnUntraced(function* (asked) {
      const { intern, turn } = yield* withTimeout(read(asked))
      const answer = yield* chats.chat(asked.caller, intern, turn)
      return answer.type === "steered"
        ? jsonResponse({ session_id: answer.session, status: "steered" }, 202)
        : HttpServerResponse.stream(toInternChatEvents(answer, { keepaliveMillis, drain }), {
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
