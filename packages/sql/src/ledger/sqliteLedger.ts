/** The ledger on SQLite: each operation is one transaction, and SQLite runs them one at a time. */
import { LeaseClock, NanoUsd } from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { findHeld } from "./findHeld.ts"
import {
  type LedgerLimit,
  type LedgerDriver,
  type ReserveCommand,
  type ReservedLimit,
  toReservedLimits
} from "./LedgerDriver.ts"

interface CounterRow {
  readonly settled: bigint
  readonly reserved: bigint
}

interface ReservationRow {
  readonly amount: bigint
  readonly limits: string
}

export const sqliteLedger = (sql: SqlClient.SqlClient): LedgerDriver => {
  /** One process has the file, so leases are on its clock. */
  const leaseClock = new LeaseClock()
  const findCounter = Effect.fnUntraced(function* (counterKey: string) {
    const [row] = yield* sql<CounterRow>`SELECT settled, reserved FROM limit_counters
      WHERE counter_key = ${counterKey}`
    return row ?? { settled: 0n, reserved: 0n }
  })
  const addToCounter = (counterKey: string, settled: bigint, reserved: bigint) =>
    sql`UPDATE limit_counters SET settled = settled + ${settled}, reserved = reserved + ${reserved}
      WHERE counter_key = ${counterKey}`

  /** Charges expired reservations in full, because their owners may have spent the money. */
  const settleExpired = Effect.fnUntraced(function* (now: number) {
    const expired = yield* sql<ReservationRow>`
      DELETE FROM reservations WHERE expires_at <= ${now} RETURNING amount, limits`
    for (const { amount, limits } of expired) {
      for (const { counterKey } of parseReservedLimits(limits))
        yield* addToCounter(counterKey, amount, -amount)
    }
  })

  const readSpent = Effect.fnUntraced(function* ({
    beganAt,
    countsByok,
    interval,
    subject
  }: LedgerLimit) {
    if (subject === null) return 0n
    const [row] = yield* sql<{ credits: bigint; byok: bigint }>`SELECT credits, byok FROM spend
      WHERE subject = ${subject} AND interval_name = ${interval} AND began_at >= ${beganAt}`
    return row === undefined ? 0n : row.credits + (countsByok ? row.byok : 0n)
  })

  const reserve = Effect.fnUntraced(function* ({
    amount,
    id,
    leaseMillis,
    limits
  }: ReserveCommand) {
    const { earliest, latest } = leaseClock.read(yield* Clock.Clock, leaseMillis)
    yield* settleExpired(earliest)
    const settledByCounter = new Map<string, bigint>()
    for (const [limitIndex, limit] of limits.entries()) {
      const { cap, counterKey } = limit
      const counter = yield* findCounter(counterKey)
      const spent = yield* readSpent(limit)
      const settled = spent > counter.settled ? spent : counter.settled
      const available = NanoUsd.max(NanoUsd.make(cap - settled - counter.reserved), NanoUsd.zero)
      if (amount > available) return { limitIndex, available, counterKey }
      settledByCounter.set(counterKey, settled)
    }
    for (const { counterKey, endsAt } of limits) {
      if (!settledByCounter.has(counterKey)) continue
      yield* sql`INSERT INTO limit_counters ${sql.insert({
        counter_key: counterKey,
        settled: settledByCounter.get(counterKey) ?? 0n,
        reserved: amount,
        ends_at: endsAt
      })} ON CONFLICT (counter_key)
        DO UPDATE SET settled = excluded.settled, reserved = reserved + excluded.reserved`
      settledByCounter.delete(counterKey)
    }
    yield* sql`INSERT INTO reservations ${sql.insert({
      id,
      amount,
      expires_at: latest + leaseMillis,
      limits: JSON.stringify(toReservedLimits(limits))
    })}`
    return undefined
  })

  const end = Effect.fnUntraced(function* (id: string, owed: NanoUsd.NanoUsd) {
    const [ended] = yield* sql<ReservationRow>`
      DELETE FROM reservations WHERE id = ${id} RETURNING amount, limits`
    if (ended === undefined) return undefined
    const { amount } = ended
    const limits = parseReservedLimits(ended.limits)
    let room: bigint = owed
    for (const { cap, counterKey } of limits) {
      const { reserved, settled } = yield* findCounter(counterKey)
      const roomInLimit = BigInt(cap) - settled - reserved + amount
      if (roomInLimit < room) room = roomInLimit
    }
    const charged = NanoUsd.max(NanoUsd.min(owed, NanoUsd.make(amount)), NanoUsd.make(room))
    for (const { counterKey } of limits) yield* addToCounter(counterKey, charged, -amount)
    return charged
  })

  return {
    reserve: Effect.fnUntraced(function* (request) {
      const rejection = yield* sql.withTransaction(reserve(request))
      return rejection === undefined
        ? undefined
        : { ...rejection, held: yield* findHeld(sql, rejection.counterKey) }
    }),
    end: (id, owed) => sql.withTransaction(end(id, owed)),
    renew: Effect.fnUntraced(function* (id, leaseMillis) {
      const { earliest, latest } = leaseClock.read(yield* Clock.Clock, leaseMillis)
      const renewed = yield* sql`UPDATE reservations SET expires_at = ${latest + leaseMillis}
        WHERE id = ${id} AND expires_at > ${earliest} RETURNING id`
      return renewed.length > 0
    })
  }
}

const parseReservedLimits = (limits: string): ReadonlyArray<ReservedLimit> => JSON.parse(limits)
