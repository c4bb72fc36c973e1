/** Finds what running requests hold of a limit, for the message of a refusal. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { findText } from "../connection/dialect.ts"
import type { HeldAmount } from "./LedgerDriver.ts"

/** A look at the open reservations, which are few. Their limits are JSON, which has the key of the counter as a string. */
export const findHeld = (
  sql: SqlClient.SqlClient,
  counterKey: string
): Effect.Effect<HeldAmount | undefined, SqlError> =>
  Effect.map(
    sql<{ amount: bigint | null; count: bigint }>`
      SELECT CAST(SUM(amount) AS BIGINT) AS amount, COUNT(*) AS count FROM reservations
      WHERE amount > 0 AND ${findText(sql, "limits", JSON.stringify(counterKey))}`,
    ([row]) =>
      row === undefined || row.amount === null || row.count === 0n
        ? undefined
        : { amount: NanoUsd.make(row.amount), reservations: Number(row.count) }
  )
