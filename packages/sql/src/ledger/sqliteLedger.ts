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
  readonly held: string
}

/** As it is written in a reservation. */
interface ReservedLimitText {
  readonly name: string
  readonly cap: string
}

export const sqliteLedger = (sql: SqlClient.SqlClient): LedgerDriver => {
  const counter = Effect.fnUntraced(function* (name: string) {
    const [row] = yield* sql<Counter>`SELECT settled, reserved FROM counters WHERE name = ${name}`
    return row ?? { settled: 0n, reserved: 0n }
  })
  const addToCounter = (name: string, settled: bigint, reserved: bigint) =>
    sql`UPDATE counters SET settled = settled + ${settled}, reserved = reserved + ${reserved}
      WHERE name = ${name}`

  const settleExpired = Effect.fnUntraced(function* (now: number) {
    const lapsed = yield* sql<ReservationRow>`
      DELETE FROM reservations WHERE lapses_at <= ${now} RETURNING amount, held`
    for (const { amount, held } of lapsed) {
      for (const { name } of parseReservedLimits(held)) yield* addToCounter(name, amount, -amount)
    }
  })

  const readSpent = Effect.fnUntraced(function* ({
    beganAt,
    countsByok,
    span,
    subject
  }: LedgerLimit) {
    if (subject === null) return 0n
    const [row] = yield* sql<{ credits: bigint; byok: bigint }>`SELECT credits, byok FROM spend
      WHERE subject = ${subject} AND span = ${span} AND began_at >= ${beganAt}`
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
      const { cap, name } = limit
      const before = yield* counter(name)
      const spent = yield* readSpent(limit)
      const after = spent > before.settled ? spent : before.settled
      const available = NanoUsd.max(NanoUsd.make(cap - after - before.reserved), NanoUsd.zero)
      if (amount > available) return { limitIndex, available } satisfies ReserveRejection
      settled.set(name, after)
      caps.set(name, NanoUsd.min(cap, NanoUsd.make(caps.get(name) ?? cap)))
    }
    for (const { endsAt, name } of limits) {
      if (!settled.has(name)) continue
      yield* sql`INSERT INTO counters ${sql.insert({
        name,
        settled: settled.get(name) ?? 0n,
        reserved: amount,
        ends_at: endsAt
      })} ON CONFLICT (name)
        DO UPDATE SET settled = excluded.settled, reserved = reserved + excluded.reserved`
      settled.delete(name)
    }
    const held = Array.from(caps, ([name, cap]): ReservedLimitText => ({
      name,
      cap: cap.toString()
    }))
    yield* sql`INSERT INTO reservations ${sql.insert({
      id,
      amount,
      lapses_at: expiresAt,
      held: JSON.stringify(held)
    })}`
    return undefined
  })

  const end = Effect.fnUntraced(function* (id: string, owed: NanoUsd.NanoUsd) {
    const [ended] = yield* sql<ReservationRow>`
      DELETE FROM reservations WHERE id = ${id} RETURNING amount, held`
    if (ended === undefined) return undefined
    const { amount } = ended
    const held = parseReservedLimits(ended.held)
    let room: bigint = owed
    for (const { cap, name } of held) {
      const { reserved, settled } = yield* counter(name)
      const left = BigInt(cap) - settled - reserved + amount
      if (left < room) room = left
    }
    const charged = NanoUsd.max(NanoUsd.min(owed, NanoUsd.make(amount)), NanoUsd.make(room))
    for (const { name } of held) yield* addToCounter(name, charged, -amount)
    return charged
  })

  return {
    reserve: (request) => sql.withTransaction(reserve(request)),
    end: (id, owed) => sql.withTransaction(end(id, owed))
  }
}

const parseReservedLimits = (held: string): ReadonlyArray<ReservedLimitText> => JSON.parse(held)
