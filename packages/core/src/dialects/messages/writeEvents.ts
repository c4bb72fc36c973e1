/** Writes a streamed chat as the events of Anthropic's API: https://platform.claude.com/docs/en/api/messages-streaming. */
import type { AnswerEnd, MediaEvent } from "../../conversation/Answer.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { AnswerBlocks } from "../AnswerBlocks.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { makeToolFinder } from "../CalledTool.ts"
import type { NamedEvent } from "../NamedEvent.ts"
import { writeOmitted } from "../RequestChanges.ts"
import { BlockWriter } from "./BlockWriter.ts"
import { writeStopReason } from "./stopReasons.ts"
import { makeMessage, type MessageFacts, writeMessagesUsage } from "./writeAnswer.ts"
import { type MessagesErrorFacts, writeMessagesError } from "./writeMessagesError.ts"

/** The facts that are known when a message begins. */
export interface MessageStart extends Pick<MessageFacts, "id" | "model" | "tools"> {
  /** Counted or estimated: some clients take it from nowhere else. */
  readonly inputTokens: number
}

/** The events of one message; each method returns those that are to be sent. */
export interface MessagesEventWriter {
  /** The event before all others, which the first delta writes as well. */
  readonly start: () => ReadonlyArray<NamedEvent>
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<NamedEvent>
  /** Writes the end of a complete answer. Without a usage, its length is the estimate. */
  readonly end: (facts: UsageFacts) => ReadonlyArray<NamedEvent>
  /** Writes the end of an answer that broke off or reported an error: nothing follows. */
  readonly fail: (error: MessagesErrorFacts) => ReadonlyArray<NamedEvent>
}

/** Keeps a connection alive; may be sent at any time after the start. */
export const pingEvent: NamedEvent = { type: "ping" }

/**
 * Events come in the order of the deltas, with one exception: because blocks follow one another, what comes while a call
 * is unfinished waits, so that calls whose arguments come by turns keep all of them.
 */
export const makeMessagesEventWriter = (facts: MessageStart): MessagesEventWriter => {
  const writer = new BlockWriter(makeToolFinder(facts.tools ?? []))
  const blocks = new AnswerBlocks(writer)
  const omitted: Array<MediaEvent["media"]> = []
  let isStarted = false
  let hasEnded = false
  let end: AnswerEnd = { reason: null }

  const start = (): ReadonlyArray<NamedEvent> => {
    if (isStarted || hasEnded) return []
    isStarted = true
    const usage = writeMessagesUsage({ usage: { inputTokens: facts.inputTokens, outputTokens: 0 } })
    return [{ type: "message_start", message: { ...makeMessage(facts.id, facts.model), usage } }]
  }

  return {
    start,
    write: ({ choices }) => {
      if (hasEnded) return []
      const events = start()
      for (const choice of choices) {
        // The API has one answer only.
        if (choice.index !== 0) continue
        for (const event of choice.events) {
          // The API has no block for media in an answer.
          if (event.type === "media") omitted.push(event.media)
          else blocks.add(event)
        }
        end = choice.end ?? end
      }
      return [...events, ...writer.takeEvents()]
    },
    end: (ending) => {
      if (hasEnded) return []
      const events = start()
      blocks.end()
      writer.finish()
      hasEnded = true
      const { usage = estimateUsage(facts, writer) } = ending
      return [
        ...events,
        ...writer.takeEvents(),
        {
          type: "message_delta",
          delta: {
            ...writeStopReason({
              ...end,
              finishReason: end.reason,
              hasCalls: blocks.hasCalls
            }),
            container: null
          },
          usage: writeMessagesUsage({ ...ending, usage }),
          ...writeOmitted(omitted)
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

const estimateUsage = ({ inputTokens }: MessageStart, { characters }: BlockWriter) => ({
  inputTokens,
  outputTokens: Math.ceil(characters / charactersPerToken)
})

/** An average for English text. */
const charactersPerToken = 4
