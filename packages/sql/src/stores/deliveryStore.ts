/** Deliveries of events, which come and go with the work of a box. */
import { type Delivery, DeliveryStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { first, type Kept } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"
import { untilNone } from "../untilNone.ts"
import { scrolled } from "../scrolled.ts"

export const deliveryStore: Layer.Layer<DeliveryStore, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    add: (delivery) =>
      inTime(
        Effect.map(
          sql`INSERT INTO deliveries ${sql.insert({
            id: keyText(delivery.id),
            account: keyText(delivery.account),
            workspace: keyText(delivery.workspace),
            ...columnsOf(delivery)
          })} ON CONFLICT (id) DO NOTHING RETURNING id`,
          (rows) => rows.length > 0
        )
      ),
    find: (id) =>
      inTime(
        Effect.map(
          sql<Kept<Delivery>>`SELECT document FROM deliveries WHERE id = ${keyText(id)}`,
          first
        )
      ),
    replace: (turn, after) =>
      inTime(
        Effect.map(
          sql`UPDATE deliveries SET ${sql.update(columnsOf(after))}
            WHERE id = ${keyText(after.id)} AND turn = ${turn} RETURNING id`,
          (rows) => rows.length > 0
        )
      ),
    list: (account, { state, workspace }, scroll) =>
      inTime(
        scrolled<Delivery>(
          sql,
          "deliveries",
          [
            sql`account = ${keyText(account)}`,
            ...(workspace === undefined ? [] : [sql`workspace = ${keyText(workspace)}`]),
            ...(state === undefined ? [] : [sql`state = ${state}`])
          ],
          scroll
        )
      ),
    forget: (before) =>
      inTime(
        untilNone(sql`DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE ended_at < ${before} LIMIT 500
        ) RETURNING id`)
      )
  }))
)

/** What changes of one. */
const columnsOf = (delivery: Delivery) => ({
  state: delivery.state,
  turn: delivery.turn,
  ended_at: delivery.endedAt ?? null,
  document: JSON.stringify(delivery)
})
