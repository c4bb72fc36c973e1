/** The audit log, which grows with every change. */
import { type AuditEntry, AuditLog } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"
import { scrolled } from "../scrolled.ts"

export const auditLog: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (entry) =>
      inTime(
        Effect.asVoid(
          sql`INSERT INTO audit_entries ${sql.insert({
            account: keyText(entry.account),
            made_at: entry.at,
            document: JSON.stringify(entry)
          })}`
        )
      ),
    list: (account, scroll) =>
      inTime(
        scrolled<AuditEntry>(sql, "audit_entries", [sql`account = ${keyText(account)}`], scroll)
      )
  }))
)
