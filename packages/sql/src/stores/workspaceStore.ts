/** Workspaces, their members and their budgets. */
import {
  type AnyBudget,
  type Budget,
  type Interval,
  type Member,
  type ScopedBudget,
  SlugTaken,
  type Workspace,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock, withSharedLock } from "../connection/locks.ts"
import { countRows } from "../rows/countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { makeOwnedStore } from "../rows/makeOwnedStore.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { selectPage } from "../rows/selectPage.ts"
import { guardStoreCall, isUniqueViolation } from "../errors/guardStoreCall.ts"

export const workspaceStore: Layer.Layer<WorkspaceStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkspaceStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const withLock = withExclusiveLock(sql)
    const withReadLock = withSharedLock(sql)
    /** The row of a deleted workspace stays without a document, so that its id is not used again. */
    const find = (account: string, id: string) =>
      Effect.map(
        sql<DocumentRow<Workspace>>`SELECT document FROM workspaces
          WHERE account = ${toKeyText(account)} AND id = ${toKeyText(id)} AND document IS NOT NULL`,
        readFirst
      )
    const add = (account: string, workspace: Workspace) =>
      sql`INSERT INTO workspaces ${sql.insert({
        account: toKeyText(account),
        id: toKeyText(workspace.id),
        slug: workspace.slug,
        bundle: workspace.customer?.bundle ?? null,
        document: JSON.stringify(workspace)
      })} ON CONFLICT DO NOTHING RETURNING id`
    const matchBudget = (account: string, workspace: string, interval: Interval) =>
      sql`account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)} AND interval_name = ${interval}`
    const findBudget = (account: string, workspace: string, interval: Interval) =>
      Effect.map(
        sql<
          DocumentRow<Budget>
        >`SELECT document FROM budgets WHERE ${matchBudget(account, workspace, interval)}`,
        readFirst
      )

    return {
      findById: (account, id) => guardStoreCall(find(account, id)),
      findForUpdate: (account, id) => withReadLock("workspace", account, id)(find(account, id)),
      find: (account, ref) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<Workspace>>`SELECT document FROM workspaces
              WHERE account = ${toKeyText(account)} AND document IS NOT NULL
                AND (id = ${toKeyText(ref)} OR slug = ${toKeyText(ref)})
              ORDER BY CASE WHEN id = ${toKeyText(ref)} THEN 0 ELSE 1 END LIMIT 1`,
            readFirst
          )
        ),
      count: countRows(sql, "workspaces", sql`workspaces`, sql`document IS NOT NULL`),
      countMembers: countRows(sql, "members", sql`members`),
      list: (account, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`workspaces WHERE account = ${toKeyText(account)} AND document IS NOT NULL`,
            order: sql`seq`,
            page,
            decode: readDocument<Workspace>
          })
        ),
      listCustomers: (account, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`workspaces WHERE account = ${toKeyText(account)} AND bundle IS NOT NULL`,
            order: sql`seq`,
            page,
            decode: readDocument<Workspace>
          })
        ),
      listBundles: () =>
        guardStoreCall(
          Effect.map(
            sql<{
              bundle: string
            }>`SELECT DISTINCT bundle FROM workspaces WHERE bundle IS NOT NULL`,
            (rows) => rows.map(({ bundle }) => bundle)
          )
        ),
      insert: (account, workspace) =>
        Effect.flatMap(guardStoreCall(add(account, workspace)), (added) =>
          added.length > 0 ? Effect.void : new SlugTaken({ slug: workspace.slug })
        ),
      ensure: Effect.fnUntraced(function* (account, workspace) {
        const added = yield* add(account, workspace)
        return added.length > 0 ? workspace : yield* find(account, workspace.id)
      }, guardStoreCall),
      update: Effect.fnUntraced(
        function* (account, id, change) {
          const before = yield* find(account, id)
          if (before === undefined) return undefined
          const after = change(before)
          yield* sql`UPDATE workspaces SET slug = ${after.slug},
              bundle = ${after.customer?.bundle ?? null}, document = ${JSON.stringify(after)}
            WHERE account = ${toKeyText(account)} AND id = ${toKeyText(id)}`.pipe(
            Effect.catchIf(isUniqueViolation, () => new SlugTaken({ slug: after.slug }))
          )
          return after
        },
        (effect, account, id) => withLock("workspace", account, id)(effect)
      ),
      remove: Effect.fnUntraced(
        function* (account, id) {
          const before = yield* find(account, id)
          if (before === undefined) return undefined
          yield* sql`UPDATE workspaces SET slug = NULL, bundle = NULL, document = NULL
            WHERE account = ${toKeyText(account)} AND id = ${toKeyText(id)}`
          yield* sql`DELETE FROM members WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(id)}`
          yield* sql`DELETE FROM budgets WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(id)}`
          yield* sql`DELETE FROM scoped_budgets
            WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(id)}`
          return before
        },
        (effect, account, id) => withLock("workspace", account, id)(effect)
      ),

      members: (account, workspace, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`members
              WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`,
            order: sql`seq`,
            page,
            decode: readDocument<Member>
          })
        ),
      addMembers: Effect.fnUntraced(
        function* (account, members) {
          const added: Array<Member> = []
          for (const member of members) {
            const rows = yield* sql`INSERT INTO members ${sql.insert({
              account: toKeyText(account),
              workspace: toKeyText(member.workspace_id),
              member: toKeyText(member.user_id),
              document: JSON.stringify(member)
            })} ON CONFLICT DO NOTHING RETURNING member`
            if (rows.length > 0) added.push(member)
          }
          return added
        },
        (effect, account) => withLock("members", account)(effect)
      ),
      removeMembers: (account, workspace, users) =>
        sql<DocumentRow<Member>>`DELETE FROM members
          WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}
            AND ${sql.in("member", users.map(toKeyText))} RETURNING document`.pipe(
          Effect.map((rows) => rows.map(readDocument)),
          withLock("members", account)
        ),

      budgets: (account, workspace) => {
        const where = sql`account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`
        return guardStoreCall(
          Effect.zipWith(
            sql<DocumentRow<AnyBudget>>`SELECT document FROM budgets WHERE ${where} ORDER BY seq`,
            sql<DocumentRow<AnyBudget>>`SELECT document FROM scoped_budgets
              WHERE ${where} ORDER BY seq`,
            (ofIntervals, ofScopes) => [...ofIntervals, ...ofScopes].map(readDocument)
          )
        )
      },
      putBudget: Effect.fnUntraced(
        function* (account, { reset_interval, ...rest }) {
          const workspace = rest.workspace_id
          const interval = reset_interval ?? "lifetime"
          const before = yield* findBudget(account, workspace, interval)
          const after: Budget = {
            ...rest,
            reset_interval,
            ...(before === undefined ? undefined : { id: before.id, created_at: before.created_at })
          }
          const document = JSON.stringify(after)
          yield* sql`INSERT INTO budgets ${sql.insert({
            account: toKeyText(account),
            workspace: toKeyText(workspace),
            interval_name: interval,
            document
          })} ON CONFLICT (account, workspace, interval_name) DO UPDATE SET document = excluded.document`
          return after
        },
        (effect, account, { workspace_id }) => withLock("budgets", account, workspace_id)(effect)
      ),
      removeBudget: (account, workspace, interval) =>
        withLock(
          "budgets",
          account,
          workspace
        )(
          Effect.map(
            sql<
              DocumentRow<Budget>
            >`DELETE FROM budgets WHERE ${matchBudget(account, workspace, interval)}
              RETURNING document`,
            readFirst
          )
        ),
      scopedBudgets: makeOwnedStore<ScopedBudget>(sql, "scoped_budgets")
    }
  })
)
