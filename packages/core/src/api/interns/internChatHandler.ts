/** The handler of chats with interns. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Drain } from "../../instance/Drain.ts"
import { makeWithTimeout } from "../operation/makeWithTimeout.ts"
import type { Handler } from "../operation/Handler.ts"
import { StreamedReply } from "../operation/Reply.ts"
import { eventStreamResponse } from "../operation/serverSentEvents.ts"
import { Settings } from "../../instance/Settings.ts"
import { InternChats } from "../../domains/interns/chat/InternChats.ts"
import { parseTurn } from "../../domains/interns/chat/parseTurn.ts"
import { Interns } from "../../domains/interns/Interns.ts"
import type { internChatEndpoint } from "./internChatEndpoint.ts"
import { toInternChatEvents } from "./toInternChatEvents.ts"

export const makeInternChatHandler = Effect.gen(function* () {
  const chats = yield* InternChats
  const clock = yield* Clock.Clock
  const drain = yield* Drain
  const interns = yield* Interns
  const { keepaliveMillis } = yield* Settings
  const withTimeout = yield* makeWithTimeout

  const handle: Handler<typeof internChatEndpoint> = Effect.fnUntraced(function* (
    { params, payload },
    { caller, internHostname, scope }
  ) {
    const turn = yield* Effect.fromResult(parseTurn(payload))
    const intern = yield* withTimeout(
      internHostname === undefined
        ? interns.get(caller, params.internId)
        : chats.getByHostname(caller, internHostname)
    )
    const answer = yield* Scope.provide(chats.chat(caller, intern, turn), scope)
    if (answer.type === "steered") {
      const body = { session_id: answer.session, status: "steered" }
      return new StreamedReply(Stream.empty, () =>
        HttpServerResponse.jsonUnsafe(body, { status: 202 })
      )
    }
    return new StreamedReply(answer.chunks, () =>
      eventStreamResponse(toInternChatEvents(answer, { clock, keepaliveMillis, drain }))
    )
  })
  return handle
})
