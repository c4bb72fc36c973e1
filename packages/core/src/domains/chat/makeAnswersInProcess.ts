/** Answers chats in process, by any of their APIs, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import type { PresetApi, PresetUnavailable } from "../presets/Preset.ts"
import { Presets } from "../presets/Presets.ts"
import { parseWithPreset } from "../presets/namesPreset.ts"
import type { ChatAnswer } from "./ChatAnswer.ts"
import { type ChatError, Chats } from "./Chats.ts"
import { flattenExtra, type ParsedChat } from "./request/parseChatRequest.ts"
import type { ChatStream } from "./stream/streamChat.ts"
import * as Step from "../../values/Step.ts"

export type ChatServices = Context.Context<Callers | Chats | Presets>

/** How an API reads a request, and writes a whole or a streamed answer. */
export interface ChatTranslation<Request, Chat, Whole, Streamed> {
  readonly parse: (
    request: Request,
    settings: SettingsShape,
    presets: Presets["Service"],
    caller: Caller
  ) => Effect.Effect<Chat, InvalidRequest | PresetUnavailable | RequestTooLarge>
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

type Failure = ChatError | CustomerRefused | PresetUnavailable | RequestTooLarge

/** Reads the fields of `extra` as fields of the request, and the request as JSON. */
export const parseAsJson =
  <Chat>(
    api: PresetApi,
    decode: (json: unknown, options: ParseOptions) => ParseResult<Chat>
  ): ChatTranslation<unknown, Chat, never, never>["parse"] =>
  (request, settings, presets, caller) =>
    Step.flatMap(flattenExtra(request), (flat) =>
      parseWithPreset(flat, settings, decode, { api, caller, presets })
    )

/** Functions that begin when they are called. */
export const makeAnswersInProcess = (services: ChatServices) => {
  const callers = Context.get(services, Callers)
  const chats = Context.get(services, Chats)
  const presets = Context.get(services, Presets)
  const settings = Context.get(services, Settings)

  const begin = <Request, Chat, Whole, Streamed>(
    request: Request,
    { caller, translation }: CallOptions<ChatTranslation<Request, Chat, Whole, Streamed>>
  ) =>
    Step.flatMap(resolveCallerWith(callers, caller), (caller) =>
      Step.flatMap(translation, (translation) =>
        Step.map(translation.parse(request, settings, presets, caller), (chat) => ({
          caller,
          chat,
          translation
        }))
      )
    )

  return {
    complete: <Request, Chat extends { readonly parsed: ParsedChat }, Whole, Streamed>(
      request: Request,
      options: CallOptions<ChatTranslation<Request, Chat, Whole, Streamed>>
    ): Effect.Effect<Whole, Failure> =>
      Step.flatMap(begin(request, options), ({ caller, chat, translation }) =>
        Step.map(chats.answer(caller, chat.parsed, options.observer), (answer) =>
          translation.write(answer, chat)
        )
      ),
    stream: <Request, Chat extends { readonly parsed: ParsedChat }, Whole, Streamed>(
      request: Request,
      options: CallOptions<ChatTranslation<Request, Chat, Whole, Streamed>>
    ): Effect.Effect<Streamed, Failure, Scope.Scope> =>
      Step.flatMap(begin(request, options), ({ caller, chat, translation }) =>
        Effect.map(chats.stream(caller, chat.parsed, options.observer), (stream) =>
          translation.writeStream(stream, chat)
        )
      )
  }
}
