/** The verbs of the ledger on Postgres: functions of the database, each one round trip. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { LedgerDriver } from "./LedgerDriver.ts"

export const postgresLedger = (sql: SqlClient.SqlClient): LedgerDriver => ({
  reserve: ({ amount, id, expiresAt, limits, now }) =>
    Effect.map(
      sql<{
        limit_index: bigint
        available: bigint
      }>`SELECT limit_index, available FROM ledger_reserve(
        ${id}, ${amount}, ${now}, ${expiresAt}, ${JSON.stringify(limits, bigintToText)})`,
      ([row]) =>
        row === undefined
          ? undefined
          : { limitIndex: Number(row.limit_index), available: NanoUsd.make(row.available) }
    ),
  end: (id, owed) =>
    Effect.map(sql<{ charged: bigint }>`SELECT charged FROM ledger_end(${id}, ${owed})`, ([row]) =>
      row === undefined ? undefined : NanoUsd.make(row.charged)
    )
})

const bigintToText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value
