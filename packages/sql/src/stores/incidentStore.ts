/** The times in which endpoints of a provider failed. */
import { type Incident, type IncidentFilter, IncidentStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { findText } from "../connection/dialect.ts"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const incidentStore: Layer.Layer<IncidentStore, never, SqlClient.SqlClient> = Layer.effect(
  IncidentStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    update: (provider, since, change) =>
      withExclusiveLock(sql)("incidents", provider)(
        Effect.gen(function* () {
          const rows = yield* sql<DocumentRow<Incident>>`SELECT document FROM incidents
            WHERE provider = ${toKeyText(provider)} AND (ended_at IS NULL OR seen_at >= ${since})
            ORDER BY seq`
          for (const incident of change(rows.map(readDocument))) {
            const { ended_at, id, seen_at, started_at } = incident
            yield* sql`INSERT INTO incidents ${sql.insert({
              id: toKeyText(id),
              provider: toKeyText(provider),
              started_at: Date.parse(started_at),
              seen_at: Date.parse(seen_at),
              ended_at: ended_at === null ? null : Date.parse(ended_at),
              document: JSON.stringify(incident)
            })} ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at,
              seen_at = excluded.seen_at, ended_at = excluded.ended_at, document = excluded.document`
          }
        })
      ),
    list: (filter, page) =>
      guardStoreCall(selectCursorPage<Incident>(sql, "incidents", toConditions(sql, filter), page)),
    purge: (seenBefore) =>
      guardStoreCall(
        deleteInBatches(sql`DELETE FROM incidents WHERE id IN (
          SELECT id FROM incidents WHERE seen_at < ${seenBefore} LIMIT 500
        ) RETURNING id`)
      )
  }))
)

const toConditions = (
  sql: SqlClient.SqlClient,
  { aliveSince, endpoint, from, isOpen, provider, to }: IncidentFilter
): ReadonlyArray<Fragment> => [
  ...matchOptional(sql, "provider", provider),
  ...(from === undefined ? [] : [sql`seen_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`started_at < ${to}`]),
  ...(isOpen === undefined
    ? []
    : isOpen
      ? [sql`ended_at IS NULL AND seen_at >= ${aliveSince}`]
      : [sql`(ended_at IS NOT NULL OR seen_at < ${aliveSince})`]),
  ...(endpoint === undefined
    ? []
    : [findText(sql, "document", JSON.stringify({ endpoint_id: endpoint }).slice(1, -1))])
]
