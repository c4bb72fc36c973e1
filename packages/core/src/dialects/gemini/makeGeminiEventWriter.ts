/** Writes a streamed chat as the events of Google's API, each of which is an answer with what is new. */
import type { ChatDelta, ChatDeltaEvent } from "../../upstreams/ChatCapability.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { AnswerParts } from "./AnswerParts.ts"
import type { Json } from "./geminiFields.ts"
import { makeCallIds } from "./makeCallIds.ts"
import {
  type CandidateContent,
  type GeminiAnswerFacts,
  makeGeminiAnswer,
  writeCandidate
} from "./writeGeminiAnswer.ts"
import { type GeminiErrorFacts, writeGeminiError } from "./writeGeminiError.ts"

/** The events of one stream; each method returns those that are to be sent. */
export interface GeminiEventWriter {
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<Json>
  /** Of a complete answer. */
  readonly end: (facts: UsageFacts) => ReadonlyArray<Json>
  /** Of an answer that broke off or reported an error: nothing follows. */
  readonly fail: (error: GeminiErrorFacts) => ReadonlyArray<Json>
}

/** JSON holds no line breaks. The body ends a stream. */
export const encodeGeminiEvent = (event: Json): string => `data: ${JSON.stringify(event)}\n\n`

interface Candidate {
  readonly parts: AnswerParts
  readonly end: CandidateContent["end"] & object
}

/** Calls are written when they are whole, and the end of each answer when the usage of all is known. */
export const makeGeminiEventWriter = (facts: GeminiAnswerFacts): GeminiEventWriter => {
  const findTool = makeToolFinder(facts.tools ?? [])
  const candidates = new Map<number, Candidate>()
  let hasEnded = false

  const getCandidate = (index: number): Candidate => {
    const known = candidates.get(index)
    if (known !== undefined) return known
    return {
      parts: new AnswerParts(
        findTool,
        makeCallIds(() => facts.id, index)
      ),
      end: { reason: null, nativeReason: undefined, explanation: undefined }
    }
  }

  const writeDelta = (choice: ChatDelta): ReadonlyArray<Json> => {
    const { delta, index, logprobs } = choice
    const candidate = getCandidate(index)
    candidates.set(index, { ...candidate, end: mergeEnds(candidate.end, choice) })
    const parts = candidate.parts.add(delta)
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

/** The reason may come before what else is known of the end. */
const mergeEnds = (
  end: Candidate["end"],
  { end: told, finishReason, nativeFinishReason }: ChatDelta
): Candidate["end"] => ({
  reason: finishReason ?? end.reason,
  nativeReason: nativeFinishReason ?? end.nativeReason,
  explanation: told?.explanation ?? end.explanation
})
