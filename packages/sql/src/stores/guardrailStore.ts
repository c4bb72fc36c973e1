/** Guardrails, and whom they are assigned to. */
import { type Assignment, type Guardrail, GuardrailStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../locks.ts"
import { countRows } from "../countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../DocumentRow.ts"
import { toKeyText } from "../toKeyText.ts"
import { selectPage } from "../selectPage.ts"
import { guardStoreCall } from "../guardStoreCall.ts"

export const guardrailStore: Layer.Layer<GuardrailStore, never, SqlClient.SqlClient> = Layer.effect(
  GuardrailStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Guardrails and assignments change together: one at a time in an account. */
    const withLock = (account: string) => withExclusiveLock(sql)("guardrails", account)
    const one = (account: string, id: string) =>
      sql`account = ${toKeyText(account)} AND id = ${toKeyText(id)}`
    const find = (account: string, id: string) =>
      Effect.map(
        sql<DocumentRow<Guardrail>>`SELECT document FROM guardrails WHERE ${one(account, id)}`,
        readFirst
      )
    const subjects = (account: string, kind: string, ids: ReadonlyArray<string>) =>
      sql`account = ${toKeyText(account)} AND kind = ${kind}
        AND ${sql.in("subject", ids.map(toKeyText))}`

    return {
      find: (account, id) => guardStoreCall(find(account, id)),
      count: countRows(sql, "guardrails", sql`guardrails`),
      list: (account, workspace, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`guardrails
              WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`,
            order: sql`seq`,
            page,
            decode: readDocument<Guardrail>
          })
        ),
      insert: (account, guardrail) =>
        guardStoreCall(
          Effect.map(
            sql`INSERT INTO guardrails ${sql.insert({
              account: toKeyText(account),
              id: toKeyText(guardrail.id),
              workspace: toKeyText(guardrail.workspace_id),
              document: JSON.stringify(guardrail)
            })} ON CONFLICT DO NOTHING RETURNING id`,
            (added) => added.length > 0
          )
        ),
      update: Effect.fnUntraced(
        function* (account, id, change) {
          const before = yield* find(account, id)
          if (before === undefined) return undefined
          const after = change(before)
          yield* sql`UPDATE guardrails SET workspace = ${toKeyText(after.workspace_id)},
            document = ${JSON.stringify(after)} WHERE ${one(account, id)}`
          return after
        },
        (effect, account) => guardStoreCall(withLock(account)(effect))
      ),
      remove: Effect.fnUntraced(
        function* (account, id) {
          const before = yield* find(account, id)
          yield* sql`DELETE FROM guardrails WHERE ${one(account, id)}`
          yield* sql`DELETE FROM assignments
            WHERE account = ${toKeyText(account)} AND guardrail = ${toKeyText(id)}`
          return before
        },
        (effect, account) => guardStoreCall(withLock(account)(effect))
      ),

      assign: Effect.fnUntraced(
        function* (account, guardrail, assignments) {
          if ((yield* find(account, guardrail)) === undefined) return undefined
          const added: Array<Assignment> = []
          const replaced: Array<Assignment> = []
          for (const assignment of assignments) {
            const { kind, subject } = assignment
            const had = yield* sql<DocumentRow<Assignment>>`
              SELECT document FROM assignments WHERE ${subjects(account, kind, [subject])}`
            const before = readFirst(had)
            if (before?.guardrail_id === guardrail) continue
            if (before !== undefined) replaced.push(before)
            // It is the newest now, whatever it takes the place of.
            yield* sql`DELETE FROM assignments WHERE ${subjects(account, kind, [subject])}`
            yield* sql`INSERT INTO assignments ${sql.insert({
              account: toKeyText(account),
              kind,
              subject: toKeyText(subject),
              guardrail: toKeyText(guardrail),
              document: JSON.stringify(assignment)
            })}`
            added.push(assignment)
          }
          return { added, replaced }
        },
        (effect, account) => guardStoreCall(withLock(account)(effect))
      ),
      unassign: (account, guardrail, kind, ids) =>
        sql<DocumentRow<Assignment>>`DELETE FROM assignments WHERE ${subjects(account, kind, ids)}
          AND guardrail = ${toKeyText(guardrail)} RETURNING document`.pipe(
          Effect.map((rows) => rows.map(readDocument)),
          withLock(account),
          guardStoreCall
        ),
      unassignAll: (account, kind, ids) =>
        sql<DocumentRow<Assignment>>`DELETE FROM assignments WHERE ${subjects(account, kind, ids)}
          RETURNING document`.pipe(
          Effect.map((rows) => rows.map(readDocument)),
          withLock(account),
          guardStoreCall
        ),
      listAssignments: (account, kind, guardrail, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`assignments WHERE ${sql.and([
              sql`account = ${toKeyText(account)} AND kind = ${kind}`,
              ...(guardrail === undefined ? [] : [sql`guardrail = ${toKeyText(guardrail)}`])
            ])}`,
            order: sql`seq`,
            page,
            decode: readDocument<Assignment>
          })
        ),
      listEffective: (account, { defaultGuardrail, key, member }) => {
        const of = (kind: Assignment["kind"], subject: string | undefined) =>
          subject === undefined
            ? []
            : [sql`(SELECT guardrail FROM assignments WHERE ${subjects(account, kind, [subject])})`]
        const ids = [
          sql`${toKeyText(defaultGuardrail)}`,
          ...of("key", key),
          ...of("member", member)
        ]
        const places = ids.map((id, place) => sql`WHEN id = ${id} THEN ${sql.literal(`${place}`)}`)
        return guardStoreCall(
          Effect.map(
            sql<DocumentRow<Guardrail>>`SELECT document FROM guardrails
              WHERE account = ${toKeyText(account)} AND ${sql.or(ids.map((id) => sql`id = ${id}`))}
              ORDER BY CASE ${sql.join(" ", false)(places)} END`,
            (rows) => rows.map(readDocument)
          )
        )
      }
    }
  })
)
