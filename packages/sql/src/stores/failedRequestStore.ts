/** Requests that failed before they were routed. Those that were not authenticated have no account. */
import {
  type FailedRequest,
  FailedRequestStore,
  Settings,
  type FailedRequestFilter
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

export const failedRequestStore: Layer.Layer<FailedRequestStore, never, SqlClient.SqlClient> =
  Layer.effect(
    FailedRequestStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const write = writeFailedRequests(sql)
      return {
        record: (failed) => write([failed]),
        list: (filter, limit) =>
          guardStoreCall(
            Effect.map(
              sql<DocumentRow<FailedRequest>>`SELECT document FROM failed_requests
                WHERE ${sql.and(toConditions(sql, filter))} ORDER BY seq DESC LIMIT ${limit}`,
              (rows) => rows.map(readDocument)
            )
          )
      }
    })
  )

const toConditions = (
  sql: SqlClient.SqlClient,
  { account, includesUnauthenticated, requestId, status }: FailedRequestFilter
): ReadonlyArray<Fragment> => [
  includesUnauthenticated
    ? sql`(account = ${toKeyText(account)} OR account IS NULL)`
    : sql`account = ${toKeyText(account)}`,
  ...matchOptional(sql, "request_id", requestId),
  ...(status === undefined ? [] : [sql`status = ${status}`])
]

/**
 * Writes all in one transaction. Each account keeps its latest `Settings.maxFailedRequestsPerAccount`, and so do requests
 * that were not authenticated, altogether.
 */
export const writeFailedRequests =
  (sql: SqlClient.SqlClient) =>
  (failures: ReadonlyArray<FailedRequest>): Effect.Effect<void> => {
    const rows = failures.map((failed) => ({
      account: toNullableKeyText(failed.caller?.account),
      request_id: toKeyText(failed.requestId),
      status: failed.status,
      failed_at: failed.at,
      document: JSON.stringify(failed)
    }))
    const accounts = new Set(rows.map(({ account }) => account))
    return Arr.isArrayNonEmpty(rows)
      ? guardStoreCall(
          sql.withTransaction(
            Effect.flatMap(Settings, ({ maxFailedRequestsPerAccount }) =>
              Effect.andThen(
                sql`INSERT INTO failed_requests ${sql.insert(rows)}`,
                Effect.forEach(
                  accounts,
                  (account) => {
                    const own = account === null ? sql`account IS NULL` : sql`account = ${account}`
                    return sql`DELETE FROM failed_requests WHERE ${own} AND seq <= (
                      SELECT seq FROM failed_requests WHERE ${own}
                      ORDER BY seq DESC LIMIT 1 OFFSET ${maxFailedRequestsPerAccount}
                    )`
                  },
                  { discard: true }
                )
              )
            )
          )
        )
      : Effect.void
  }
