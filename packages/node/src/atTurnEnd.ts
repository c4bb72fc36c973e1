/**
 * Does what several requests need in one turn of the event loop together, one kind of work after the other. A request runs
 * hundreds of functions, which do not fit the caches of a processor: the second of two requests in the same place finds its code
 * there. And a peer that is woken by one write finds those of the others as well. `setImmediate` runs after the events of a turn
 * (https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick).
 */

// The global one may be replaced by the tests of a host, or missing in their environment.
import { setImmediate } from "node:timers"

/** In the order in which they are done. */
const kinds = ["body", "answer", "response"] as const

/** A body that is complete, an answer of a provider that is, and a response that is to be written. */
export type TurnWorkKind = (typeof kinds)[number]

/** An object instead of a function, because most of them exist anyway. */
export interface TurnWork {
  readonly onTurnEnd: () => void
}

/** Work of one kind. Its two lists take turns and keep their room, because a new list for each turn is copied as it grows. */
interface Waiting {
  works: Array<TurnWork | undefined>
  others: Array<TurnWork | undefined>
  count: number
}

const makeWaiting = (): Waiting => ({ works: [], others: [], count: 0 })
const waiting: Readonly<Record<TurnWorkKind, Waiting>> = {
  body: makeWaiting(),
  answer: makeWaiting(),
  response: makeWaiting()
}
let isScheduled = false

/**
 * Calls `work` once, after the other events of this turn of the event loop; work that such work leaves for an earlier kind waits for
 * the next turn.
 */
export const atTurnEnd = (kind: TurnWorkKind, work: TurnWork): void => {
  const queue = waiting[kind]
  queue.works[queue.count++] = work
  if (isScheduled) return
  isScheduled = true
  setImmediate(endTurn)
}

const endTurn = (): void => {
  for (const kind of kinds) doAll(waiting[kind])
  isScheduled = false
  for (const kind of kinds) isScheduled ||= waiting[kind].count > 0
  if (isScheduled) setImmediate(endTurn)
}

const doAll = (queue: Waiting): void => {
  const { count, works } = queue
  queue.works = queue.others
  queue.others = works
  queue.count = 0
  for (let at = 0; at < count; at++) {
    const work = works[at]
    works[at] = undefined
    if (work !== undefined) run(work)
  }
}

const run = (work: TurnWork): void => {
  try {
    work.onTurnEnd()
  } catch (defect) {
    // A defect of ours, as in any listener; the work of others goes on.
    process.nextTick(() => {
      throw defect
    })
  }
}
