/** The ledger on Postgres: each operation is a function of the database and takes one round trip. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import type { LedgerDriver } from "./LedgerDriver.ts"

export const postgresLedger = (sql: SqlClient.SqlClient): LedgerDriver => ({
  reserve: ({ amount, id, expiresAt, limits, now }) =>
    Effect.map(
      sql<{
        limit_index: bigint
        available: bigint
      }>`SELECT limit_index, available FROM ledger_reserve(
        ${id}, ${amount}, ${now}, ${expiresAt}, ${stringifyWithBigInts(limits)})`,
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
