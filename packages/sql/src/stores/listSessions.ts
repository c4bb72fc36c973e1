/** Sums up the requests of sessions: figures by one grouped query, names by another for the sessions of the page. */
import {
  type GenerationStore,
  maxSessionNames,
  NanoUsd,
  type SessionNames,
  type SessionSummary,
  toSessionPage
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { byCodePoint, toDialect } from "../connection/dialect.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { fromKeyText, toKeyText } from "../rows/toKeyText.ts"
import { matchRequests } from "./matchRequests.ts"

/** Sums come as text, so that they stay exact. */
interface FigureRow {
  readonly workspace: string
  readonly session_id: string
  readonly first_at: number | bigint
  readonly last_at: number | bigint
  readonly requests: number | bigint
  readonly failed: number | bigint
  readonly cost: string | null
  readonly tokens: number | null
}

export const listSessions = (
  sql: SqlClient.SqlClient
): GenerationStore["Service"]["listSessions"] => {
  const order = sql.literal(byCodePoint[toDialect(sql)])
  return Effect.fnUntraced(function* (filter, { after, limit }) {
    const conditions = [...matchRequests(sql, filter), sql`session_id IS NOT NULL`]
    const having =
      after === undefined
        ? sql``
        : sql`HAVING (max(started_at), session_id ${order}, workspace ${order}) <
            (${after.lastAt}, ${toKeyText(after.id)}, ${toKeyText(after.workspace)})`
    const figures = yield* sql<FigureRow>`SELECT workspace, session_id,
        min(started_at) AS first_at, max(started_at) AS last_at, count(*) AS requests,
        sum(CASE WHEN outcome <> 'answered' THEN 1 ELSE 0 END) AS failed,
        CAST(sum(CAST(cost AS bigint)) AS text) AS cost, sum(tokens) AS tokens
      FROM generations WHERE ${sql.and(conditions)}
      GROUP BY workspace, session_id ${having}
      ORDER BY max(started_at) DESC, session_id ${order} DESC, workspace ${order} DESC
      LIMIT ${limit + 1}`
    const findNames = yield* selectNames(
      sql,
      conditions,
      figures.slice(0, limit).map((row) => row.session_id)
    )
    const rows = figures.map((row): SessionSummary => {
      const { session_id: session, workspace } = row
      return {
        id: fromKeyText(session),
        workspace: fromKeyText(workspace),
        firstAt: Number(row.first_at),
        lastAt: Number(row.last_at),
        requests: Number(row.requests),
        failed: Number(row.failed),
        cost: NanoUsd.make(BigInt(row.cost ?? 0)),
        tokens: row.tokens ?? 0,
        models: findNames("models", workspace, session),
        users: findNames("users", workspace, session),
        externalUsers: findNames("externalUsers", workspace, session)
      }
    })
    return toSessionPage(rows, { limit })
  }, guardStoreCall)
}

type NameKind = "externalUsers" | "models" | "users"

const nameColumns = [
  ["models", "model"],
  ["users", "acting_user"],
  ["externalUsers", "user_id"]
] as const satisfies ReadonlyArray<readonly [NameKind, string]>

interface NameRow {
  readonly kind: NameKind
  readonly workspace: string
  readonly session_id: string
  readonly name: string
  readonly total: number | bigint
}

/** The names that the sessions have in each column, the most used first. */
const selectNames = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  conditions: ReadonlyArray<Fragment>,
  sessions: ReadonlyArray<string>
): Effect.fn.Return<
  (kind: NameKind, workspace: string, session: string) => SessionNames,
  SqlError
> {
  const order = sql.literal(byCodePoint[toDialect(sql)])
  const found = new Map<string, { readonly names: Array<string>; readonly count: number }>()
  if (sessions.length > 0) {
    const counted = nameColumns.map(
      ([kind, column]) => sql`SELECT ${sql.literal(`'${kind}'`)} AS kind, workspace, session_id,
        ${sql(column)} AS name, count(*) AS requests FROM generations
        WHERE ${sql.and([...conditions, sql.in("session_id", sessions), sql`${sql(column)} IS NOT NULL`])}
        GROUP BY workspace, session_id, ${sql(column)}`
    )
    const rows = yield* sql<NameRow>`SELECT kind, workspace, session_id, name, total FROM (
        SELECT kind, workspace, session_id, name,
          row_number() OVER (PARTITION BY kind, workspace, session_id
            ORDER BY requests DESC, name ${order}) AS place,
          count(*) OVER (PARTITION BY kind, workspace, session_id) AS total
        FROM (${sql.join(" UNION ALL ", false)(counted)}) AS counted
      ) AS ranked WHERE place <= ${maxSessionNames} ORDER BY place`
    for (const { kind, name, session_id: session, total, workspace } of rows) {
      const key = toKey(kind, workspace, session)
      const names = found.get(key)?.names ?? []
      names.push(fromKeyText(name))
      found.set(key, { names, count: Number(total) })
    }
  }
  return (kind, workspace, session) =>
    found.get(toKey(kind, workspace, session)) ?? { names: [], count: 0 }
})

const toKey = (kind: NameKind, workspace: string, session: string): string =>
  JSON.stringify([kind, workspace, session])
