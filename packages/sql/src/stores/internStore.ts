/** Interns. The vault an intern borrows is only in a column, so that one statement detaches it from many. */
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
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { countRows } from "../rows/countRows.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall, isUniqueViolation } from "../errors/guardStoreCall.ts"

interface InternRow extends DocumentRow<Intern> {
  readonly attached_vault: VaultId | null
}

interface SequencedRow extends InternRow {
  readonly seq: number | bigint
}

export const internStore: Layer.Layer<InternStore, never, SqlClient.SqlClient> = Layer.effect(
  InternStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`document, attached_vault`
    const rowLock = sql.onDialectOrElse({ pg: () => sql`FOR SHARE`, orElse: () => sql`` })

    const findBy = (column: string, value: string) =>
      Effect.map(
        sql<InternRow>`SELECT ${columns} FROM interns WHERE ${sql(column)} = ${toKeyText(value)}
          ORDER BY seq DESC LIMIT 1`,
        toFirstIntern
      )
    /** Locks the lender, so that it cannot be removed before this transaction ends. */
    const selectLender = ({ account, workspace }: Intern, vault: string) =>
      sql`SELECT id FROM interns WHERE vault = ${toKeyText(vault)}
        AND account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)} ${rowLock}`

    const add = Effect.fnUntraced(function* (intern: Intern) {
      const { account, attachedVault, creation, creator, id, name, vault, workspace } = intern
      const added = yield* sql`INSERT INTO interns ${sql.insert({
        id: toKeyText(id),
        account: toKeyText(account),
        workspace: toKeyText(workspace),
        creator: toKeyText(creator),
        vault: toKeyText(vault),
        attached_vault: toNullableKeyText(attachedVault),
        ...toColumns(intern)
      })} ON CONFLICT DO NOTHING RETURNING id`
      if (added.length === 0) {
        const existing =
          creation.key === undefined ? undefined : yield* findBy("creation_key", creation.key)
        return existing ?? (yield* new NameTaken({ name }))
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
      const conditions = [
        sql`account = ${toKeyText(account)}`,
        sql`workspace = ${toKeyText(workspace)}`,
        sql`seq < ${after}`
      ]
      const selectWhere = (conditions: ReadonlyArray<Fragment>) =>
        sql<SequencedRow>`SELECT seq, ${columns} FROM interns WHERE ${sql.and(conditions)}
          ORDER BY seq DESC LIMIT ${limit + 1}`
      if (statuses === undefined) return selectWhere(conditions)
      const [status, ...more] = statuses
      if (status === undefined) return Effect.succeed([])
      if (more.length === 0) return selectWhere([...conditions, sql`status = ${status}`])
      // One bounded index scan per status: a scan over all statuses reads every row between the matches.
      const scans = statuses.map(
        (each) => sql`SELECT seq FROM (
          SELECT seq FROM interns WHERE ${sql.and([...conditions, sql`status = ${each}`])}
          ORDER BY seq DESC LIMIT ${limit + 1}
        ) AS scan`
      )
      // Limited to a page already here, or a planner without statistics would choose a scan of the whole table.
      return selectWhere([
        sql`seq IN (SELECT seq FROM (${sql.join(" UNION ALL ", false)(scans)}) AS scans
          ORDER BY seq DESC LIMIT ${limit + 1})`
      ])
    }
    /** Typed failures roll the transaction back. */
    const withTransaction = <A, E>(effect: Effect.Effect<A, E | SqlError>) =>
      guardStoreCall(sql.withTransaction(effect))

    return {
      add: (intern) => withTransaction(add(intern)),
      find: (id) => guardStoreCall(findBy("id", id)),
      findByCreationKey: (key) => guardStoreCall(findBy("creation_key", key)),
      findByHostname: (hostname) => guardStoreCall(findBy("hostname", hostname)),
      replace: (version, after) => withTransaction(replace(version, after)),
      count: countRows(sql, "interns", sql`interns`),
      list: (account, filter, page) =>
        guardStoreCall(
          Effect.map(selectInterns(account, filter, page), (rows) =>
            toCursorPage(
              rows.map((row) => ({ cursor: Number(row.seq), row: toIntern(row) })),
              page
            )
          )
        ),
      remove: (version, id) => withTransaction(remove(version, id))
    }
  })
)

/** The columns that an update writes. */
const toColumns = (intern: Intern) => ({
  name: toKeyText(intern.name),
  status: intern.status,
  version: intern.version,
  hostname: toNullableKeyText(intern.hostname),
  creation_key: toNullableKeyText(intern.creation.key),
  document: JSON.stringify(intern)
})

/** Reads the vault from the column, since its lender may have been removed after the document was written. */
const toIntern = (row: InternRow): Intern => ({
  ...readDocument(row),
  attachedVault: row.attached_vault
})

const toFirstIntern = ([row]: ReadonlyArray<InternRow>): Intern | undefined =>
  row === undefined ? undefined : toIntern(row)
