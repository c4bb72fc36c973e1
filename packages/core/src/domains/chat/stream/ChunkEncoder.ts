/** Encodes the events of an answer as the chunks of https://platform.openai.com/docs/api-reference/chat-streaming. */
import { ChatDeltaWriter } from "../../../dialects/chat/writeEvents.ts"
import type {
  ChatDelta,
  ChatServingInfo,
  ChatDeltaEvent
} from "../../../engine/upstreams/ChatCapability.ts"
import type { ChatChunk, ChatChunkChoice } from "./ChatChunk.ts"
import type { AnswerHead, ChatUsage } from "../ChatCompletion.ts"

/** The fields that are the same in every chunk. */
export type ChunkHead = Pick<ChatChunk, "id" | "object" | "created" | "model" | "provider">

export const toChunkHead = ({ id, model, provider, startedAt }: AnswerHead): ChunkHead => ({
  id,
  object: "chat.completion.chunk",
  created: Math.floor(startedAt / 1_000),
  model,
  provider
})

export const makeChunkEncoder = (head: ChunkHead): ((piece: ChatDeltaEvent) => ChatChunk) => {
  const choices = new ChoiceWriter()
  return (piece) => ({
    ...head,
    choices: piece.choices.map((choice) => choices.write(choice)),
    ...toChunkMarks(piece),
    ...(piece.sentBody === undefined ? undefined : { debug: toDebug(piece.sentBody) })
  })
}

/** https://openrouter.ai/docs/api/reference/errors-and-debugging#debug-option-shape */
const toDebug = (body: unknown): ChatChunk["debug"] & object => ({ echo_upstream_body: body })

/** Writes the choices of one answer. */
class ChoiceWriter {
  /** Of the choices that have begun, with the writers of those that a provider wrote in another dialect. */
  readonly #writers = new Map<number, ChatDeltaWriter | undefined>()

  /** The first piece of each choice gets the `role`. */
  write(choice: ChatDelta): ChatChunkChoice {
    const { end, index, logprobs } = choice
    const isFirst = !this.hasStarted(index)
    const delta = this.#writeDelta(choice)
    return {
      index,
      // Content is passed through unchecked; the type is the dialect's specification.
      delta: isFirst ? { role: "assistant", ...delta } : delta,
      finish_reason: end?.reason ?? null,
      native_finish_reason: end?.nativeReason ?? end?.reason ?? null,
      ...(logprobs === undefined ? undefined : { logprobs })
    }
  }

  hasStarted(index: number): boolean {
    return this.#writers.has(index)
  }

  /** Chunks of a provider with this dialect are passed on. */
  #writeDelta({ events, index, native }: ChatDelta): Readonly<Record<string, unknown>> {
    let writer = this.#writers.get(index)
    if (native === undefined) writer ??= new ChatDeltaWriter()
    this.#writers.set(index, writer)
    return native ?? writer?.write(events) ?? {}
  }
}

/** Encodes pieces that arrive together as server-sent events. The fields that never change are serialized once. */
export const makeEventEncoder = (
  head: ChunkHead
): ((pieces: ReadonlyArray<ChatDeltaEvent>) => string) => {
  const start = `data: ${JSON.stringify(head).slice(0, -1)},"choices":[`
  const writer = new ChoiceWriter()
  return (pieces) => {
    let text = ""
    for (const { choices, sentBody, serviceTier, systemFingerprint } of pieces) {
      text += start
      for (let i = 0; i < choices.length; i++) {
        const choice = choices[i]
        if (choice !== undefined) text += (i === 0 ? "" : ",") + encodeChoice(choice, writer)
      }
      text += "]"
      if (systemFingerprint !== undefined)
        text += `,"system_fingerprint":${JSON.stringify(systemFingerprint)}`
      if (serviceTier !== undefined) text += `,"service_tier":${JSON.stringify(serviceTier)}`
      if (sentBody !== undefined) text += `,"debug":${JSON.stringify(toDebug(sentBody))}`
      text += "}\n\n"
    }
    return text
  }
}

/** The JSON of a choice. The usual piece is text of a choice that goes on. */
const encodeChoice = (delta: ChatDelta, writer: ChoiceWriter): string => {
  const { end, events, index, logprobs, native } = delta
  const isUsual =
    end === undefined &&
    logprobs === undefined &&
    writer.hasStarted(index) &&
    Number.isSafeInteger(index)
  if (!isUsual) return JSON.stringify(writer.write(delta))
  const event = events[0]
  const isText = native === undefined && events.length === 1 && event?.type === "text"
  // Each string that is put together is garbage soon.
  if (isText && index === 0) return beforeText + JSON.stringify(event.text) + afterText
  const written = isText ? { content: event.text } : writer.write(delta).delta
  return `{"index":${index},"delta":${JSON.stringify(written)}${afterDelta}`
}

const beforeText = '{"index":0,"delta":{"content":'
const afterDelta = ',"finish_reason":null,"native_finish_reason":null}'
const afterText = `}${afterDelta}`

export const makeLastChunk = (
  head: ChunkHead,
  { marks, usage }: { readonly marks: ChatServingInfo; readonly usage: ChatUsage }
): ChatChunk => ({
  ...head,
  choices: [],
  ...toChunkMarks(marks),
  usage
})

/** In the fields of the HTTP API; fields the provider omits are left out. */
export const toChunkMarks = ({
  serviceTier,
  systemFingerprint
}: ChatServingInfo): Pick<ChatChunk, "service_tier" | "system_fingerprint"> => ({
  ...(systemFingerprint === undefined ? undefined : { system_fingerprint: systemFingerprint }),
  ...(serviceTier === undefined ? undefined : { service_tier: serviceTier })
})
