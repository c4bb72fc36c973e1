/** Guardrails and their assignments to keys and members. */
import { type Assignment, type Guardrail, GuardrailStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { makeOwnedStore } from "../rows/makeOwnedStore.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { selectPage } from "../rows/selectPage.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const guardrailStore: Layer.Layer<GuardrailStore, never, SqlClient.SqlClient> = Layer.effect(
  GuardrailStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** One lock for an account, because guardrails and assignments change together. */
    const withLock = (account: string) => withExclusiveLock(sql)("guardrails", account)
    const owned = makeOwnedStore<Guardrail>(sql, "guardrails")
    const matchAssignments = (account: string, kind: string, ids: ReadonlyArray<string>) =>
      sql`account = ${toKeyText(account)} AND kind = ${kind}
        AND ${sql.in("subject", ids.map(toKeyText))}`

    return {
      ...owned,
      remove: Effect.fnUntraced(
        function* (account, id) {
          const before = yield* owned.remove(account, id)
          yield* sql`DELETE FROM assignments
            WHERE account = ${toKeyText(account)} AND guardrail = ${toKeyText(id)}`
          return before
        },
        (effect, account) => withLock(account)(effect)
      ),

      assign: Effect.fnUntraced(
        function* (account, guardrail, assignments) {
          if ((yield* owned.find(account, guardrail)) === undefined) return undefined
          const added: Array<Assignment> = []
          const replaced: Array<Assignment> = []
          for (const assignment of assignments) {
            const { kind, subject } = assignment
            const rows = yield* sql<DocumentRow<Assignment>>`
              SELECT document FROM assignments WHERE ${matchAssignments(account, kind, [subject])}`
            const before = readFirst(rows)
            if (before?.guardrail_id === guardrail) continue
            if (before !== undefined) replaced.push(before)
            // Inserted anew rather than updated, so that it is the last of the list.
            yield* sql`DELETE FROM assignments WHERE ${matchAssignments(account, kind, [subject])}`
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
        (effect, account) => withLock(account)(effect)
      ),
      unassign: (account, guardrail, kind, ids) =>
        sql<
          DocumentRow<Assignment>
        >`DELETE FROM assignments WHERE ${matchAssignments(account, kind, ids)}
          AND guardrail = ${toKeyText(guardrail)} RETURNING document`.pipe(
          Effect.map((rows) => rows.map(readDocument)),
          withLock(account)
        ),
      unassignAll: (account, kind, ids) =>
        sql<
          DocumentRow<Assignment>
        >`DELETE FROM assignments WHERE ${matchAssignments(account, kind, ids)}
          RETURNING document`.pipe(
          Effect.map((rows) => rows.map(readDocument)),
          withLock(account)
        ),
      listAssignments: (account, kind, guardrail, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`assignments WHERE ${sql.and([
              sql`account = ${toKeyText(account)} AND kind = ${kind}`,
              ...matchOptional(sql, "guardrail", guardrail)
            ])}`,
            order: sql`seq`,
            page,
            decode: readDocument<Assignment>
          })
        ),
      listEffective: (account, { defaultGuardrail, key, member }) => {
        const assignedTo = (kind: Assignment["kind"], subject: string | undefined) =>
          subject === undefined
            ? []
            : [
                sql`(SELECT guardrail FROM assignments WHERE ${matchAssignments(account, kind, [subject])})`
              ]
        const ids = [
          sql`${toKeyText(defaultGuardrail)}`,
          ...assignedTo("key", key),
          ...assignedTo("member", member)
        ]
        const ranks = ids.map((id, rank) => sql`WHEN id = ${id} THEN ${sql.literal(`${rank}`)}`)
        return guardStoreCall(
          Effect.map(
            sql<DocumentRow<Guardrail>>`SELECT document FROM guardrails
              WHERE account = ${toKeyText(account)} AND ${sql.or(ids.map((id) => sql`id = ${id}`))}
              ORDER BY CASE ${sql.join(" ", false)(ranks)} END`,
            (rows) => rows.map(readDocument)
          )
        )
      }
    }
  })
)
