/** What gives the in-memory stores transactions: one writer at a time, and a journal to undo by. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"

/** What a write did and how to take it back. */
export interface JournaledWrite<A> {
  readonly result: A
  readonly undo: () => void
}

/** The writes of an atomic effect that is running. */
interface Journal {
  readonly undos: Array<() => void>
  readonly afterCommits: Array<Effect.Effect<void>>
  readonly outer: Journal | undefined
  isOpen: boolean
}

const CurrentJournal = Context.Reference<Journal | undefined>(
  "@signalbox/core/MemoryJournal/CurrentJournal",
  { defaultValue: () => undefined }
)

/** A fiber may outlive the atomic effect that forked it: what it writes then is no part of it. */
const findOpenJournal = (journal: Journal | undefined): Journal | undefined =>
  journal === undefined || journal.isOpen ? journal : findOpenJournal(journal.outer)

/** Ends a journal: undoes its writes, hands them to the outer one, or does what waited for them. */
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

/** Gives in-memory stores transactions: each write runs alone, and is undone with the atomic effect around it. */
export class MemoryJournal extends Context.Service<
  MemoryJournal,
  {
    readonly withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs one write of a store: alone, and undone if the atomic effect around it fails. */
    readonly write: <A>(write: () => JournaledWrite<A>) => Effect.Effect<A>
    /**
     * Runs `effect` once the outermost atomic effect around it is kept, at once where there is none, and
     * never when what is around it is undone. It must not wait, nor write to a store.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@signalbox/core/MemoryJournal") {
  static readonly layer: Layer.Layer<MemoryJournal> = Layer.sync(MemoryJournal, () => {
    const lock = Semaphore.makeUnsafe(1)
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
          return journal.outer === undefined ? lock.withPermits(1)(journaled) : journaled
        }),
      write: (write) =>
        Effect.flatMap(CurrentJournal, (current) => {
          const journal = findOpenJournal(current)
          if (journal === undefined) return lock.withPermits(1)(Effect.sync(() => write().result))
          return Effect.sync(() => {
            const { result, undo } = write()
            journal.undos.push(undo)
            return result
          })
        }),
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
