/** Writes a streamed answer of any provider as the events of Anthropic's API. */
import type { ChatStream } from "../chat/stream/streamChat.ts"
import { makeMessagesEventWriter } from "../../dialects/messages/writeEvents.ts"
import { addMessagesUsage } from "../../dialects/messages/parseMessagesUsage.ts"
import { writeStopDetails } from "../../dialects/messages/stopReasons.ts"
import { makeMessage, writeMessagesUsage } from "../../dialects/messages/writeAnswer.ts"
import {
  type MessagesErrorFacts,
  writeMessagesError
} from "../../dialects/messages/writeMessagesError.ts"
import type { NamedEvent } from "../../dialects/NamedEvent.ts"
import type { UsageFacts } from "../../dialects/AnswerFacts.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { flatMapFew } from "../../values/flatMapFew.ts"
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
import type { MessagesChat } from "./parseMessagesChat.ts"
import { toUsageFacts, writeUsage } from "./writeMessage.ts"

type Json = Readonly<Record<string, unknown>>

/** The events of one answer; each function returns those that are to be sent. */
export interface MessageEventWriter {
  readonly write: (pieces: ReadonlyArray<ChatDeltaEvent>) => ReadonlyArray<NamedEvent>
  /** Writes the end of a complete answer. `metadata` says how it was routed. */
  readonly end: (metadata?: Json) => ReadonlyArray<NamedEvent>
  /** Writes the end of an answer that broke off: nothing follows. */
  readonly fail: (error: MessagesErrorFacts) => ReadonlyArray<NamedEvent>
  /** Whether `message_start` has been written, which only comments may precede. */
  readonly hasStarted: () => boolean
}

interface AnswerWriter {
  readonly write: (piece: ChatDeltaEvent) => ReadonlyArray<NamedEvent>
  readonly end: (facts: UsageFacts) => ReadonlyArray<NamedEvent>
}

type StreamFacts = Pick<ChatStream, "id" | "isCached" | "model" | "provider" | "toEnd">

export const makeMessageEventWriter = (
  stream: StreamFacts,
  chat: Pick<MessagesChat, "tools"> & { readonly parsed: { readonly inputTokens: number } }
): MessageEventWriter => {
  const { id, isCached } = stream
  const inputTokens = isCached === true ? 0 : chat.parsed.inputTokens
  let answer: AnswerWriter | undefined
  const start = (isNative: boolean): AnswerWriter =>
    isNative ? passOnEvents(stream, inputTokens) : translateEvents(stream, chat.tools, inputTokens)

  return {
    write: (pieces) =>
      flatMapFew(pieces, (piece) => (answer ??= start(piece.native !== undefined)).write(piece)),
    end: (metadata) => {
      const { marks, ...end } = stream.toEnd()
      const events = (answer ??= start(false)).end(toUsageFacts(end, marks.serviceTier))
      return metadata === undefined
        ? events
        : events.map((event) =>
            event.type === "message_delta" ? { ...event, ...metadata } : event
          )
    },
    fail: (error) => [{ type: "error", error: writeMessagesError(error), request_id: id }],
    hasStarted: () => answer !== undefined
  }
}

const translateEvents = (
  { id, model, provider }: StreamFacts,
  tools: MessagesChat["tools"],
  inputTokens: number
): AnswerWriter => {
  const writer = makeMessagesEventWriter({ id, model, tools, inputTokens })
  const addProvider = (event: NamedEvent): NamedEvent =>
    event.type === "message_start" && isObject(event["message"])
      ? { ...event, message: { ...event["message"], provider } }
      : event
  return {
    write: (piece) => writer.write(piece).map(addProvider),
    end: (facts) => writer.end(facts).map(addProvider)
  }
}

/** The events of a provider that speaks this API. Start and end are the router's, so that ids and counts are. */
const passOnEvents = (
  { id, model, provider }: StreamFacts,
  estimatedTokens: number
): AnswerWriter => {
  // Added to in place: an event that is repeated must not copy what others said.
  const usage: Record<string, unknown> = {}
  const end: Record<string, unknown> = {}
  const delta: Record<string, unknown> = {}
  let open: unknown
  let hasStarted = false

  const startMessage = (native: unknown): ReadonlyArray<NamedEvent> => {
    if (hasStarted) return []
    hasStarted = true
    const message = isObject(native) ? native : {}
    addMessagesUsage(usage, message["usage"])
    const estimate = { inputTokens: estimatedTokens, outputTokens: 0 }
    return [
      {
        type: "message_start",
        message: {
          ...makeMessage(id, model),
          ...message,
          id,
          model,
          provider,
          // Some clients add up the output of start and end.
          usage: { ...writeMessagesUsage({ usage: estimate }), ...usage, output_tokens: 0 }
        }
      }
    ]
  }

  const pass = (event: Json): ReadonlyArray<NamedEvent> => {
    switch (event["type"]) {
      case "message_start":
        return startMessage(event["message"])
      case "message_delta": {
        addMessagesUsage(usage, event["usage"])
        addFields(end, event)
        if (isObject(event["delta"])) addFields(delta, event["delta"])
        return []
      }
      case "message_stop":
        return []
      case "content_block_start":
        open = event["index"]
        break
      case "content_block_stop":
        open = undefined
        break
    }
    if (!isNamed(event)) return []
    return hasStarted ? [event] : [...startMessage(undefined), event]
  }

  return {
    write: ({ native = [] }) => flatMapFew(native, pass),
    end: (facts) => [
      ...startMessage(undefined),
      ...(open === undefined ? [] : [{ type: "content_block_stop", index: open }]),
      {
        ...end,
        type: "message_delta",
        delta: {
          stop_reason: null,
          stop_sequence: null,
          container: null,
          ...delta,
          stop_details: delta["stop_details"] ?? writeStopDetails(delta["stop_reason"])
        },
        usage: writeUsage(facts, usage)
      },
      { type: "message_stop" }
    ]
  }
}

const isNamed = (event: Json): event is NamedEvent => typeof event["type"] === "string"

const addFields = (fields: Record<string, unknown>, later: Json): void => {
  for (const name of Object.keys(later)) setOwn(fields, name, later[name])
}
