/** Codes that applications exchange for API keys, by their hashes. */
import { type AuthCode, AuthCodeStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

export const authCodeStore: Layer.Layer<AuthCodeStore, never, SqlClient.SqlClient> = Layer.effect(
  AuthCodeStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    put: (code) =>
      guardStoreCall(
        Effect.asVoid(
          sql`INSERT INTO auth_codes ${sql.insert({
            hash: toKeyText(code.hash),
            account: toKeyText(code.account),
            user_id: toNullableKeyText(code.user),
            expires_at: code.expiresAt,
            document: JSON.stringify(code)
          })}`
        )
      ),
    find: (hash) =>
      guardStoreCall(
        Effect.map(
          sql<
            DocumentRow<AuthCode>
          >`SELECT document FROM auth_codes WHERE hash = ${toKeyText(hash)}`,
          ([row]) => (row === undefined ? undefined : readDocument(row))
        )
      ),
    take: (hash) =>
      guardStoreCall(
        Effect.map(
          sql`DELETE FROM auth_codes WHERE hash = ${toKeyText(hash)} RETURNING hash`,
          (rows) => rows.length > 0
        )
      ),
    count: (account, now) =>
      guardStoreCall(
        Effect.map(
          sql<{ codes: number | string }>`SELECT count(*) AS codes FROM auth_codes
            WHERE account = ${toKeyText(account)} AND expires_at > ${now}`,
          ([row]) => Number(row?.codes ?? 0)
        )
      ),
    purge: (now) =>
      guardStoreCall(
        deleteInBatches(sql`DELETE FROM auth_codes WHERE hash IN (
          SELECT hash FROM auth_codes WHERE expires_at <= ${now} LIMIT 500
        ) RETURNING hash`)
      )
  }))
)
