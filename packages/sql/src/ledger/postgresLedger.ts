/** The verbs of the ledger on Postgres: functions of the database, each one round trip. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { LedgerVerbs } from "./LedgerVerbs.ts"

export const postgresLedger = (sql: SqlClient.SqlClient): LedgerVerbs => ({
  reserve: ({ amount, id, lapsesAt, limits, now }) =>
    Effect.map(
      sql<{ place: bigint; available: bigint }>`SELECT place, available FROM ledger_reserve(
        ${id}, ${amount}, ${now}, ${lapsesAt}, ${JSON.stringify(limits, asText)})`,
      ([row]) =>
        row === undefined
          ? undefined
          : { place: Number(row.place), available: NanoUsd.make(row.available) }
    ),
  end: (id, owed) =>
    Effect.map(sql<{ charged: bigint }>`SELECT charged FROM ledger_end(${id}, ${owed})`, ([row]) =>
      row === undefined ? undefined : NanoUsd.make(row.charged)
    )
})

const asText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value
