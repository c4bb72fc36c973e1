/** Writes a streamed chat as the events of Anthropic's API: https://platform.claude.com/docs/en/api/messages-streaming. */
import type { ChatDelta, ChatDeltaEvent } from "../../upstreams/ChatCapability.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { makeToolFinder } from "../CalledTool.ts"
import type { NamedEvent } from "../NamedEvent.ts"
import type { StreamedCall } from "../StreamedCalls.ts"
import { BlockWriter } from "./BlockWriter.ts"
import { type AnswerPiece, ChatDeltaReader } from "./ChatDeltaReader.ts"
import { writeStopReason } from "./stopReasons.ts"
import { makeMessage, type MessageFacts } from "./writeMessagesAnswer.ts"
import { type MessagesErrorFacts, writeMessagesError } from "./writeMessagesError.ts"
import { writeMessagesUsage } from "./writeMessagesUsage.ts"

/** What is known of a message when it begins. */
export interface MessageStart extends Pick<MessageFacts, "id" | "model" | "tools"> {
  /** Counted or estimated: some clients take it from nowhere else. */
  readonly inputTokens: number
}

/** The events of one message; each method returns those that are to be sent. */
export interface MessagesEventWriter {
  /** The event before all others, which the first delta writes as well. */
  readonly start: () => ReadonlyArray<NamedEvent>
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<NamedEvent>
  /** Of a complete answer. Without a usage, its length is the estimate. */
  readonly end: (facts: UsageFacts) => ReadonlyArray<NamedEvent>
  /** Of an answer that broke off or reported an error: nothing follows. */
  readonly fail: (error: MessagesErrorFacts) => ReadonlyArray<NamedEvent>
}

/** Keeps a connection alive; may be sent at any time after the start. */
export const pingEvent: NamedEvent = { type: "ping" }

/**
 * Events come in the order of the deltas, with one exception: because blocks follow one another, what comes while a call
 * is unfinished waits, so that calls whose arguments come by turns keep all of them.
 */
export const makeMessagesEventWriter = (facts: MessageStart): MessagesEventWriter => {
  const blocks = new BlockWriter(facts.id, makeToolFinder(facts.tools ?? []))
  const deltas = new ChatDeltaReader()
  const begun = new Set<StreamedCall>()
  const queue = new PieceQueue()
  let isStarted = false
  let hasEnded = false
  let end: DeltaEnd = { finishReason: null }

  const start = (): ReadonlyArray<NamedEvent> => {
    if (isStarted || hasEnded) return []
    isStarted = true
    const usage = writeMessagesUsage({ usage: { inputTokens: facts.inputTokens, outputTokens: 0 } })
    return [{ type: "message_start", message: { ...makeMessage(facts.id, facts.model), usage } }]
  }

  const isBlocked = (piece: AnswerPiece): boolean => {
    if (piece.type === "call") {
      return isUnnamed(piece.call) || blocks.isUnfinished()
    }
    return blocks.isUnfinished() && blocks.hasInput()
  }

  const write = (piece: AnswerPiece): void => {
    switch (piece.type) {
      case "text":
        return blocks.writeText(piece)
      case "thought":
        return blocks.writeThought(piece)
      case "encrypted":
        return blocks.writeEncrypted(piece)
      case "call":
        begun.add(piece.call)
        blocks.startCall(piece.call)
        return blocks.writeInput(piece.text)
    }
  }

  const accept = (piece: AnswerPiece): void => {
    if (piece.type === "call" && begun.has(piece.call)) {
      // A call that is closed was complete.
      if (blocks.isOpen(piece.call)) blocks.writeInput(piece.text)
    } else queue.push(piece)
    for (let next = queue.first(); next !== undefined && !isBlocked(next); next = queue.first()) {
      write(queue.shift(next))
    }
  }

  /** A call without a name is none; one without an id gets one. */
  const flush = (): void => {
    for (let next = queue.first(); next !== undefined; next = queue.first()) {
      const piece = queue.shift(next)
      if (piece.type !== "call" || piece.call.name !== undefined) write(piece)
    }
    blocks.close()
  }

  return {
    start,
    write: ({ choices }) => {
      if (hasEnded) return []
      const events = start()
      for (const choice of choices) {
        // The API has one answer only.
        if (choice.index !== 0) continue
        for (const piece of deltas.read(choice.delta)) accept(piece)
        end = mergeEnds(end, choice)
      }
      return [...events, ...blocks.takeEvents()]
    },
    end: (ending) => {
      if (hasEnded) return []
      const events = start()
      flush()
      hasEnded = true
      const { usage = estimateUsage(facts, blocks) } = ending
      return [
        ...events,
        ...blocks.takeEvents(),
        {
          type: "message_delta",
          delta: {
            ...writeStopReason({
              finishReason: end.finishReason,
              nativeReason: end.nativeFinishReason,
              stopSequence: end.end?.stopSequence,
              explanation: end.end?.explanation,
              hasCalls: blocks.hasCalls
            }),
            container: null
          },
          usage: writeMessagesUsage({ ...ending, usage })
        },
        { type: "message_stop" }
      ]
    },
    fail: (error) => {
      if (hasEnded) return []
      hasEnded = true
      return [{ type: "error", error: writeMessagesError(error) }]
    }
  }
}

type DeltaEnd = Pick<ChatDelta, "end" | "finishReason" | "nativeFinishReason">

/** The reason may come before what else is known of the end. */
const mergeEnds = (end: DeltaEnd, later: DeltaEnd): DeltaEnd => ({
  ...end,
  ...(later.finishReason === null ? undefined : { finishReason: later.finishReason }),
  ...omitUndefined({ nativeFinishReason: later.nativeFinishReason, end: later.end })
})

const isUnnamed = ({ id, name }: StreamedCall): boolean => id === undefined || name === undefined

const estimateUsage = ({ inputTokens }: MessageStart, { characters }: BlockWriter) => ({
  inputTokens,
  outputTokens: Math.ceil(characters / charactersPerToken)
})

/** Of English text. */
const charactersPerToken = 4

/** Pieces that wait, in order; those of one call are one piece. */
class PieceQueue {
  private readonly pieces: Array<AnswerPiece | undefined> = []
  private readonly texts = new Map<StreamedCall, Array<string>>()
  private at = 0

  push(piece: AnswerPiece): void {
    if (piece.type !== "call") {
      this.pieces.push(piece)
      return
    }
    const texts = this.texts.get(piece.call)
    if (texts !== undefined) texts.push(piece.text)
    else {
      this.texts.set(piece.call, [piece.text])
      this.pieces.push(piece)
    }
  }

  first(): AnswerPiece | undefined {
    return this.pieces[this.at]
  }

  /** Removes the first piece, and returns all of it. */
  shift(first: AnswerPiece): AnswerPiece {
    this.pieces[this.at++] = undefined
    if (this.at === this.pieces.length) {
      this.pieces.length = 0
      this.at = 0
    }
    if (first.type !== "call") return first
    const text = this.texts.get(first.call)?.join("") ?? ""
    this.texts.delete(first.call)
    return { ...first, text }
  }
}
