/** The database of a simulated world: stores that its processes share, on a machine of its own. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import { ChangeBroadcast } from "./ChangeBroadcast.ts"
import type { Machine } from "./Machine.ts"

/** A transaction that a process has begun. */
export interface Session {
  /** What statements in it run with. */
  readonly context: Context.Context<never>
  isOpen: boolean
  /** Commits or rolls back; a second call does nothing. */
  readonly end: (isCommitted: boolean) => void
  /** Calls `run` when it has ended, with whether it was committed. */
  readonly onEnd: (run: (isCommitted: boolean) => void) => void
}

/** The transaction of a fiber of a process. */
export const CurrentSession = Context.Reference<Session | undefined>(
  "@signalbox/testing/simulation/CurrentSession",
  { defaultValue: () => undefined }
)

type WithTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Transactions are serializable: while one is open, statements outside of it wait. */
export class Database {
  readonly machine: Machine
  readonly broadcast = new ChangeBroadcast()
  readonly #context: Context.Context<never>
  #open: Session | undefined
  readonly #waiting: Array<() => void> = []

  constructor(machine: Machine, context: Context.Context<never>) {
    this.machine = machine
    this.#context = context
  }

  /** What is read meanwhile may be rolled back. */
  get isInTransaction(): boolean {
    return this.#open !== undefined
  }

  /** Runs a statement. Returns what interrupts it. */
  run<A, E>(
    session: Session | undefined,
    statement: Effect.Effect<A, E>,
    onExit: (exit: Exit.Exit<A, E>) => void
  ): () => void {
    let fiber: Fiber.Fiber<A, E> | undefined
    let isInterrupted = false
    this.#admit(session, () => {
      if (isInterrupted) return
      if (session?.isOpen === false) return onExit(Exit.die(new Error("the transaction is over")))
      fiber = Effect.runForkWith(session?.context ?? this.#context)(statement)
      fiber.addObserver(onExit)
    })
    return () => {
      isInterrupted = true
      fiber?.interruptUnsafe()
    }
  }

  /** Begins a transaction, nested in `outer`. */
  begin(
    outer: Session | undefined,
    withTransaction: WithTransaction,
    onBegin: (session: Session) => void
  ): void {
    this.#admit(outer, () => {
      const body = Effect.contextWith((context: Context.Context<never>) =>
        Effect.callback<void, "rolled back">((resume) => {
          const listeners: Array<(isCommitted: boolean) => void> = []
          let isCommitted = false
          const session: Session = {
            context,
            isOpen: true,
            end: (commits) => {
              if (!session.isOpen) return
              session.isOpen = false
              isCommitted = commits
              resume(commits ? Effect.void : Effect.fail("rolled back"))
            },
            onEnd: (run) => {
              if (hasEnded) run(isCommitted)
              else listeners.push(run)
            }
          }
          let hasEnded = false
          ended = () => {
            hasEnded = true
            if (outer === undefined) this.#open = undefined
            for (const run of listeners) run(isCommitted)
            this.#next()
          }
          if (outer === undefined) this.#open = session
          onBegin(session)
        })
      )
      let ended: () => void = constVoid
      const fiber = Effect.runForkWith(outer?.context ?? this.#context)(withTransaction(body))
      fiber.addObserver(() => ended())
    })
  }

  #admit(session: Session | undefined, begin: () => void): void {
    if (session === undefined && this.#open !== undefined) this.#waiting.push(begin)
    else begin()
  }

  #next(): void {
    while (this.#open === undefined) {
      const begin = this.#waiting.shift()
      if (begin === undefined) return
      begin()
    }
  }
}
