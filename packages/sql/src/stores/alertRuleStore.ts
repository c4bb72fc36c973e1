/** Alert rules of workspaces. */
import { type AlertRule, AlertRuleStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { makeOwnedStore } from "../rows/makeOwnedStore.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const alertRuleStore: Layer.Layer<AlertRuleStore, never, SqlClient.SqlClient> = Layer.effect(
  AlertRuleStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    ...makeOwnedStore<AlertRule>(sql, "alert_rules"),
    listAll: (account) =>
      guardStoreCall(
        Effect.map(
          sql<DocumentRow<AlertRule>>`SELECT document FROM alert_rules
            WHERE account = ${toKeyText(account)} ORDER BY seq`,
          (rows) => rows.map(readDocument)
        )
      )
  }))
)
