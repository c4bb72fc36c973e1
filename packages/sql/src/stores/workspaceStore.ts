/** Workspaces, their members and their budgets. */
import {
  type Budget,
  type Interval,
  type Member,
  SlugTaken,
  type Workspace,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { alone, together } from "../alone.ts"
import { counting } from "../counting.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { listed } from "../listed.ts"
import { bounded, die, inTime } from "../orUnavailable.ts"

export const workspaceStore: Layer.Layer<WorkspaceStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkspaceStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const locked = alone(sql)
    const shared = together(sql)
    /** Of one that was deleted the id stays, so that it does not come back. */
    const find = (account: string, id: string) =>
      Effect.map(
        sql<Kept<Workspace>>`SELECT document FROM workspaces
          WHERE account = ${keyText(account)} AND id = ${keyText(id)} AND document IS NOT NULL`,
        first
      )
    const add = (account: string, workspace: Workspace) =>
      sql`INSERT INTO workspaces ${sql.insert({
        account: keyText(account),
        id: keyText(workspace.id),
        slug: workspace.slug,
        document: JSON.stringify(workspace)
      })} ON CONFLICT DO NOTHING RETURNING id`
    const budgetOf = (account: string, workspace: string, interval: Interval) =>
      sql`account = ${keyText(account)} AND workspace = ${keyText(workspace)} AND span = ${interval}`
    const budget = (account: string, workspace: string, interval: Interval) =>
      Effect.map(
        sql<
          Kept<Budget>
        >`SELECT document FROM budgets WHERE ${budgetOf(account, workspace, interval)}`,
        first
      )

    return {
      findById: (account, id) => inTime(find(account, id)),
      hold: (account, id) => inTime(shared("workspace", account, id)(find(account, id))),
      find: (account, ref) =>
        inTime(
          Effect.map(
            sql<Kept<Workspace>>`SELECT document FROM workspaces
              WHERE account = ${keyText(account)} AND document IS NOT NULL
                AND (id = ${keyText(ref)} OR slug = ${keyText(ref)})
              ORDER BY CASE WHEN id = ${keyText(ref)} THEN 0 ELSE 1 END LIMIT 1`,
            first
          )
        ),
      count: counting(sql, "workspaces", sql`workspaces`, sql`document IS NOT NULL`),
      countMembers: counting(sql, "members", sql`members`),
      list: (account, page) =>
        inTime(
          listed(sql, {
            from: sql`workspaces WHERE account = ${keyText(account)} AND document IS NOT NULL`,
            order: sql`seq`,
            page,
            of: read<Workspace>
          })
        ),
      insert: (account, workspace) =>
        Effect.flatMap(inTime(add(account, workspace)), (added) =>
          added.length > 0 ? Effect.void : new SlugTaken({ slug: workspace.slug })
        ),
      ensure: Effect.fnUntraced(function* (account, workspace) {
        const added = yield* add(account, workspace)
        return added.length > 0 ? workspace : yield* find(account, workspace.id)
      }, inTime),
      update: Effect.fnUntraced(
        function* (account, id, change) {
          const before = yield* find(account, id)
          if (before === undefined) return undefined
          const after = change(before)
          yield* sql`UPDATE workspaces SET slug = ${after.slug}, document = ${JSON.stringify(after)}
            WHERE account = ${keyText(account)} AND id = ${keyText(id)}`.pipe(
            Effect.catchIf(isTaken, () => new SlugTaken({ slug: after.slug }))
          )
          return after
        },
        (effect, account, id) =>
          bounded(locked("workspace", account, id)(effect)).pipe(
            Effect.catchTag("SqlError", die),
            Effect.catchDefect(die)
          )
      ),
      remove: Effect.fnUntraced(
        function* (account, id) {
          const before = yield* find(account, id)
          if (before === undefined) return undefined
          yield* sql`UPDATE workspaces SET slug = NULL, document = NULL
            WHERE account = ${keyText(account)} AND id = ${keyText(id)}`
          yield* sql`DELETE FROM members WHERE account = ${keyText(account)} AND workspace = ${keyText(id)}`
          yield* sql`DELETE FROM budgets WHERE account = ${keyText(account)} AND workspace = ${keyText(id)}`
          return before
        },
        (effect, account, id) => inTime(locked("workspace", account, id)(effect))
      ),

      members: (account, workspace, page) =>
        inTime(
          listed(sql, {
            from: sql`members
              WHERE account = ${keyText(account)} AND workspace = ${keyText(workspace)}`,
            order: sql`seq`,
            page,
            of: read<Member>
          })
        ),
      addMembers: Effect.fnUntraced(
        function* (account, members) {
          const added: Array<Member> = []
          for (const member of members) {
            const rows = yield* sql`INSERT INTO members ${sql.insert({
              account: keyText(account),
              workspace: keyText(member.workspace_id),
              member: keyText(member.user_id),
              document: JSON.stringify(member)
            })} ON CONFLICT DO NOTHING RETURNING member`
            if (rows.length > 0) added.push(member)
          }
          return added
        },
        (effect, account) => inTime(locked("members", account)(effect))
      ),
      removeMembers: (account, workspace, users) =>
        sql<Kept<Member>>`DELETE FROM members
          WHERE account = ${keyText(account)} AND workspace = ${keyText(workspace)}
            AND ${sql.in("member", users.map(keyText))} RETURNING document`.pipe(
          Effect.map((rows) => rows.map(read)),
          locked("members", account),
          inTime
        ),

      budgets: (account, workspace) =>
        inTime(
          Effect.map(
            sql<Kept<Budget>>`SELECT document FROM budgets
              WHERE account = ${keyText(account)} AND workspace = ${keyText(workspace)} ORDER BY seq`,
            (rows) => rows.map(read)
          )
        ),
      putBudget: Effect.fnUntraced(
        function* (account, { reset_interval, ...rest }) {
          const workspace = rest.workspace_id
          const interval = reset_interval ?? "lifetime"
          const before = yield* budget(account, workspace, interval)
          const after: Budget = {
            ...rest,
            reset_interval,
            ...(before === undefined ? undefined : { id: before.id, created_at: before.created_at })
          }
          const document = JSON.stringify(after)
          yield* sql`INSERT INTO budgets ${sql.insert({
            account: keyText(account),
            workspace: keyText(workspace),
            span: interval,
            document
          })} ON CONFLICT (account, workspace, span) DO UPDATE SET document = excluded.document`
          return after
        },
        (effect, account, { workspace_id }) =>
          inTime(locked("budgets", account, workspace_id)(effect))
      ),
      removeBudget: (account, workspace, interval) =>
        inTime(
          Effect.map(
            sql<Kept<Budget>>`DELETE FROM budgets WHERE ${budgetOf(account, workspace, interval)}
              RETURNING document`,
            first
          )
        ).pipe(locked("budgets", account, workspace), inTime)
    }
  })
)

const isTaken = (error: SqlError): boolean => error.reason._tag === "UniqueViolation"
