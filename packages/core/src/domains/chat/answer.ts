/** Answers conversations in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import type { Conversation } from "../../conversation/Conversation.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import { Settings } from "../../instance/Settings.ts"
import type { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { loadOnce } from "../../values/loadOnce.ts"
import type { ChatAnswer } from "./ChatAnswer.ts"
import { type ChatError, Chats } from "./Chats.ts"
import type { ChatServices } from "./makeAnswersInProcess.ts"
import type { AnswerPiece } from "./stream/AnswerPiece.ts"

/**
 * The fields of a chat request that a conversation does not say: the model, its fallbacks (`models`), routing preferences
 * (`provider`), labels, parameters, and those of a provider in `extra`. What the conversation says takes precedence.
 */
export type AnswerFields = Readonly<Record<string, unknown>>

/** Functions that begin when they are called. */
export const makeAnswer = (services: ChatServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const settings = Context.get(services, Settings)

  const begin = (
    conversation: Conversation,
    fields: AnswerFields,
    config: CallerConfig | undefined
  ) =>
    Effect.flatMapEager(resolveCallerWith(callers, config), (caller) =>
      Effect.flatMapEager(loadTranslation(), ({ parseChatOf, toPieces }) =>
        Effect.mapEager(parseChatOf(conversation, fields, settings), (parsed) => ({
          caller,
          parsed,
          toPieces
        }))
      )
    )

  return {
    complete: (
      conversation: Conversation,
      fields: AnswerFields,
      caller?: CallerConfig,
      observer?: RouteObserver
    ): Effect.Effect<ChatAnswer, ChatError | RequestTooLarge> =>
      Effect.flatMapEager(begin(conversation, fields, caller), ({ caller, parsed }) =>
        chats.answer(caller, parsed, observer)
      ),
    stream: (
      conversation: Conversation,
      fields: AnswerFields,
      caller?: CallerConfig,
      observer?: RouteObserver
    ): Effect.Effect<
      Stream.Stream<AnswerPiece, RoutingError>,
      ChatError | RequestTooLarge,
      Scope.Scope
    > =>
      Effect.flatMapEager(begin(conversation, fields, caller), ({ caller, parsed, toPieces }) =>
        Effect.map(chats.stream(caller, parsed, observer), toPieces)
      )
  }
}

const loadTranslation = loadOnce(() => import("./answerTranslation.ts"))
