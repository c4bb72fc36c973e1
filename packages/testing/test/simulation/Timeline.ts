/** The virtual time of a simulated world, and the events that are still to come. */
import { setImmediate } from "node:timers/promises"
import type { Chance } from "./Chance.ts"
import type { Trace } from "./Trace.ts"

/** Whose event it is: it never runs once its owner has ended, and waits while its owner is paused. */
export interface EventOwner {
  readonly name: string
  readonly isOver: boolean
  /** In virtual milliseconds since the beginning of the world. */
  readonly pausedUntil: number
}

interface TimedEvent {
  readonly at: number
  /** Chooses among events of the same time. */
  readonly order: number
  readonly owner: EventOwner
  readonly label: string
  /** Undefined: cancelled. */
  run: (() => void) | undefined
}

/**
 * Time passes only from event to event. Of events that are due at the same time, chance picks the next one. What an event
 * causes by promises has happened before the next one begins.
 */
export class Timeline {
  /** Virtual milliseconds since the beginning of the world. */
  now = 0
  readonly #chance: Chance
  readonly #trace: Trace
  readonly #heap: Array<TimedEvent> = []
  #postponed = 0
  /** How many events have run. */
  steps = 0

  constructor(chance: Chance, trace: Trace) {
    this.#chance = chance
    this.#trace = trace
  }

  /** Returns what cancels the event. */
  schedule(owner: EventOwner, delayMillis: number, label: string, run: () => void): () => void {
    const event: TimedEvent = {
      at: this.now + Math.max(0, Math.ceil(delayMillis)),
      order: this.#chance.next(),
      owner,
      label,
      run
    }
    this.#push(event)
    return () => {
      event.run = undefined
    }
  }

  /** Runs all events until `until`, in virtual milliseconds. */
  async runUntil(until: number): Promise<void> {
    for (
      let event = this.#heap[0];
      event !== undefined && event.at <= until;
      event = this.#heap[0]
    ) {
      this.#pop()
      const { run } = event
      if (run === undefined || event.owner.isOver) continue
      this.now = event.at
      if (event.owner.pausedUntil > event.at) {
        // In the order in which they were due.
        this.#push({ ...event, at: event.owner.pausedUntil, order: ++this.#postponed, run })
        continue
      }
      this.steps++
      this.#trace.add(event.at, event.owner.name, event.label)
      run()
      // Node runs all microtasks before the next callback.
      await setImmediate()
    }
    this.now = until
  }

  #push(event: TimedEvent): void {
    const heap = this.#heap
    let index = heap.length
    heap.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, event)) break
      heap[index] = above
      index = parent
    }
    heap[index] = event
  }

  #pop(): void {
    const heap = this.#heap
    const event = heap.pop()
    if (event === undefined || heap.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      let lower = heap[child]
      if (lower === undefined) break
      const other = heap[child + 1]
      if (other !== undefined && isBefore(other, lower)) {
        child += 1
        lower = other
      }
      if (isBefore(event, lower)) break
      heap[index] = lower
      index = child
    }
    heap[index] = event
  }
}

const isBefore = (one: TimedEvent, other: TimedEvent): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)
