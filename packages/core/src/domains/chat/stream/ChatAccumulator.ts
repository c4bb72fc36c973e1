/** Counts the content of a streamed answer, and keeps its beginning for the I/O log. */
import type { AnswerEnd } from "../../../conversation/Answer.ts"
import { AnswerCollector } from "../../../conversation/AnswerCollector.ts"
import type { ChatChoice, ChatDelta } from "../../../engine/upstreams/ChatCapability.ts"
import { estimateSize } from "../../../values/json/JsonCost.ts"
import { countEventCharacters } from "../countCharacters.ts"

export interface ChatAccumulator {
  readonly add: (deltas: ReadonlyArray<ChatDelta>) => void
  /** The choices so far, by index, with only the content that is kept. */
  readonly choices: () => ReadonlyArray<ChatChoice>
  /** Whether the answer exceeds the kept length. */
  readonly isTruncated: () => boolean
  /** The number of pieces. */
  readonly pieces: () => number
  /** The number of characters of text in them. */
  readonly characters: () => number
}

/** Keeps about the first `maxCharacters` of the answer. */
export const makeChatAccumulator = (maxCharacters = 0): ChatAccumulator => {
  const ends = new Map<number, AnswerEnd>()
  const answers = new Map<number, AnswerCollector>()
  let remaining = maxCharacters
  let pieces = 0
  let characters = 0

  const keep = ({ events, index }: ChatDelta): void => {
    remaining -= estimateSize(events)
    if (remaining < 0) return
    let answer = answers.get(index)
    if (answer === undefined) answers.set(index, (answer = new AnswerCollector()))
    for (const event of events) answer.add(event)
  }

  return {
    add: (deltas) => {
      for (const delta of deltas) {
        const { end, events, index } = delta
        pieces += 1
        for (const event of events) characters += countEventCharacters(event)
        if (end !== undefined || !ends.has(index)) ends.set(index, end ?? unfinished)
        // Once a piece is dropped, all later ones are: an answer with a gap would be misleading.
        if (remaining > 0) keep(delta)
        else remaining = -1
      }
    },
    choices: () =>
      Array.from(ends, ([index, end]) => ({
        index,
        answer: { parts: answers.get(index)?.toParts() ?? [], end }
      })).toSorted((a, b) => a.index - b.index),
    isTruncated: () => remaining < 0,
    pieces: () => pieces,
    characters: () => characters
  }
}

const unfinished: AnswerEnd = { reason: null }
