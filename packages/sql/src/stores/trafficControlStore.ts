/** What operators ask of the traffic to endpoints and providers. */
import { type TrafficControl, TrafficControlStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { type DocumentRow, readDocument, readFirst } from "../rows/DocumentRow.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const trafficControlStore: Layer.Layer<TrafficControlStore, never, SqlClient.SqlClient> =
  Layer.effect(
    TrafficControlStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      list: guardStoreCall(
        Effect.map(
          sql<DocumentRow<TrafficControl>>`SELECT document FROM traffic_controls`,
          (rows) => rows.map(readDocument)
        )
      ),
      update: ({ id, kind }, change) =>
        withExclusiveLock(sql)("traffic_control", kind, id)(
          Effect.gen(function* () {
            const before = readFirst(
              yield* sql<DocumentRow<TrafficControl>>`SELECT document FROM traffic_controls
                WHERE kind = ${kind} AND id = ${toKeyText(id)}`
            )
            const after = yield* Effect.fromResult(change(before))
            if (after === before) return after
            yield* sql`INSERT INTO traffic_controls ${sql.insert({
              kind,
              id: toKeyText(id),
              document: JSON.stringify(after)
            })} ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document`
            return after
          })
        )
    }))
  )
