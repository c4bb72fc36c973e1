/** Runs what is due by a domain's own rows, many at a time, without a step of the queue for each. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { errorType } from "../values/errorType.ts"

/** Work that is looked for again and again. */
export interface Sweep<A, E, R> {
  /** What it is called in logs. */
  readonly name: string
  /**
   * Takes up to `limit` rows that are due and says when they are due again, in one statement, so that no
   * two processes take one row: who gets no further than taking them leaves them to the next that looks.
   * Without a `lease` by more than twice `deadlineMillis`, with one by some times its `everyMillis`.
   */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  /** Repeatable, like a step. What it fails or dies with is logged; the row is due again when it said. */
  readonly run: (row: A) => Effect.Effect<void, E, R>
  /** Lets claims be short: those of a process that lives are renewed, those of one that closes given up. */
  readonly lease?: SweepLease<A, E, R>
  /** How many run at once, and are claimed at once. */
  readonly concurrency: number
  /** Milliseconds from one look that found few or none to the next. */
  readonly everyMillis: number
  /** Milliseconds one row may take. */
  readonly deadlineMillis: number
}

/** What becomes of rows that were claimed and have not been run to their end. */
export interface SweepLease<A, E, R> {
  /** Milliseconds between two renewals. */
  readonly everyMillis: number
  /** Says that a row is due later than was said so far; does nothing to one that was written to since. */
  readonly renew: (row: A) => Effect.Effect<unknown, E, R>
  /** Says that a row is due now; does nothing to one that was written to since. */
  readonly handBack: (row: A) => Effect.Effect<unknown, E, R>
}

/** Sweeps until the scope closes; what runs then is interrupted, and handed back if there is a `lease`. */
export const sweep = Effect.fnUntraced(function* <A, E, R>({
  claim,
  concurrency,
  deadlineMillis,
  everyMillis,
  lease,
  name,
  run
}: Sweep<A, E, R>): Effect.fn.Return<void, never, R | Scope.Scope> {
  /** Undefined when it did not succeed. */
  const logged = <B>(effect: Effect.Effect<B, E, R>): Effect.Effect<B | undefined, never, R> =>
    Effect.timeout(effect, deadlineMillis).pipe(
      Effect.sandbox,
      Effect.catch((cause) => {
        const reason = errorType(cause)
        return Effect.as(
          Effect.logWarning(`${name} failed: ${reason}`, ...(reason === "Defect" ? [cause] : [])),
          undefined
        )
      })
    )

  /** Claimed, and not run to their end. */
  const held = new Set<A>()
  const eachHeld = (tell: (row: A) => Effect.Effect<unknown, E, R>) =>
    Effect.suspend(() =>
      Effect.forEach(Array.from(held), (row) => logged(tell(row)), { concurrency, discard: true })
    ).pipe(untraced)
  if (lease !== undefined) {
    const { everyMillis: renewMillis, handBack, renew } = lease
    const context = yield* Effect.context<R>()
    yield* Effect.addFinalizer(() => Effect.provideContext(eachHeld(handBack), context))
    yield* eachHeld(renew).pipe(
      Effect.delay(renewMillis),
      Effect.repeat(Schedule.forever),
      Effect.forkScoped
    )
  }

  let pauseMillis = 0
  const next = Effect.suspend(() => Effect.sleep(pauseMillis)).pipe(
    // Not broken off: nobody would know which rows it has taken.
    Effect.andThen(
      Effect.uninterruptible(
        Effect.map(untraced(logged(claim(concurrency))), (rows = []) => {
          for (const row of rows) held.add(row)
          return rows
        })
      )
    ),
    Effect.map((rows) => {
      pauseMillis = rows.length < concurrency ? everyMillis : 0
      return rows
    })
  )
  yield* Stream.fromIterableEffectRepeat(next).pipe(
    Stream.mapEffect(
      (row) =>
        Effect.tap(logged(Effect.suspend(() => run(row))), () =>
          Effect.sync(() => held.delete(row))
        ),
      { concurrency, unordered: true }
    ),
    Stream.runDrain,
    Effect.forkScoped
  )
})

/** A look for work is no work: its spans would outnumber all others. */
const untraced = Effect.withTracerEnabled(false)
