/** Deletes alerts about limits of a person. */
import {
  type Alert,
  type Delivery,
  deliversName,
  namesPerson,
  type Renaming
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { findText } from "../connection/dialect.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { renameStoredKey, toQuoted } from "./nameForms.ts"

/** Alerts about limits of the person, and their deliveries, in which the alert is JSON in JSON. */
export const deleteAlerts =
  (sql: SqlClient.SqlClient) =>
  (renaming: Renaming): Effect.Effect<number> =>
    guardStoreCall(
      sql.withTransaction(
        Effect.gen(function* () {
          const name = toQuoted(JSON.stringify(renaming.name))
          // The names of budgets have it within other text.
          const inText = JSON.stringify(renaming.name).slice(1, -1)
          const account = toKeyText(renaming.account)
          const alerts = yield* sql<SequencedRow>`SELECT seq, document FROM alerts
          WHERE account = ${account} AND (${findText(sql, "document", name)}
            OR ${findText(sql, "document", inText)})`
          const deliveries = yield* sql<SequencedRow>`SELECT seq, document FROM deliveries
          WHERE account = ${account} AND ${findText(sql, "document", toQuoted(inText))}`
          let deleted = 0
          for (const { document, seq } of alerts) {
            const alert: Alert = JSON.parse(document)
            if (!namesPerson(alert, renaming)) continue
            yield* sql`DELETE FROM alerts WHERE seq = ${seq}`
            deleted++
          }
          for (const { document, seq } of deliveries) {
            const delivery: Delivery = JSON.parse(document)
            if (!deliversName(delivery, renaming)) continue
            yield* sql`DELETE FROM deliveries WHERE seq = ${seq}`
            deleted++
          }
          const claims = yield* sql<{ claim_key: string }>`SELECT claim_key FROM alert_claims
          WHERE ${findText(sql, "claim_key", toKeyText(name))}`
          for (const { claim_key: key } of claims) {
            const renamed = renameStoredKey(key, renaming)
            if (renamed === key) continue
            yield* sql`UPDATE alert_claims SET claim_key = ${renamed} WHERE claim_key = ${key}`
          }
          return deleted
        })
      )
    )

interface SequencedRow {
  readonly seq: bigint | number
  readonly document: string
}
