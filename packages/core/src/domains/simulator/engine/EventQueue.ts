/**
 * The future events of a simulation in the order of time; events of the same time keep the order in which they were
 * scheduled.
 */
export interface EventQueue {
  /** `at` is in milliseconds since the epoch. */
  readonly schedule: (at: number, run: () => void) => void
  /** When the next event is due; Infinity without any. */
  readonly nextAt: () => number
  /** Removes the next event and returns what it does. */
  readonly take: () => (() => void) | undefined
}

interface Event {
  readonly at: number
  readonly sequence: number
  readonly run: () => void
}

/** A binary heap: a replay has one event under way for each attempt. */
export const makeEventQueue = (): EventQueue => {
  const heap: Array<Event> = []
  let sequence = 0

  const lift = (from: number, event: Event): void => {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (isBefore(heap[parent]!, event)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = event
  }

  const sink = (event: Event): void => {
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (isBefore(event, heap[child]!)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = event
  }

  return {
    schedule: (at, run) => {
      const event = { at, sequence: sequence++, run }
      heap.push(event)
      lift(heap.length - 1, event)
    },
    nextAt: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
    take: () => {
      const [first] = heap
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) sink(last)
      return first?.run
    }
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.sequence < other.sequence)
