/** Webhook deliveries, listed by cursor because their number has no bound. */
import { type Delivery, DeliveryStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { readFirst, type DocumentRow } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"

export const deliveryStore: Layer.Layer<DeliveryStore, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    add: (delivery) =>
      guardStoreCall(
        Effect.map(
          sql`INSERT INTO deliveries ${sql.insert({
            id: toKeyText(delivery.id),
            account: toKeyText(delivery.account),
            workspace: toKeyText(delivery.workspace),
            ...toColumns(delivery)
          })} ON CONFLICT (id) DO NOTHING RETURNING id`,
          (rows) => rows.length > 0
        )
      ),
    find: (id) =>
      guardStoreCall(
        Effect.map(
          sql<DocumentRow<Delivery>>`SELECT document FROM deliveries WHERE id = ${toKeyText(id)}`,
          readFirst
        )
      ),
    replace: (version, after) =>
      guardStoreCall(
        Effect.map(
          sql`UPDATE deliveries SET ${sql.update(toColumns(after))}
            WHERE id = ${toKeyText(after.id)} AND version = ${version} RETURNING id`,
          (rows) => rows.length > 0
        )
      ),
    list: (account, { state, workspace }, page) =>
      guardStoreCall(
        selectCursorPage<Delivery>(
          sql,
          "deliveries",
          [
            sql`account = ${toKeyText(account)}`,
            ...matchOptional(sql, "workspace", workspace),
            ...matchOptional(sql, "state", state)
          ],
          page
        )
      ),
    purgeEnded: (before) =>
      guardStoreCall(
        deleteInBatches(sql`DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE ended_at < ${before} LIMIT 500
        ) RETURNING id`)
      )
  }))
)

/** The columns that an update writes. */
const toColumns = (delivery: Delivery) => ({
  state: delivery.state,
  version: delivery.version,
  ended_at: delivery.endedAt ?? null,
  document: JSON.stringify(delivery)
})
