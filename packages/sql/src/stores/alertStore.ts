/** Alerts, and the claims by which each is raised once. */
import { type Alert, AlertStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { clampAmount, withExactIntegers } from "../ledger/money.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { type DocumentRow, readFirst } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const alertStore: Layer.Layer<AlertStore, never, SqlClient.SqlClient> = Layer.effect(
  AlertStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    /** A concurrent claim of the key waits for the row, and then sees its level. */
    claim: ({ expiresAt, key, level }, now) =>
      withExactIntegers(
        Effect.map(
          sql`INSERT INTO alert_claims ${sql.insert({
            claim_key: toKeyText(key),
            level: clampAmount(level),
            expires_at: expiresAt
          })} ON CONFLICT (claim_key) DO UPDATE SET
            level = excluded.level, expires_at = excluded.expires_at
            WHERE alert_claims.level < excluded.level OR alert_claims.expires_at <= ${now}
            RETURNING claim_key`,
          (rows) => rows.length > 0
        )
      ),
    release: (key) =>
      guardStoreCall(
        Effect.map(
          sql`DELETE FROM alert_claims WHERE claim_key = ${toKeyText(key)} RETURNING claim_key`,
          (rows) => rows.length > 0
        )
      ),
    add: (alert) =>
      guardStoreCall(
        Effect.asVoid(
          sql`INSERT INTO alerts ${sql.insert({
            id: toKeyText(alert.id),
            account: toKeyText(alert.account),
            workspace: toKeyText(alert.workspace_id),
            created_at: Date.parse(alert.created_at),
            document: JSON.stringify(alert)
          })}`
        )
      ),
    find: (id) =>
      guardStoreCall(
        Effect.map(
          sql<DocumentRow<Alert>>`SELECT document FROM alerts WHERE id = ${toKeyText(id)}`,
          readFirst
        )
      ),
    list: (account, workspace, page) =>
      guardStoreCall(
        selectCursorPage<Alert>(
          sql,
          "alerts",
          [sql`account = ${toKeyText(account)}`, ...matchOptional(sql, "workspace", workspace)],
          page
        )
      ),
    purge: (createdBefore, now) =>
      guardStoreCall(
        Effect.andThen(
          deleteInBatches(sql`DELETE FROM alerts WHERE id IN (
            SELECT id FROM alerts WHERE created_at < ${createdBefore} LIMIT 500
          ) RETURNING id`),
          deleteInBatches(sql`DELETE FROM alert_claims WHERE claim_key IN (
            SELECT claim_key FROM alert_claims WHERE expires_at < ${now} LIMIT 500
          ) RETURNING claim_key`)
        )
      )
  }))
)
