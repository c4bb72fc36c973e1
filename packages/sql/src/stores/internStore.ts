/** Interns: what they borrow stands in a column alone, so that it can be taken from many in one statement. */
import {
  type Intern,
  type InternFilter,
  InternStore,
  NameTaken,
  NotLendable,
  type CursorRequest,
  toCursorPage,
  type VaultId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { countRows } from "../countRows.ts"
import { type DocumentRow, readDocument } from "../DocumentRow.ts"
import { toKeyText } from "../toKeyText.ts"
import { withStoreTimeout, dieUnavailable, guardStoreCall } from "../guardStoreCall.ts"

interface Row extends DocumentRow<Intern> {
  readonly attached_vault: VaultId | null
}

/** With its place among all. */
interface SequencedRow extends Row {
  readonly seq: number | bigint
}

export const internStore: Layer.Layer<InternStore, never, SqlClient.SqlClient> = Layer.effect(
  InternStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`document, attached_vault`
    const sharing = sql.onDialectOrElse({ pg: () => sql`FOR SHARE`, orElse: () => sql`` })

    const findBy = (column: string, value: string) =>
      Effect.map(
        sql<Row>`SELECT ${columns} FROM interns WHERE ${sql(column)} = ${toKeyText(value)}
          ORDER BY seq DESC LIMIT 1`,
        toFirstIntern
      )
    /** Nobody removes the one that lends it until this transaction is over. */
    const selectLender = ({ account, workspace }: Intern, vault: string) =>
      sql`SELECT id FROM interns WHERE vault = ${toKeyText(vault)}
        AND account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)} ${sharing}`

    const add = Effect.fnUntraced(function* (intern: Intern) {
      const { account, attachedVault, creation, creator, id, name, vault, workspace } = intern
      const added = yield* sql`INSERT INTO interns ${sql.insert({
        id: toKeyText(id),
        account: toKeyText(account),
        workspace: toKeyText(workspace),
        creator: toKeyText(creator),
        vault: toKeyText(vault),
        attached_vault: attachedVault === null ? null : toKeyText(attachedVault),
        ...toColumns(intern)
      })} ON CONFLICT DO NOTHING RETURNING id`
      if (added.length === 0) {
        const kept =
          creation.key === undefined ? undefined : yield* findBy("creation_key", creation.key)
        return kept ?? (yield* new NameTaken({ name }))
      }
      if (attachedVault === null) return intern
      const lenders = yield* selectLender(intern, attachedVault)
      return lenders.length > 0 ? intern : yield* new NotLendable({ vault: attachedVault })
    })
    const replace = (version: number, after: Intern) =>
      sql`UPDATE interns SET ${sql.update(toColumns(after))}
        WHERE id = ${toKeyText(after.id)} AND version = ${version} RETURNING id`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.catchIf(isUniqueViolation, () => new NameTaken({ name: after.name }))
      )
    const remove = Effect.fnUntraced(function* (version: number, id: string) {
      const [removed] = yield* sql<{ readonly vault: string }>`
        DELETE FROM interns WHERE id = ${toKeyText(id)} AND version = ${version} RETURNING vault`
      if (removed === undefined) return false
      yield* sql`UPDATE interns SET attached_vault = NULL WHERE attached_vault = ${removed.vault}`
      return true
    })
    const selectInterns = (
      account: string,
      { statuses, workspace }: InternFilter,
      { after = Number.MAX_SAFE_INTEGER, limit }: CursorRequest
    ) => {
      const all = [
        sql`account = ${toKeyText(account)}`,
        sql`workspace = ${toKeyText(workspace)}`,
        sql`seq < ${after}`
      ]
      const rows = (of: ReadonlyArray<Fragment>) =>
        sql<SequencedRow>`SELECT seq, ${columns} FROM interns WHERE ${sql.and(of)}
          ORDER BY seq DESC LIMIT ${limit + 1}`
      if (statuses === undefined) return rows(all)
      const [status, ...more] = statuses
      if (status === undefined) return Effect.succeed([])
      if (more.length === 0) return rows([...all, sql`status = ${status}`])
      // One walk for each, as long as the page is: a walk along all of them ends only when enough are found.
      const walks = statuses.map(
        (each) => sql`SELECT seq FROM (
          SELECT seq FROM interns WHERE ${sql.and([...all, sql`status = ${each}`])}
          ORDER BY seq DESC LIMIT ${limit + 1}
        ) AS walk`
      )
      // Cut to a page in there: who plans without statistics would look through the table for more.
      return rows([
        sql`seq IN (SELECT seq FROM (${sql.join(" UNION ALL ", false)(walks)}) AS walks
          ORDER BY seq DESC LIMIT ${limit + 1})`
      ])
    }
    /** In a transaction, which its failures undo. */
    const inTransaction = <A, E>(
      effect: Effect.Effect<A, E | SqlError>
    ): Effect.Effect<A, Exclude<E, SqlError>> =>
      withStoreTimeout(sql.withTransaction(effect)).pipe(
        Effect.catchIf(isSqlError, dieUnavailable),
        Effect.catchDefect(dieUnavailable)
      )

    return {
      add: (intern) => inTransaction(add(intern)),
      find: (id) => guardStoreCall(findBy("id", id)),
      findByCreationKey: (key) => guardStoreCall(findBy("creation_key", key)),
      findByHostname: (hostname) => guardStoreCall(findBy("hostname", hostname)),
      replace: (version, after) => inTransaction(replace(version, after)),
      count: countRows(sql, "interns", sql`interns`),
      list: (account, filter, scroll) =>
        guardStoreCall(
          Effect.map(selectInterns(account, filter, scroll), (rows) =>
            toCursorPage(
              rows.map((row) => ({ cursor: Number(row.seq), row: toIntern(row) })),
              scroll
            )
          )
        ),
      remove: (version, id) => inTransaction(remove(version, id))
    }
  })
)

/** What changes of one. */
const toColumns = (intern: Intern) => ({
  name: toKeyText(intern.name),
  status: intern.status,
  version: intern.version,
  hostname: intern.hostname === null ? null : toKeyText(intern.hostname),
  creation_key: intern.creation.key === undefined ? null : toKeyText(intern.creation.key),
  document: JSON.stringify(intern)
})

/** Who lends it may be gone since it was written. */
const toIntern = (row: Row): Intern => ({ ...readDocument(row), attachedVault: row.attached_vault })

const toFirstIntern = ([row]: ReadonlyArray<Row>): Intern | undefined =>
  row === undefined ? undefined : toIntern(row)

const isUniqueViolation = (error: SqlError): boolean => error.reason._tag === "UniqueViolation"
