/** Counts the content of a streamed answer, and keeps its beginning for the I/O log. */
import type { AnswerEnd } from "../../../conversation/Answer.ts"
import { AnswerCollector } from "../../../conversation/AnswerCollector.ts"
import type { ChatChoice, ChatDelta } from "../../../engine/upstreams/ChatCapability.ts"
import { estimateSize } from "../../../values/json/JsonCost.ts"
import { countEventCharacters } from "../countCharacters.ts"

/** A class, because every open stream has one. */
export class ChatAccumulator {
  readonly #ends = new Map<number, AnswerEnd>()
  #answers: Map<number, AnswerCollector> | undefined
  #remaining: number
  #pieces = 0
  #characters = 0

  /** Keeps about the first `maxCharacters` of the answer. */
  constructor(maxCharacters = 0) {
    this.#remaining = maxCharacters
  }

  add(deltas: ReadonlyArray<ChatDelta>): void {
    for (const delta of deltas) {
      const { end, events, index } = delta
      this.#pieces += 1
      for (const event of events) this.#characters += countEventCharacters(event)
      if (end !== undefined || !this.#ends.has(index)) this.#ends.set(index, end ?? unfinished)
      // Once a piece is dropped, all later ones are: an answer with a gap would be misleading.
      if (this.#remaining > 0) this.#keep(delta)
      else this.#remaining = -1
    }
  }

  /** The choices so far, by index, with only the content that is kept. */
  choices(): ReadonlyArray<ChatChoice> {
    return Array.from(this.#ends, ([index, end]) => ({
      index,
      answer: { parts: this.#answers?.get(index)?.toParts() ?? [], end }
    })).toSorted((a, b) => a.index - b.index)
  }

  /** Whether the answer exceeds the kept length. */
  isTruncated(): boolean {
    return this.#remaining < 0
  }

  /** The number of pieces. */
  pieces(): number {
    return this.#pieces
  }

  /** The number of characters of text in them. */
  characters(): number {
    return this.#characters
  }

  #keep({ events, index }: ChatDelta): void {
    this.#remaining -= estimateSize(events)
    if (this.#remaining < 0) return
    this.#answers ??= new Map()
    let answer = this.#answers.get(index)
    if (answer === undefined) this.#answers.set(index, (answer = new AnswerCollector()))
    for (const event of events) answer.add(event)
  }
}

const unfinished: AnswerEnd = { reason: null }
