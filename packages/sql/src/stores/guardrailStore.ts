/** Guardrails, and whom they are assigned to. */
import { type Assignment, type Guardrail, GuardrailStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { counting } from "../counting.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { listed } from "../listed.ts"
import { inTime } from "../orUnavailable.ts"

export const guardrailStore: Layer.Layer<GuardrailStore, never, SqlClient.SqlClient> = Layer.effect(
  GuardrailStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Guardrails and assignments change together: one at a time in an account. */
    const locked = (account: string) => alone(sql)("guardrails", account)
    const one = (account: string, id: string) =>
      sql`account = ${keyText(account)} AND id = ${keyText(id)}`
    const find = (account: string, id: string) =>
      Effect.map(
        sql<Kept<Guardrail>>`SELECT document FROM guardrails WHERE ${one(account, id)}`,
        first
      )
    const subjects = (account: string, kind: string, ids: ReadonlyArray<string>) =>
      sql`account = ${keyText(account)} AND kind = ${kind}
        AND ${sql.in("subject", ids.map(keyText))}`

    return {
      find: (account, id) => inTime(find(account, id)),
      count: counting(sql, "guardrails", sql`guardrails`),
      list: (account, workspace, page) =>
        inTime(
          listed(sql, {
            from: sql`guardrails
              WHERE account = ${keyText(account)} AND workspace = ${keyText(workspace)}`,
            order: sql`seq`,
            page,
            of: read<Guardrail>
          })
        ),
      insert: (account, guardrail) =>
        inTime(
          Effect.map(
            sql`INSERT INTO guardrails ${sql.insert({
              account: keyText(account),
              id: keyText(guardrail.id),
              workspace: keyText(guardrail.workspace_id),
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
          yield* sql`UPDATE guardrails SET workspace = ${keyText(after.workspace_id)},
            document = ${JSON.stringify(after)} WHERE ${one(account, id)}`
          return after
        },
        (effect, account) => inTime(locked(account)(effect))
      ),
      remove: Effect.fnUntraced(
        function* (account, id) {
          const before = yield* find(account, id)
          yield* sql`DELETE FROM guardrails WHERE ${one(account, id)}`
          yield* sql`DELETE FROM assignments
            WHERE account = ${keyText(account)} AND guardrail = ${keyText(id)}`
          return before
        },
        (effect, account) => inTime(locked(account)(effect))
      ),

      assign: Effect.fnUntraced(
        function* (account, guardrail, assignments) {
          if ((yield* find(account, guardrail)) === undefined) return undefined
          const added: Array<Assignment> = []
          const replaced: Array<Assignment> = []
          for (const assignment of assignments) {
            const { kind, subject } = assignment
            const had = yield* sql<Kept<Assignment>>`
              SELECT document FROM assignments WHERE ${subjects(account, kind, [subject])}`
            const before = first(had)
            if (before?.guardrail_id === guardrail) continue
            if (before !== undefined) replaced.push(before)
            // It is the newest now, whatever it takes the place of.
            yield* sql`DELETE FROM assignments WHERE ${subjects(account, kind, [subject])}`
            yield* sql`INSERT INTO assignments ${sql.insert({
              account: keyText(account),
              kind,
              subject: keyText(subject),
              guardrail: keyText(guardrail),
              document: JSON.stringify(assignment)
            })}`
            added.push(assignment)
          }
          return { added, replaced }
        },
        (effect, account) => inTime(locked(account)(effect))
      ),
      unassign: (account, guardrail, kind, ids) =>
        sql<Kept<Assignment>>`DELETE FROM assignments WHERE ${subjects(account, kind, ids)}
          AND guardrail = ${keyText(guardrail)} RETURNING document`.pipe(
          Effect.map((rows) => rows.map(read)),
          locked(account),
          inTime
        ),
      release: (account, kind, ids) =>
        sql<Kept<Assignment>>`DELETE FROM assignments WHERE ${subjects(account, kind, ids)}
          RETURNING document`.pipe(
          Effect.map((rows) => rows.map(read)),
          locked(account),
          inTime
        ),
      assignments: (account, kind, guardrail, page) =>
        inTime(
          listed(sql, {
            from: sql`assignments WHERE ${sql.and([
              sql`account = ${keyText(account)} AND kind = ${kind}`,
              ...(guardrail === undefined ? [] : [sql`guardrail = ${keyText(guardrail)}`])
            ])}`,
            order: sql`seq`,
            page,
            of: read<Assignment>
          })
        ),
      effective: (account, { byDefault, key, member }) => {
        const of = (kind: Assignment["kind"], subject: string | undefined) =>
          subject === undefined
            ? []
            : [sql`(SELECT guardrail FROM assignments WHERE ${subjects(account, kind, [subject])})`]
        const ids = [sql`${keyText(byDefault)}`, ...of("key", key), ...of("member", member)]
        const places = ids.map((id, place) => sql`WHEN id = ${id} THEN ${sql.literal(`${place}`)}`)
        return inTime(
          Effect.map(
            sql<Kept<Guardrail>>`SELECT document FROM guardrails
              WHERE account = ${keyText(account)} AND ${sql.or(ids.map((id) => sql`id = ${id}`))}
              ORDER BY CASE ${sql.join(" ", false)(places)} END`,
            (rows) => rows.map(read)
          )
        )
      }
    }
  })
)
