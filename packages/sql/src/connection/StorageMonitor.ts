/** Notices when the database can be used no more, and when it can again. */
import { type StorageQueueReport, type StorageReport, StorageStatus } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { findStoreFailure } from "../errors/findStoreFailure.ts"
import { dropReadOnlySessions } from "./checkWritable.ts"
import { makeDatabaseLook } from "./makeDatabaseLook.ts"
import { type FailedCall, readMonotonicMillis, StorageLog, toReason } from "./StorageLog.ts"

/** What batches of records need to know of the database. Default: it can always be used. */
export const StorageMonitor = Context.Reference<{
  readonly isAvailable: () => boolean
  /** Adds a queue to the report of the storage. */
  readonly addQueue: (report: () => StorageQueueReport) => void
}>("@signalbox/sql/connection/StorageMonitor", {
  defaultValue: () => ({ isAvailable: () => true, addQueue: () => undefined })
})

/** `sessions` is how many sessions of Postgres the pool holds; 0 for SQLite. */
export const layerStorageMonitor = (
  sessions: number
): Layer.Layer<never, SqlError, SqlClient.SqlClient> =>
  Layer.effectContext(
    Effect.map(makeMonitor(sessions), ({ addQueue, recordFailure, report }) =>
      Context.make(StorageStatus, { recordFailure, report }).pipe(
        Context.add(StorageMonitor, {
          isAvailable: () => report().outage === undefined,
          addQueue
        })
      )
    )
  )

const makeMonitor = Effect.fnUntraced(function* (
  sessions: number
): Effect.fn.Return<
  typeof StorageStatus.Service & Pick<typeof StorageMonitor.Service, "addQueue">,
  SqlError,
  Scope.Scope | SqlClient.SqlClient
> {
  const sql = yield* SqlClient.SqlClient
  const lookAtDatabase = yield* Effect.withTracerEnabled(makeDatabaseLook(sql, sessions), false)
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  const scope = yield* Effect.scope
  const queues: Array<() => StorageQueueReport> = []
  const log = new StorageLog(clock)
  let outage: StorageReport["outage"]
  let isLooking = false
  /** The outage lasts until nothing of the schema is missing. */
  let isSchemaOutage = false
  /** Calls failed for want of space, and no look has found any since. */
  let lacksSpace = false
  /** In monotonic milliseconds. */
  let outageBeganAt = 0
  let lookedAt = -lookMillis

  const startOutage = (call: FailedCall): Effect.Effect<void> => {
    if (outage === undefined) outageBeganAt = readMonotonicMillis(clock)
    outage = {
      since: outage?.since ?? clock.currentTimeMillisUnsafe(),
      reason: toReason(call.failure)
    }
    return log.logOutage(call)
  }
  const endOutage = Effect.suspend(() => {
    outage = undefined
    return log.logRecovery(readMonotonicMillis(clock) - outageBeganAt)
  })

  /** Looks once a second while the database cannot be used, so that the instance recovers without a request. */
  const look: Effect.Effect<void> = Effect.suspend(() =>
    lookAtDatabase({
      needsSpace: lacksSpace,
      needsSchema: outage === undefined || isSchemaOutage
    })
  ).pipe(
    Effect.ensuring(Effect.sync(() => void (lookedAt = readMonotonicMillis(clock)))),
    Effect.matchCauseEffect({
      onFailure: (cause) => {
        const error = Cause.squash(cause)
        const failure = findStoreFailure(error)
        // What concerns the statement alone says that the database answers.
        if (failure === undefined || failure.scope === "statement") return findUsable
        // A code says more than a session that broke.
        const told = takeFailedCalls().find(({ failure }) => failure.code !== undefined)
        const found = failure.code === undefined && told !== undefined ? told : { error, failure }
        return Effect.andThen(startOutage(found), Effect.delay(look, lookMillis))
      },
      onSuccess: (missing) => {
        isSchemaOutage = missing !== undefined
        if (missing !== undefined) {
          takeFailedCalls()
          return Effect.andThen(startOutage(toMissing(missing)), Effect.delay(look, lookMillis))
        }
        lacksSpace = false
        return Effect.andThen(dropReadOnlySessions(sql, sessions), findUsable)
      }
    })
  )
  /** The failed calls since the last check, by their reason. */
  const failedCalls = new Map<string, FailedCall>()
  const takeFailedCalls = (): ReadonlyArray<FailedCall> => {
    const calls = Array.from(failedCalls.values())
    failedCalls.clear()
    return calls
  }
  const findUsable = Effect.suspend(() => {
    const calls = takeFailedCalls()
    // The outage explains them.
    return outage === undefined
      ? Effect.forEach(calls, log.logFailure, { discard: true })
      : endOutage
  })
  const fork = (effect: Effect.Effect<void>): void =>
    void Fiber.runIn(Effect.runForkWith(context)(effect), scope)
  const startLooking = (): void => {
    if (isLooking) return
    isLooking = true
    const looking = look.pipe(
      Effect.delay(Math.max(0, lookedAt + lookMillis - readMonotonicMillis(clock))),
      Effect.catchCause((cause) => Effect.logError("the storage could not be checked", cause)),
      Effect.ensuring(Effect.sync(() => void (isLooking = false))),
      Effect.withTracerEnabled(false)
    )
    fork(looking)
  }

  return {
    report: () => ({
      ...(outage === undefined ? undefined : { outage }),
      queues: queues.map((report) => report())
    }),
    recordFailure: (error) => {
      const failure = findStoreFailure(error)
      if (failure === undefined) return false
      if (failure.lacksSpace === true) lacksSpace = true
      const call = { error, failure }
      if (failure.scope !== "statement") {
        failedCalls.set(toReason(failure), call)
        startLooking()
      } else if (outage === undefined && log.isDue(failure)) fork(log.logFailure(call))
      return true
    },
    addQueue: (report) => void queues.push(report)
  }
})

const toMissing = (name: string): FailedCall => ({
  error:
    "restore it, or start an instance of the version that has changed the schema; migrations run at the start",
  failure: {
    means: `the schema has lost ${name}, which it had at the start`,
    scope: "schema",
    wroteNothing: true
  }
})

/** Time between two looks. */
const lookMillis = 1_000
