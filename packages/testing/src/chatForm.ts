/** Answers in the form of the chat API, in which tests say what is expected, and in which they script providers. */
import {
  type AnswerEnd,
  ChatDeltaWriter,
  makeChatDeltaReader,
  parseChatAnswer,
  writeChatMessage
} from "@signalbox/core/dialects"
import type { ChatChoice, ChatDelta, ChatEvent, ChatReply } from "@signalbox/core/upstream"

type Json = Readonly<Record<string, unknown>>

interface ChatEnd {
  readonly finishReason: string | null
  readonly nativeFinishReason?: string
  readonly end?: Pick<AnswerEnd, "explanation" | "stopSequence">
  readonly logprobs?: unknown
}

/** A choice as the chat API has it. */
export interface WrittenChoice extends ChatEnd {
  readonly index: number
  readonly message: Json
}

/** A piece of a choice as the chat API has it. */
export interface WrittenDelta extends ChatEnd {
  readonly index: number
  readonly delta: Json
}

const writeEnd = (end: AnswerEnd | undefined): ChatEnd => {
  const { explanation, nativeReason, reason = null, stopSequence } = end ?? {}
  const told = {
    ...(explanation === undefined ? undefined : { explanation }),
    ...(stopSequence === undefined ? undefined : { stopSequence })
  }
  return {
    finishReason: reason,
    ...(nativeReason === undefined ? undefined : { nativeFinishReason: nativeReason }),
    ...(Object.keys(told).length === 0 ? undefined : { end: told })
  }
}

const parseEnd = ({ end, finishReason, nativeFinishReason }: ChatEnd): AnswerEnd => ({
  reason: finishReason,
  ...(nativeFinishReason === undefined ? undefined : { nativeReason: nativeFinishReason }),
  ...end
})

export const writeChoice = ({ answer, index, native }: ChatChoice): WrittenChoice => ({
  index,
  message: native ?? writeChatMessage(answer),
  ...writeEnd(answer.end),
  ...(answer.logprobs === undefined ? undefined : { logprobs: answer.logprobs })
})

/** The reply with its choices as the chat API has them. */
export const writeReply = ({
  choices,
  ...reply
}: ChatReply): Omit<ChatReply, "choices"> & { readonly choices: ReadonlyArray<WrittenChoice> } => ({
  choices: choices.map(writeChoice),
  ...reply
})

/** Writes the pieces of one stream, in order. */
export const makeDeltaWriter = (): ((delta: ChatDelta) => WrittenDelta) => {
  const writers = new Map<number, ChatDeltaWriter>()
  return ({ end, events, index, logprobs, native }) => {
    const writer = writers.get(index) ?? new ChatDeltaWriter()
    writers.set(index, writer)
    return {
      index,
      delta: native ?? writer.write(events),
      ...writeEnd(end),
      ...(logprobs === undefined ? undefined : { logprobs })
    }
  }
}

/** An event of a stream with its pieces as the chat API has them. */
export type WrittenEvent =
  | (Omit<Extract<ChatEvent, { readonly type: "delta" }>, "choices"> & {
      readonly choices: ReadonlyArray<WrittenDelta>
    })
  | Extract<ChatEvent, { readonly type: "end" }>

export const writeEvents = (events: ReadonlyArray<ChatEvent>): ReadonlyArray<WrittenEvent> => {
  const write = makeDeltaWriter()
  return events.map((event) =>
    event.type === "end" ? event : { ...event, choices: event.choices.map(write) }
  )
}

/** A choice of a provider that speaks another API, from the message that says the same. */
export const parseChoice = ({ index, logprobs, message, ...end }: WrittenChoice): ChatChoice => {
  const { parts } = parseChatAnswer(message, { reason: null })
  return {
    index,
    answer: { parts, end: parseEnd(end), ...(logprobs === undefined ? undefined : { logprobs }) }
  }
}

/** Reads the pieces of one stream, in order. */
export const makeDeltaParser = (): ((delta: WrittenDelta) => ChatDelta) => {
  const readers = new Map<number, ReturnType<typeof makeChatDeltaReader>>()
  return ({ delta, index, logprobs, ...end }) => {
    const read = readers.get(index) ?? makeChatDeltaReader()
    readers.set(index, read)
    return {
      index,
      events: read(delta),
      ...(end.finishReason === null ? undefined : { end: parseEnd(end) }),
      ...(logprobs === undefined ? undefined : { logprobs })
    }
  }
}
