/** What the APIs in front of chats have in common: a request is decoded, routed, and answered as a whole or in events. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { ChatAnswer } from "../../domains/chat/ChatAnswer.ts"
import { Chats } from "../../domains/chat/Chats.ts"
import type { ParsedChat } from "../../domains/chat/request/parseChatRequest.ts"
import type { ChatStream } from "../../domains/chat/stream/streamChat.ts"
import { Drain } from "../../instance/Drain.ts"
import { namesPreset } from "../../domains/presets/namesPreset.ts"
import type { PresetBody } from "../../domains/presets/Preset.ts"
import { Presets } from "../../domains/presets/Presets.ts"
import type { ChatApiName } from "../../engine/observability/generations/Generation.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { chatLimit } from "../body/BodyLimit.ts"
import { isJson } from "../body/contentType.ts"
import type { JsonBody } from "../body/readBody.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import { type AnswerWriter, type AnyResponse, JsonAnswer, writeAnswer } from "./JsonAnswer.ts"
import type { RequestContext } from "./RequestContext.ts"
import type { RoutingMetadataRecorder } from "./RoutingMetadataRecorder.ts"
import { eventStreamResponse } from "./serverSentEvents.ts"
import * as Step from "../../values/Step.ts"

/** A valid request. */
interface AnsweredChat {
  readonly parsed: ParsedChat
}

interface WriterOptions {
  readonly clock: Clock.Clock
  /** What the answer says of its routing; undefined unless the caller asked for it. */
  readonly routing: Pick<RoutingMetadataRecorder, "addMetadata" | "toMetadata">
}

interface EventWriter extends AnswerWriter<ChatDeltaEvent> {
  /** Makes the text that is sent during silence. Absent: a comment. */
  readonly keepalive?: () => string
}

/** One API in front of chats. */
export interface AnswerApi<Chat extends AnsweredChat> {
  /** Its name, for the presets that its requests use. */
  readonly name: ChatApiName | "chat"
  readonly decode: (
    json: unknown,
    options: ParseOptions,
    headers: RequestContext["headers"]
  ) => ParseResult<Chat>
  readonly write: (answer: ChatAnswer, chat: Chat, options: WriterOptions) => object
  readonly makeEventWriter: (stream: ChatStream, chat: Chat, options: WriterOptions) => EventWriter
  /** Headers with the id of the answer. Default: `x-generation-id`. */
  readonly toHeaders?: (id: string) => Readonly<Record<string, string>>
}

type Answered = Effect.Effect<AnyResponse, ExpectedError>

/** The operation that answers, and the first step of it for operations that only look at the request. */
export const makeAnswerApi = <Chat extends AnsweredChat>(api: AnswerApi<Chat>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const limit = chatLimit(settings)
    const chats = yield* Chats
    const presets = yield* Presets
    const clock = yield* Clock.Clock
    const drain = yield* Drain
    const { keepaliveMillis } = settings
    const { toHeaders = toGenerationIdHeader } = api

    /** Reads and decodes the request, and goes on with it. */
    const readInto = <A>(
      context: RequestContext,
      use: (chat: Chat, context: RequestContext) => Effect.Effect<A, ExpectedError>
    ): Effect.Effect<A, ExpectedError> =>
      isJson(context.headers)
        ? Step.flatMap(context.readBody(limit), (body) =>
            namesPreset(body.json)
              ? Effect.flatMap(presets.apply(context.caller, api.name, body), (applied) =>
                  decodeInto(applied, context, use)
                )
              : decodeInto(body, context, use)
          )
        : Effect.fail(new NotJson())

    const decodeInto = <A>(
      { bytes, json, preset }: JsonBody & Partial<PresetBody>,
      context: RequestContext,
      use: (chat: Chat, context: RequestContext) => Effect.Effect<A, ExpectedError>
    ): Effect.Effect<A, ExpectedError> => {
      const { headers } = context
      const session = findSessionId(headers, settings)
      const decoded = api.decode(json, { bytes, session, settings, preset }, headers)
      return Result.isFailure(decoded)
        ? Effect.fail(decoded.failure)
        : use(decoded.success, context)
    }

    const answer = (chat: Chat, { caller, routing }: RequestContext): Answered =>
      Step.map(
        chats.answer(caller, chat.parsed, routing.observeModel(chat.parsed.models[0])),
        (answer) =>
          new JsonAnswer(api.write(answer, chat, { clock, routing }), toHeaders(answer.id))
      )

    const stream = (chat: Chat, { caller, routing, scope }: RequestContext): Answered =>
      Step.map(
        Step.provideService(
          chats.stream(caller, chat.parsed, routing.observeModel(chat.parsed.models[0])),
          Scope.Scope,
          scope
        ),
        (started) => {
          const writer = api.makeEventWriter(started, chat, { clock, routing })
          const { keepalive } = writer
          return eventStreamResponse(
            writeAnswer(started.pieces, writer, { clock, drain, keepalive, keepaliveMillis }),
            toHeaders(started.id)
          )
        }
      )

    const respond = (chat: Chat, context: RequestContext): Answered =>
      chat.parsed.request.stream === true ? stream(chat, context) : answer(chat, context)

    return {
      read: (context: RequestContext) => readInto(context, Effect.succeed<Chat>),
      create: (_: unknown, context: RequestContext): Answered => readInto(context, respond)
    }
  })

/**
 * Finds the session that the headers of a chat name, for every chat API. Headers of clients count where
 * `x-session-id` is missing, and only if they hold a valid id.
 */
const findSessionId = (
  headers: Readonly<Record<string, string | undefined>>,
  { sessionIdHeaders }: Pick<SettingsShape, "sessionIdHeaders">
): string | undefined => {
  if (headers["x-session-id"] !== undefined) return headers["x-session-id"]
  for (const name of sessionIdHeaders) {
    const value = headers[name.toLowerCase()]
    if (value !== undefined && value !== "" && value.length <= maxLength) return value
  }
  return undefined
}

/** The same maximum as for `session_id`. */
const maxLength = 256
