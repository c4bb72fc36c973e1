/**
 * Group commit: operations on counters run in batches, one at a time for each counter of this process, so that those which wait
 * for the same row hold no connection. What waits joins the next batch of its counters.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export interface CounterOperation {
  /** What it locks; not empty. */
  readonly counters: ReadonlyArray<string>
}

interface Waiting<Operation, A, E> {
  readonly operation: Operation
  readonly resume: (exit: Exit.Exit<A, E>) => void
  isInterrupted: boolean
}

interface Batch<Operation, A, E> {
  /** Operations that wait for it. */
  readonly waiting: Array<Waiting<Operation, A, E>>
  readonly counters: ReadonlySet<string>
  /** In monotonic milliseconds. */
  readonly beganAt: number
}

interface CounterQueueOptions<Operation, A, E> {
  /** Applies the operations, all or none, in any order. Returns their results in the order of the operations. */
  readonly apply: (operations: ReadonlyArray<Operation>) => Effect.Effect<ReadonlyArray<A>, E>
  /** Whether a batch that failed so has changed nothing and may succeed one operation at a time. */
  readonly isSeparable: (exit: Exit.Exit<unknown, E>) => boolean
  readonly fork: (effect: Effect.Effect<void>) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
}

export class CounterQueue<Operation extends CounterOperation, A, E> {
  readonly #options: CounterQueueOptions<Operation, A, E>
  /** The running batch of each counter. */
  readonly #running = new Map<string, Batch<Operation, A, E>>()

  constructor(options: CounterQueueOptions<Operation, A, E>) {
    this.#options = options
  }

  /** Applies an operation at once, or with the next batch of its counters. An interruption takes it out while it waits. */
  run(operation: Operation): Effect.Effect<A, E> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#beginIfFree(operation.counters)),
      (batch) =>
        batch === undefined
          ? this.#join(operation)
          : // In the fiber of its caller, which costs little while these counters are free.
            Effect.map(this.#options.apply([operation]), getOnly),
      (batch) => (batch === undefined ? Effect.void : Effect.sync(() => this.#end(batch)))
    )
  }

  #beginIfFree(counters: ReadonlyArray<string>): Batch<Operation, A, E> | undefined {
    for (;;) {
      const ahead = this.#findRunning(counters)
      if (ahead === undefined) return this.#begin(new Set(counters))
      if (this.#options.now() - ahead.beganAt < patienceMillis) return undefined
      // Its connection may be dead; its operations wait for it, and others no longer.
      this.#end(ahead)
    }
  }

  #join(operation: Operation): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const ahead = this.#findRunning(operation.counters)
      if (ahead === undefined) return this.run(operation)
      return Effect.callback<A, E>((resume) => {
        const waiting = { operation, resume, isInterrupted: false }
        ahead.waiting.push(waiting)
        return Effect.sync(() => void (waiting.isInterrupted = true))
      })
    })
  }

  #findRunning(counters: Iterable<string>): Batch<Operation, A, E> | undefined {
    for (const counter of counters) {
      const batch = this.#running.get(counter)
      if (batch !== undefined) return batch
    }
    return undefined
  }

  #begin(counters: ReadonlySet<string>): Batch<Operation, A, E> {
    const batch: Batch<Operation, A, E> = { waiting: [], counters, beganAt: this.#options.now() }
    for (const counter of counters) this.#running.set(counter, batch)
    return batch
  }

  #end(batch: Batch<Operation, A, E>): void {
    for (const counter of batch.counters) {
      if (this.#running.get(counter) === batch) this.#running.delete(counter)
    }
    const free: Array<Waiting<Operation, A, E>> = []
    for (const each of batch.waiting.splice(0)) {
      if (each.isInterrupted) continue
      const ahead = this.#findRunning(each.operation.counters)
      if (ahead === undefined) free.push(each)
      else ahead.waiting.push(each)
    }
    for (const group of groupByCounters(free)) this.#runBatch(group)
  }

  #runBatch({ counters, members }: Group<Operation, A, E>): void {
    const { apply, fork, isSeparable } = this.#options
    const batch = this.#begin(counters)
    const { chosen, rest } = chooseFairly(members)
    batch.waiting.push(...rest)
    const applied = Effect.onExit(apply(chosen.map(({ operation }) => operation)), (exit) =>
      chosen.length > 1 && isSeparable(exit)
        ? Effect.forEach(
            chosen,
            ({ operation, resume }) =>
              Effect.map(Effect.exit(apply([operation])), (one) => resume(Exit.map(one, getOnly))),
            { discard: true }
          )
        : Effect.sync(() => {
            for (const [at, { resume }] of chosen.entries()) {
              resume(Exit.map(exit, (results) => getAt(results, at)))
            }
          })
    )
    const ended = Effect.sync(() => this.#end(batch))
    fork(Effect.ensuring(Effect.ignoreCause(applied), ended))
  }
}

interface Group<Operation, A, E> {
  readonly counters: Set<string>
  readonly members: Array<Waiting<Operation, A, E>>
}

/** Operations that share no counter, not even by way of others, do not wait for each other. */
const groupByCounters = <Operation extends CounterOperation, A, E>(
  operations: ReadonlyArray<Waiting<Operation, A, E>>
): Iterable<Group<Operation, A, E>> => {
  const groups = new Set<Group<Operation, A, E>>()
  const groupByCounter = new Map<string, Group<Operation, A, E>>()
  for (const each of operations) {
    const into: Group<Operation, A, E> = { counters: new Set(), members: [] }
    for (const counter of each.operation.counters) {
      const other = groupByCounter.get(counter)
      if (other !== undefined && other !== into) {
        groups.delete(other)
        into.members.push(...other.members)
        for (const shared of other.counters) addCounter(groupByCounter, into, shared)
      }
      addCounter(groupByCounter, into, counter)
    }
    into.members.push(each)
    groups.add(into)
  }
  return groups
}

const addCounter = <Value extends { readonly counters: Set<string> }>(
  byCounter: Map<string, Value>,
  group: Value,
  counter: string
): void => {
  group.counters.add(counter)
  byCounter.set(counter, group)
}

/** At most a batch: one operation of each set of counters in turn, so that a hammered key does not hold up others. */
const chooseFairly = <Operation extends CounterOperation, A, E>(
  members: ReadonlyArray<Waiting<Operation, A, E>>
) => {
  if (members.length <= maxBatchSize) return { chosen: members, rest: [] }
  const bySet = Map.groupBy(members, ({ operation }) => operation.counters.join("\n"))
  const rounds = Array.from(bySet.values(), (each) =>
    each.map((member, round) => ({ member, round }))
  )
  const ordered = rounds
    .flat()
    .toSorted((one, other) => one.round - other.round)
    .map(({ member }) => member)
  return { chosen: ordered.slice(0, maxBatchSize), rest: ordered.slice(maxBatchSize) }
}

/** How long operations wait for a batch that runs. */
const patienceMillis = 5_000

/** Bounds how long one statement holds its locks: some 10 ms. */
const maxBatchSize = 128

const getOnly = <A>(results: ReadonlyArray<A>): A => getAt(results, 0)

const getAt = <A>(results: ReadonlyArray<A>, at: number): A => results[at] as A
