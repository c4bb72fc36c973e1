/** Transactions of the in-memory stores: one writer at a time, and a journal of undo operations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Transaction } from "../instance/Transaction.ts"
import { getCurrentRef } from "../values/Pending.ts"

/** The result of a write and how to undo it. */
export interface JournaledWrite<A> {
  readonly result: A
  readonly undo: () => void
}

/** The writes of a running transaction. */
interface Journal {
  readonly undos: Array<() => void>
  readonly afterCommits: Array<Effect.Effect<void>>
  readonly outer: Journal | undefined
  isOpen: boolean
}

const CurrentJournal = Context.Reference<Journal | undefined>(
  "@signalbox/core/memory/CurrentJournal",
  {
    defaultValue: () => undefined
  }
)

/** A fiber may outlive the transaction that forked it; its later writes are not part of it. */
const findOpenJournal = (journal: Journal | undefined): Journal | undefined =>
  journal === undefined || journal.isOpen ? journal : findOpenJournal(journal.outer)

/** Ends a journal: undoes its writes, passes them to the outer journal, or runs the effects that waited for the commit. */
const closeJournal = (journal: Journal, succeeded: boolean): Effect.Effect<void> => {
  journal.isOpen = false
  if (!succeeded) {
    for (const undo of journal.undos.toReversed()) undo()
    return Effect.void
  }
  const outer = findOpenJournal(journal.outer)
  if (outer === undefined) return Effect.all(journal.afterCommits, { discard: true })
  outer.undos.push(...journal.undos)
  outer.afterCommits.push(...journal.afterCommits)
  return Effect.void
}

const writeIn = <A>(journal: Journal, write: () => JournaledWrite<A>): A => {
  const { result, undo } = write()
  journal.undos.push(undo)
  return result
}

/** Runs writes of in-memory stores one at a time, and undoes the writes of a failed transaction. */
export class MemoryJournal extends Context.Service<
  MemoryJournal,
  {
    readonly withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs one write, which is undone if the surrounding transaction fails. */
    readonly write: <A>(write: () => JournaledWrite<A>) => Effect.Effect<A>
    /** `write` that begins when it is called; it waits only for a transaction of others. */
    readonly writeEager: <A>(write: () => JournaledWrite<A>) => Effect.Effect<A>
    /**
     * Runs `effect` after the outermost transaction commits, or at once without a transaction. A rolled-back
     * transaction drops it. It must not wait or write to a store.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@signalbox/core/memory/MemoryJournal") {
  static readonly layer = Layer.sync(MemoryJournal, () => {
    const lock = Semaphore.makeUnsafe(1)
    let isInTransaction = false
    const withLock = lock.withPermits(1)
    /** A write is atomic, so only transactions hold the lock while others run. */
    const lockTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      withLock(
        Effect.suspend(() => {
          isInTransaction = true
          return Effect.ensuring(
            effect,
            Effect.sync(() => {
              isInTransaction = false
            })
          )
        })
      )
    return {
      withTransaction: (effect) =>
        Effect.flatMap(CurrentJournal, (current) => {
          const journal: Journal = {
            undos: [],
            afterCommits: [],
            outer: findOpenJournal(current),
            isOpen: true
          }
          const journaled = Effect.onExit(
            Effect.provideService(effect, CurrentJournal, journal),
            (exit) => Effect.suspend(() => closeJournal(journal, Exit.isSuccess(exit)))
          )
          return journal.outer === undefined ? lockTransaction(journaled) : journaled
        }),
      write: (write) =>
        Effect.flatMap(CurrentJournal, (current) => {
          const journal = findOpenJournal(current)
          return journal === undefined
            ? withLock(Effect.sync(() => write().result))
            : Effect.sync(() => writeIn(journal, write))
        }),
      writeEager: (write) => {
        const journal = findOpenJournal(getCurrentRef(CurrentJournal))
        if (journal !== undefined) return Effect.succeed(writeIn(journal, write))
        return isInTransaction
          ? withLock(Effect.sync(() => write().result))
          : Effect.succeed(write().result)
      },
      afterCommit: (effect) =>
        Effect.flatMap(CurrentJournal, (current) => {
          const journal = findOpenJournal(current)
          return journal === undefined
            ? effect
            : Effect.sync(() => void journal.afterCommits.push(effect))
        })
    }
  })
}

/** Transaction in the memory of this process. */
export const memoryTransaction: Layer.Layer<Transaction, never, MemoryJournal> = Layer.effect(
  Transaction,
  MemoryJournal.useSync(({ withTransaction }) => ({ withTransaction }))
)
