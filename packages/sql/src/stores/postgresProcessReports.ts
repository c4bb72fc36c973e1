/** What the processes on one Postgres report of themselves. A file of SQLite serves one process. */
import { ProcessReports, type StoredReport } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const layerPostgresProcessReports: Layer.Layer<never, never, SqlClient.SqlClient> =
  Layer.effect(
    ProcessReports,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      publish: (id, document) =>
        guardStoreCall(
          Effect.asVoid(
            Effect.andThen(
              sql`INSERT INTO processes (id, document, seen_at) VALUES (${id}, ${document}, clock_timestamp())
                ON CONFLICT (id) DO UPDATE SET document = excluded.document, seen_at = excluded.seen_at`,
              sql`DELETE FROM processes WHERE seen_at < clock_timestamp() - interval '1 hour'`
            )
          )
        ),
      remove: (id) => guardStoreCall(Effect.asVoid(sql`DELETE FROM processes WHERE id = ${id}`)),
      list: guardStoreCall(
        Effect.map(
          sql<ReportRow>`SELECT id, document,
            (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS age
            FROM processes ORDER BY id`,
          (rows) =>
            rows.map(({ age, document, id }): StoredReport => ({
              id,
              document,
              ageMillis: Math.max(0, Math.round(age))
            }))
        )
      )
    }))
  )

interface ReportRow {
  readonly id: string
  readonly document: string
  readonly age: number
}
