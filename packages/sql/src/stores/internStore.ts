/** Interns: what they borrow stands in a column alone, so that it can be taken from many in one statement. */
import {
  type Intern,
  type InternFilter,
  InternStore,
  NameTaken,
  NotLendable,
  type Scroll,
  scrolled as stretchOf,
  type VaultId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { counting } from "../counting.ts"
import { type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { bounded, die, inTime } from "../orUnavailable.ts"

interface Row extends Kept<Intern> {
  readonly attached_vault: VaultId | null
}

/** With its place among all. */
interface Numbered extends Row {
  readonly seq: number | bigint
}

export const internStore: Layer.Layer<InternStore, never, SqlClient.SqlClient> = Layer.effect(
  InternStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`document, attached_vault`
    const sharing = sql.onDialectOrElse({ pg: () => sql`FOR SHARE`, orElse: () => sql`` })

    const findBy = (column: string, value: string) =>
      Effect.map(
        sql<Row>`SELECT ${columns} FROM interns WHERE ${sql(column)} = ${keyText(value)}
          ORDER BY seq DESC LIMIT 1`,
        firstOf
      )
    /** Nobody removes the one that lends it until this transaction is over. */
    const lenderOf = ({ account, workspace }: Intern, vault: string) =>
      sql`SELECT id FROM interns WHERE vault = ${keyText(vault)}
        AND account = ${keyText(account)} AND workspace = ${keyText(workspace)} ${sharing}`

    const add = Effect.fnUntraced(function* (intern: Intern) {
      const { account, attachedVault, creation, creator, id, name, vault, workspace } = intern
      const added = yield* sql`INSERT INTO interns ${sql.insert({
        id: keyText(id),
        account: keyText(account),
        workspace: keyText(workspace),
        creator: keyText(creator),
        vault: keyText(vault),
        attached_vault: attachedVault === null ? null : keyText(attachedVault),
        ...columnsOf(intern)
      })} ON CONFLICT DO NOTHING RETURNING id`
      if (added.length === 0) {
        const kept =
          creation.key === undefined ? undefined : yield* findBy("creation_key", creation.key)
        return kept ?? (yield* new NameTaken({ name }))
      }
      if (attachedVault === null) return intern
      const lenders = yield* lenderOf(intern, attachedVault)
      return lenders.length > 0 ? intern : yield* new NotLendable({ vault: attachedVault })
    })
    const replace = (turn: number, after: Intern) =>
      sql`UPDATE interns SET ${sql.update(columnsOf(after))}
        WHERE id = ${keyText(after.id)} AND turn = ${turn} RETURNING id`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.catchIf(isTaken, () => new NameTaken({ name: after.name }))
      )
    const remove = Effect.fnUntraced(function* (turn: number, id: string) {
      const [removed] = yield* sql<{ readonly vault: string }>`
        DELETE FROM interns WHERE id = ${keyText(id)} AND turn = ${turn} RETURNING vault`
      if (removed === undefined) return false
      yield* sql`UPDATE interns SET attached_vault = NULL WHERE attached_vault = ${removed.vault}`
      return true
    })
    const listed = (
      account: string,
      { statuses, workspace }: InternFilter,
      { after = Number.MAX_SAFE_INTEGER, limit }: Scroll
    ) => {
      const all = [
        sql`account = ${keyText(account)}`,
        sql`workspace = ${keyText(workspace)}`,
        sql`seq < ${after}`
      ]
      const rows = (of: ReadonlyArray<Fragment>) =>
        sql<Numbered>`SELECT seq, ${columns} FROM interns WHERE ${sql.and(of)}
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
    const whole = <A, E>(
      effect: Effect.Effect<A, E | SqlError>
    ): Effect.Effect<A, Exclude<E, SqlError>> =>
      bounded(sql.withTransaction(effect)).pipe(
        Effect.catchIf(isSqlError, die),
        Effect.catchDefect(die)
      )

    return {
      add: (intern) => whole(add(intern)),
      find: (id) => inTime(findBy("id", id)),
      findCreated: (key) => inTime(findBy("creation_key", key)),
      findByHostname: (hostname) => inTime(findBy("hostname", hostname)),
      replace: (turn, after) => whole(replace(turn, after)),
      count: counting(sql, "interns", sql`interns`),
      list: (account, filter, scroll) =>
        inTime(
          Effect.map(listed(account, filter, scroll), (rows) =>
            stretchOf(
              rows.map((row) => ({ place: Number(row.seq), row: internOf(row) })),
              scroll
            )
          )
        ),
      remove: (turn, id) => whole(remove(turn, id))
    }
  })
)

/** What changes of one. */
const columnsOf = (intern: Intern) => ({
  name: keyText(intern.name),
  status: intern.status,
  turn: intern.turn,
  hostname: intern.hostname === null ? null : keyText(intern.hostname),
  creation_key: intern.creation.key === undefined ? null : keyText(intern.creation.key),
  document: JSON.stringify(intern)
})

/** Who lends it may be gone since it was written. */
const internOf = (row: Row): Intern => ({ ...read(row), attachedVault: row.attached_vault })

const firstOf = ([row]: ReadonlyArray<Row>): Intern | undefined =>
  row === undefined ? undefined : internOf(row)

const isTaken = (error: SqlError): boolean => error.reason._tag === "UniqueViolation"
