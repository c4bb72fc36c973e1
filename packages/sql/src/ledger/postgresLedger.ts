/** The ledger on Postgres: one round trip ends and makes reservations, those of many requests if they wait for one row. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readMonotonicMillis } from "../connection/StorageLog.ts"
import { findStoreFailure } from "../errors/findStoreFailure.ts"
import { applyOperations, type LedgerOperation, type LedgerResult } from "./applyOperations.ts"
import { CounterQueue } from "./CounterQueue.ts"
import { findHeld } from "./findHeld.ts"
import type { HeldAmount, LedgerDriver } from "./LedgerDriver.ts"
import { RecentRejections, rejectionMillis } from "./RecentRejections.ts"

export const postgresLedger = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<LedgerDriver, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context())
  const rejections = new RecentRejections()
  const heldLooks = new Map<string, HeldLook>()
  /** The counters of reservations that this process has made, so that their ends wait for each other, too. */
  const countersById = new Map<string, ReadonlyArray<string>>()

  const forget = (id: string, counters: ReadonlyArray<string>): void => {
    if (countersById.delete(id)) {
      rejections.forget(counters)
      for (const counter of counters) heldLooks.delete(counter)
    } else {
      rejections.clear()
      heldLooks.clear()
    }
  }
  const apply = (operations: ReadonlyArray<LedgerOperation>) =>
    Effect.map(applyOperations(sql, operations), (results) => {
      for (const [at, operation] of operations.entries()) {
        if ("end" in operation) forget(operation.end.id, operation.counters)
        else if (results[at] === undefined) {
          setBounded(countersById, operation.reserve.id, operation.counters)
        }
      }
      return results
    })
  const queue = new CounterQueue<LedgerOperation, LedgerResult, SqlError>({
    apply: (operations) =>
      Effect.map(apply(operations), (results) => {
        // Before anything else of these counters runs, which might make room.
        for (const [at, operation] of operations.entries()) {
          const result = results[at]
          if ("reserve" in operation && result !== undefined && "rooms" in result) {
            rejections.add(operation.reserve, result.rooms, operation.at)
          }
        }
        return results
      }),
    isSeparable,
    fork: (effect) => void Fiber.runIn(run(effect), scope),
    now: () => readMonotonicMillis(clock)
  })

  /** A transaction sees its own writes and keeps its locks until it ends, so it waits for nothing here. */
  const runOperation = (operation: LedgerOperation): Effect.Effect<LedgerResult, SqlError> =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
      Option.isSome(transaction)
        ? Effect.map(apply([operation]), ([result]) => result)
        : queue.run(operation)
    )

  /** One look for all that are refused meanwhile. */
  const lookAtHeld = (counterKey: string, at: number) =>
    Effect.suspend(() => {
      const known = heldLooks.get(counterKey)
      if (known !== undefined && Math.abs(at - known.at) < rejectionMillis) return known.held
      return Effect.flatMap(Effect.cached(findHeld(sql, counterKey)), (held) => {
        setBounded(heldLooks, counterKey, { at, held })
        return held
      })
    })

  return {
    reserve: Effect.fnUntraced(function* (request) {
      const at = readMonotonicMillis(yield* Clock.Clock)
      const { amount, id, limits } = request
      const known = rejections.find(request, at)
      const keys = new Set(limits.map(({ counterKey }) => counterKey))
      const counters = keys.size === 0 ? [id] : Array.from(keys)
      const result =
        known === undefined
          ? yield* runOperation({ reserve: request, counters, at })
          : { rooms: known }
      if (result === undefined || !("rooms" in result)) return undefined
      const limitIndex = result.rooms.findIndex((room) => amount > room)
      const limit = limits[limitIndex]
      return {
        limitIndex,
        available: NanoUsd.make(result.rooms[limitIndex] ?? 0n),
        held: limit === undefined ? undefined : yield* lookAtHeld(limit.counterKey, at)
      }
    }),
    end: (id, owed) =>
      Effect.map(
        Effect.suspend(() =>
          runOperation({ end: { id, owed }, counters: countersById.get(id) ?? [id] })
        ),
        (result) => (result !== undefined && "charged" in result ? result.charged : undefined)
      ),
    renew: (id, leaseMillis) => {
      const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
      return Effect.map(
        sql`UPDATE reservations SET expires_at = ${now} + ${leaseMillis}::bigint
          WHERE id = ${id} AND expires_at > ${now} RETURNING id`,
        (renewed) => renewed.length > 0
      )
    }
  }
})

interface HeldLook {
  /** In monotonic milliseconds. */
  readonly at: number
  readonly held: Effect.Effect<HeldAmount | undefined, SqlError>
}

/** One of them may be why all failed, such as a sum that is too large, and nothing was written. */
const isSeparable = (exit: Exit.Exit<unknown, SqlError>): boolean => {
  if (Exit.isSuccess(exit) || Cause.hasInterrupts(exit.cause)) return false
  const failure = findStoreFailure(Cause.squash(exit.cause))
  return failure === undefined || (failure.scope === "statement" && failure.wroteNothing)
}

/** Forgets the oldest, which only costs a statement more. */
const setBounded = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.set(key, value)
  if (map.size <= maxKnown) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

const maxKnown = 100_000
