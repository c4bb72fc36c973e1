/** The verbs of the ledger on SQLite: one transaction each, and one at a time. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { LedgerLimit, LedgerDriver, ReserveRejection, ReserveCommand } from "./LedgerDriver.ts"

interface Counter {
  readonly settled: bigint
  readonly reserved: bigint
}

interface ReservationRow {
  readonly amount: bigint
  readonly limits: string
}

/** As it is written in a reservation. */
interface ReservedLimitText {
  readonly counterKey: string
  readonly cap: string
}

export const sqliteLedger = (sql: SqlClient.SqlClient): LedgerDriver => {
  const counter = Effect.fnUntraced(function* (counterKey: string) {
    const [row] = yield* sql<Counter>`SELECT settled, reserved FROM limit_counters
      WHERE counter_key = ${counterKey}`
    return row ?? { settled: 0n, reserved: 0n }
  })
  const addToCounter = (counterKey: string, settled: bigint, reserved: bigint) =>
    sql`UPDATE limit_counters SET settled = settled + ${settled}, reserved = reserved + ${reserved}
      WHERE counter_key = ${counterKey}`

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
    expiresAt,
    limits,
    now
  }: ReserveCommand) {
    yield* settleExpired(now)
    const settled = new Map<string, bigint>()
    const caps = new Map<string, bigint>()
    for (const [limitIndex, limit] of limits.entries()) {
      const { cap, counterKey } = limit
      const before = yield* counter(counterKey)
      const spent = yield* readSpent(limit)
      const after = spent > before.settled ? spent : before.settled
      const available = NanoUsd.max(NanoUsd.make(cap - after - before.reserved), NanoUsd.zero)
      if (amount > available) return { limitIndex, available } satisfies ReserveRejection
      settled.set(counterKey, after)
      caps.set(counterKey, NanoUsd.min(cap, NanoUsd.make(caps.get(counterKey) ?? cap)))
    }
    for (const { counterKey, endsAt } of limits) {
      if (!settled.has(counterKey)) continue
      yield* sql`INSERT INTO limit_counters ${sql.insert({
        counter_key: counterKey,
        settled: settled.get(counterKey) ?? 0n,
        reserved: amount,
        ends_at: endsAt
      })} ON CONFLICT (counter_key)
        DO UPDATE SET settled = excluded.settled, reserved = reserved + excluded.reserved`
      settled.delete(counterKey)
    }
    const reservedLimits = Array.from(caps, ([counterKey, cap]): ReservedLimitText => ({
      counterKey,
      cap: cap.toString()
    }))
    yield* sql`INSERT INTO reservations ${sql.insert({
      id,
      amount,
      expires_at: expiresAt,
      limits: JSON.stringify(reservedLimits)
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
      const { reserved, settled } = yield* counter(counterKey)
      const left = BigInt(cap) - settled - reserved + amount
      if (left < room) room = left
    }
    const charged = NanoUsd.max(NanoUsd.min(owed, NanoUsd.make(amount)), NanoUsd.make(room))
    for (const { counterKey } of limits) yield* addToCounter(counterKey, charged, -amount)
    return charged
  })

  return {
    reserve: (request) => sql.withTransaction(reserve(request)),
    end: (id, owed) => sql.withTransaction(end(id, owed))
  }
}

const parseReservedLimits = (limits: string): ReadonlyArray<ReservedLimitText> => JSON.parse(limits)
