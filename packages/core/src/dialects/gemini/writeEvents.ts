/** Writes a streamed chat as the events of Google's API. Each event is an answer with the new parts only. */
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type { ChatDelta, ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { AnswerParts } from "./AnswerParts.ts"
import type { Json } from "./geminiFields.ts"
import { type GeminiAnswerFacts, makeGeminiAnswer, writeCandidate } from "./writeAnswer.ts"
import { type GeminiErrorFacts, writeGeminiError } from "./writeGeminiError.ts"

/** The events of one stream; each method returns those that are to be sent. */
export interface GeminiEventWriter {
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<Json>
  /** Writes the end of a complete answer. */
  readonly end: (facts: UsageFacts) => ReadonlyArray<Json>
  /** Writes the end of an answer that broke off or reported an error: nothing follows. */
  readonly fail: (error: GeminiErrorFacts) => ReadonlyArray<Json>
}

/** JSON holds no line breaks. The body ends a stream. */
export const encodeGeminiEvent = (event: Json): string => `data: ${JSON.stringify(event)}\n\n`

interface Candidate {
  readonly parts: AnswerParts
  readonly end: AnswerEnd
}

/** Calls are written when they are whole, and the end of each answer when the usage of all is known. */
export const makeGeminiEventWriter = (facts: GeminiAnswerFacts): GeminiEventWriter => {
  const findTool = makeToolFinder(facts.tools ?? [])
  const candidates = new Map<number, Candidate>()
  let hasEnded = false

  const getCandidate = (index: number): Candidate =>
    candidates.get(index) ?? {
      parts: new AnswerParts(findTool),
      end: { reason: null }
    }

  const writeDelta = (choice: ChatDelta): ReadonlyArray<Json> => {
    const { end, events, index, logprobs } = choice
    const candidate = getCandidate(index)
    candidates.set(index, { ...candidate, end: { ...candidate.end, ...end } })
    const parts = candidate.parts.add(events)
    return parts.length === 0 && (logprobs ?? undefined) === undefined
      ? []
      : [writeCandidate(index, { parts, logprobs })]
  }

  return {
    write: ({ choices }) => {
      if (hasEnded) return []
      const written = choices.flatMap(writeDelta)
      return written.length === 0 ? [] : [makeGeminiAnswer(facts, written)]
    },
    end: (usage) => {
      if (hasEnded) return []
      hasEnded = true
      if (candidates.size === 0) candidates.set(0, getCandidate(0))
      const written = Array.from(candidates, ([index, { end, parts }]) =>
        writeCandidate(index, { parts: parts.close(), end })
      )
      return [makeGeminiAnswer(facts, written, usage)]
    },
    fail: (error) => {
      if (hasEnded) return []
      hasEnded = true
      return [writeGeminiError(error)]
    }
  }
}
