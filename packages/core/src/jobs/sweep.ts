/** Runs what is due by a domain's own rows, many at a time, without a step of the queue for each. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { toErrorType } from "../values/errors/toErrorType.ts"

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
  readonly intervalMillis: number
  /** Milliseconds one row may take. */
  readonly timeoutMillis: number
}

/** What becomes of rows that were claimed and have not been run to their end. */
interface SweepLease<A, E, R> {
  /** Milliseconds between two renewals. */
  readonly renewIntervalMillis: number
  /** Says that a row is due later than was said so far; does nothing to one that was written to since. */
  readonly renew: (row: A) => Effect.Effect<unknown, E, R>
  /** Says that a row is due now; does nothing to one that was written to since. */
  readonly release: (row: A) => Effect.Effect<unknown, E, R>
}

/** Sweeps until the scope closes; what runs then is interrupted, and handed back if there is a `lease`. */
export const sweep = Effect.fnUntraced(function* <A, E, R>({
  claim,
  concurrency,
  timeoutMillis,
  intervalMillis,
  lease,
  name,
  run
}: Sweep<A, E, R>): Effect.fn.Return<void, never, R | Scope.Scope> {
  /** Undefined when it did not succeed. */
  const runLogged = <B>(effect: Effect.Effect<B, E, R>): Effect.Effect<B | undefined, never, R> =>
    Effect.timeout(effect, timeoutMillis).pipe(
      Effect.sandbox,
      Effect.catch((cause) => {
        const reason = toErrorType(cause)
        return Effect.as(
          Effect.logWarning(`${name} failed: ${reason}`, ...(reason === "Defect" ? [cause] : [])),
          undefined
        )
      })
    )

  /** Claimed, and not run to their end. */
  const claimed = new Set<A>()
  const forEachClaimed = (tell: (row: A) => Effect.Effect<unknown, E, R>) =>
    Effect.suspend(() =>
      Effect.forEach(Array.from(claimed), (row) => runLogged(tell(row)), {
        concurrency,
        discard: true
      })
    ).pipe(withoutTracing)
  if (lease !== undefined) {
    const { renewIntervalMillis: renewMillis, release, renew } = lease
    const context = yield* Effect.context<R>()
    yield* Effect.addFinalizer(() => Effect.provideContext(forEachClaimed(release), context))
    yield* forEachClaimed(renew).pipe(
      Effect.delay(renewMillis),
      Effect.repeat(Schedule.forever),
      Effect.forkScoped
    )
  }

  let pauseMillis = 0
  const claimNext = Effect.suspend(() => Effect.sleep(pauseMillis)).pipe(
    // Not broken off: nobody would know which rows it has taken.
    Effect.andThen(
      Effect.uninterruptible(
        Effect.map(withoutTracing(runLogged(claim(concurrency))), (rows = []) => {
          for (const row of rows) claimed.add(row)
          return rows
        })
      )
    ),
    Effect.map((rows) => {
      pauseMillis = rows.length < concurrency ? intervalMillis : 0
      return rows
    })
  )
  yield* Stream.fromIterableEffectRepeat(claimNext).pipe(
    Stream.mapEffect(
      (row) =>
        Effect.tap(runLogged(Effect.suspend(() => run(row))), () =>
          Effect.sync(() => claimed.delete(row))
        ),
      { concurrency, unordered: true }
    ),
    Stream.runDrain,
    Effect.forkScoped
  )
})

/** A look for work is no work: its spans would outnumber all others. */
const withoutTracing = Effect.withTracerEnabled(false)
