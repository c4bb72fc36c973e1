/** Answers chats in process, by any of their APIs, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { type ParseOptions, parseInProcess, type ParseResult } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../instance/Settings.ts"
import type { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import type { ChatAnswer } from "./ChatAnswer.ts"
import { type ChatError, Chats } from "./Chats.ts"
import { flattenExtra } from "./request/flattenExtra.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import type { ChatStream } from "./stream/streamChat.ts"

export type ChatServices = Context.Context<Callers | Chats>

/** How an API reads a request, and writes a whole or a streamed answer. */
export interface ChatTranslation<Chat, Whole, Streamed> {
  readonly parse: (text: string, options: ParseOptions) => ParseResult<Chat>
  readonly write: (answer: ChatAnswer, chat: Chat) => Whole
  readonly writeStream: (stream: ChatStream, chat: Chat) => Streamed
}

interface CallOptions<Translation> {
  /** Default: the application itself. */
  readonly caller?: CallerConfig | undefined
  /** Loaded when it is needed. */
  readonly translation: Effect.Effect<Translation>
  readonly observer?: RouteObserver | undefined
}

type Failure = ChatError | RequestTooLarge

/** Functions that begin when they are called. */
export const makeAnswersInProcess = (services: ChatServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const settings = Context.get(services, Settings)

  const begin = <Chat, Whole, Streamed>(
    request: unknown,
    { caller, translation }: CallOptions<ChatTranslation<Chat, Whole, Streamed>>
  ) =>
    Effect.flatMapEager(resolveCallerWith(callers, caller), (caller) =>
      Effect.flatMapEager(flattenExtra(request), (flat) =>
        Effect.flatMapEager(translation, (translation) =>
          Effect.mapEager(parseInProcess(flat, settings, translation.parse), (chat) => ({
            caller,
            chat,
            translation
          }))
        )
      )
    )

  return {
    complete: <Chat extends { readonly parsed: ParsedChat }, Whole, Streamed>(
      request: unknown,
      options: CallOptions<ChatTranslation<Chat, Whole, Streamed>>
    ): Effect.Effect<Whole, Failure> =>
      Effect.flatMapEager(begin(request, options), ({ caller, chat, translation }) =>
        Effect.mapEager(chats.answer(caller, chat.parsed, options.observer), (answer) =>
          translation.write(answer, chat)
        )
      ),
    stream: <Chat extends { readonly parsed: ParsedChat }, Whole, Streamed>(
      request: unknown,
      options: CallOptions<ChatTranslation<Chat, Whole, Streamed>>
    ): Effect.Effect<Streamed, Failure, Scope.Scope> =>
      Effect.flatMapEager(begin(request, options), ({ caller, chat, translation }) =>
        Effect.map(chats.stream(caller, chat.parsed, options.observer), (stream) =>
          translation.writeStream(stream, chat)
        )
      )
  }
}
