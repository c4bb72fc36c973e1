/** Queues events behind an unfinished call, in order; the events of one call are joined into one. */
import type { AnswerEvent, StreamedCall } from "../conversation/AnswerEvent.ts"

export class EventQueue {
  readonly #events: Array<AnswerEvent | undefined> = []
  readonly #texts = new Map<StreamedCall, Array<string>>()
  #at = 0

  push(event: AnswerEvent): void {
    if (event.type === "call") {
      const texts = this.#texts.get(event.call)
      if (texts !== undefined) {
        texts.push(event.text)
        return
      }
      this.#texts.set(event.call, [event.text])
    }
    this.#events.push(event)
  }

  first(): AnswerEvent | undefined {
    return this.#events[this.#at]
  }

  /** Removes the first event, and returns all of it. */
  shift(): AnswerEvent | undefined {
    const first = this.#events[this.#at]
    if (first === undefined) return undefined
    this.#events[this.#at++] = undefined
    if (this.#at === this.#events.length) {
      this.#events.length = 0
      this.#at = 0
    }
    if (first.type !== "call") return first
    const text = this.#texts.get(first.call)?.join("") ?? ""
    this.#texts.delete(first.call)
    return { ...first, text }
  }
}
