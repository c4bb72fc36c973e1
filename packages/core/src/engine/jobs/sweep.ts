/** Runs due rows of a domain in batches, without a queue step for each. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { toErrorType } from "../../values/errors/toErrorType.ts"

/** Work that is polled for. */
export interface Sweep<A, E, R> {
  /** Its name in logs. */
  readonly name: string
  /**
   * Claims up to `limit` due rows by moving their due time, in one statement, so that no two processes claim one row.
   * Rows of a crashed process become due again: without a `lease` after more than twice `timeoutMillis`, with one after
   * a few `renewIntervalMillis`.
   */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  /** Must be repeatable. Failures are logged, and the row is due again at the claimed time. */
  readonly run: (row: A) => Effect.Effect<void, E, R>
  /** Allows short claims: a running process renews its claims, and a closing one releases them. */
  readonly lease?: SweepLease<A, E, R>
  /** Rows that run at once, and that are claimed at once. */
  readonly concurrency: number
  /** Milliseconds between polls that find fewer rows than `concurrency`. */
  readonly intervalMillis: number
  /** The timeout of one row in milliseconds. */
  readonly timeoutMillis: number
}

/** Renews and releases claims of rows that are still running. */
interface SweepLease<A, E, R> {
  /** Milliseconds between two renewals. */
  readonly renewIntervalMillis: number
  /** Moves the due time of a row; does nothing when the row changed since. */
  readonly renew: (row: A) => Effect.Effect<unknown, E, R>
  /** Makes a row due now; does nothing when the row changed since. */
  readonly release: (row: A) => Effect.Effect<unknown, E, R>
}

/** Sweeps until the scope closes; running rows are then interrupted, and released if there is a `lease`. */
export const sweep = Effect.fnUntraced(function* <A, E, R>({
  claim,
  concurrency,
  timeoutMillis,
  intervalMillis,
  lease,
  name,
  run
}: Sweep<A, E, R>): Effect.fn.Return<void, never, R | Scope.Scope> {
  /** Logs a failure and returns undefined. */
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

  /** Claimed rows that are still running. */
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
    yield* forEachClaimed(renew).pipe(Effect.delay(renewMillis), Effect.forever, Effect.forkScoped)
  }

  let pauseMillis = 0
  const claimNext = Effect.suspend(() => Effect.sleep(pauseMillis)).pipe(
    // Not interrupted, because the claimed rows would be lost.
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

/** Polls are not traced, because their spans would outnumber all others. */
const withoutTracing = Effect.withTracerEnabled(false)
