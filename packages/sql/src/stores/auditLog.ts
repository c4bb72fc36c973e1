/** The audit log, which grows forever. */
import { type AuditEntry, AuditLog } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"

export const auditLog: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (entry) =>
      guardStoreCall(
        Effect.asVoid(
          sql`INSERT INTO audit_entries ${sql.insert({
            account: toKeyText(entry.account),
            occurred_at: entry.at,
            document: JSON.stringify(entry)
          })}`
        )
      ),
    list: (account, page) =>
      guardStoreCall(
        selectCursorPage<AuditEntry>(
          sql,
          "audit_entries",
          [sql`account = ${toKeyText(account)}`],
          page
        )
      )
  }))
)
