/** Renames persons in every table that names them, in short transactions. */
import {
  type Alert,
  type Assignment,
  type AuditEntry,
  type CalibrationSample,
  decodeRollup,
  type Delivery,
  deliversName,
  encodeRollup,
  type FailedRequest,
  generationCodec,
  type Intern,
  mayNamePerson,
  type NamedMaps,
  namesPerson,
  PersonStore,
  renameAssignment,
  renameAuditEntry,
  renameCounterKey,
  renameGeneration,
  renameIntern,
  renameMaps,
  type Renaming,
  renameRollup,
  renameSample,
  renameSubject,
  renameVideoJob,
  toFilterValues,
  toGenerationDocument,
  type VideoJob
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { findText } from "../connection/dialect.ts"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import { fromKeyText, toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"
import { fromStoredName, type StoredDimension } from "./rollupStore.ts"

export const personStore: Layer.Layer<PersonStore, never, SqlClient.SqlClient> = Layer.effect(
  PersonStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const changeRows = makeRowChanger(sql)

    /** Of a table with the record as its document: the rows whose document has `member` with the name. */
    const changeDocuments = <Row>(
      renaming: Renaming,
      table: PersonTable,
      rename: (row: Row, renaming: Renaming) => Row,
      toColumns: (row: Row) => Readonly<Record<string, string>> = () => ({})
    ) =>
      changeRows(
        {
          ...table,
          where: sql`account = ${toKeyText(renaming.account)}
            AND ${findText(sql, "document", toMember(table.member, renaming.name))}`
        },
        (document) => {
          const row: Row = JSON.parse(document)
          const renamed = rename(row, renaming)
          return renamed === row
            ? undefined
            : { ...toColumns(renamed), document: JSON.stringify(renamed) }
        }
      )

    const changeGenerations = (renaming: Renaming) =>
      changeRows(
        {
          table: "generations",
          key: "id",
          where: sql`account = ${toKeyText(renaming.account)}
            AND ${findText(sql, "document", JSON.stringify(renaming.name))}`
        },
        (document) => {
          const generation = decodeGeneration(document)
          const renamed = renameGeneration(generation, renaming)
          if (renamed === generation) return undefined
          const { externalUser, session, user } = toFilterValues(renamed)
          return {
            acting_user: toNullableKeyText(user),
            user_id: toNullableKeyText(externalUser),
            session_id: toNullableKeyText(session),
            document: stringifyWithBigInts(toGenerationDocument(renamed))
          }
        }
      )

    /** Under the lock of compaction, which moves figures from one table to the other. */
    const changeRollups = (renaming: Renaming) => {
      const account = toKeyText(renaming.account)
      const name = JSON.stringify(renaming.name)
      // In a pair the name is JSON in JSON.
      const where = sql`account = ${account} AND (${findText(sql, "document", name)}
        OR ${findText(sql, "document", toQuoted(name))})`
      const change = ({ dimension, document }: FiguresRow): string | undefined => {
        const of = fromStoredName(dimension)
        const rollup = decodeRollup(document)
        const renamed = mayNamePerson(of, renaming) ? renameRollup(rollup, of, renaming) : rollup
        return renamed === rollup ? undefined : encodeRollup(renamed)
      }
      return withExclusiveLock(sql)("rollups", account)(
        Effect.gen(function* () {
          let changed = 0
          for (const row of yield* sql<BucketRow>`
            SELECT dimension, resolution, started_at, document FROM rollups WHERE ${where}`) {
            const document = change(row)
            if (document === undefined) continue
            yield* sql`UPDATE rollups SET document = ${document}
              WHERE account = ${account} AND resolution = ${row.resolution}
                AND dimension = ${row.dimension} AND started_at = ${row.started_at}`
            changed++
          }
          for (const row of yield* sql<DeltaRow & FiguresRow>`
            SELECT seq, dimension, document FROM rollup_deltas WHERE ${where}`) {
            const document = change(row)
            if (document === undefined) continue
            yield* sql`UPDATE rollup_deltas SET document = ${document} WHERE seq = ${row.seq}`
            changed++
          }
          return changed
        })
      )
    }

    /** Reservations first: what ends one meanwhile is waited for, and finds its counters as they were. */
    const changeLedger = (renaming: Renaming) => {
      const name = JSON.stringify(renaming.name)
      const has = (column: string, text: string) => findText(sql, column, toKeyText(text))
      return guardStoreCall(
        sql.withTransaction(
          Effect.gen(function* () {
            let changed = 0
            for (const { id, limits } of yield* sql<ReservationRow>`
              SELECT id, limits FROM reservations`) {
              const held: ReadonlyArray<{ readonly counterKey: string }> = JSON.parse(limits)
              const renamed = held.map((each) => ({
                ...each,
                counterKey: renameStoredKey(each.counterKey, renaming)
              }))
              const text = JSON.stringify(renamed)
              if (text === JSON.stringify(held)) continue
              yield* sql`UPDATE reservations SET limits = ${text} WHERE id = ${id}`
              changed++
            }
            for (const { counter_key: key } of yield* sql<{ counter_key: string }>`
              SELECT counter_key FROM limit_counters WHERE ${has("counter_key", toQuoted(name))}`) {
              const renamed = renameStoredKey(key, renaming)
              if (renamed === key) continue
              yield* sql`UPDATE limit_counters SET counter_key = ${renamed} WHERE counter_key = ${key}`
              changed++
            }
            const subjects = yield* sql<{ subject: string }>`
              SELECT DISTINCT subject FROM spend WHERE ${has("subject", name)}`
            for (const { subject } of subjects) {
              const renamed = toKeyText(renameSubject(fromKeyText(subject), renaming))
              if (renamed === subject) continue
              yield* sql`UPDATE spend SET subject = ${renamed} WHERE subject = ${subject}`
              changed++
            }
            return changed
          })
        )
      )
    }

    /** Their key has several columns. */
    const changeLabels = (renaming: Renaming) =>
      guardStoreCall(
        sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql<SampleRow>`SELECT generation, name, model, document
              FROM calibration_samples WHERE account = ${toKeyText(renaming.account)}
              AND ${findText(sql, "document", toMember("user", renaming.name))}`
            let changed = 0
            for (const { document, kind, method, model } of yield* sql<MapsRow>`
              SELECT model, method, kind, document FROM calibration_maps
              WHERE account = ${toKeyText(renaming.account)}
              AND ${findText(sql, "document", toMember("user", renaming.name))}`) {
              const stored: { readonly fitted: NamedMaps } = JSON.parse(document)
              const fitted = renameMaps(stored.fitted, renaming)
              if (fitted === stored.fitted) continue
              yield* sql`UPDATE calibration_maps
                SET document = ${JSON.stringify({ ...stored, fitted })}
                WHERE account = ${toKeyText(renaming.account)} AND model = ${model}
                  AND method = ${method} AND kind = ${kind}`
              changed++
            }
            for (const { document, ...key } of rows) {
              const sample: Pick<CalibrationSample, "labeler"> = JSON.parse(document)
              const renamed = renameSample(sample, renaming)
              if (renamed === sample) continue
              yield* sql`UPDATE calibration_samples SET document = ${JSON.stringify(renamed)}
                WHERE generation = ${key.generation} AND name = ${key.name} AND model = ${key.model}`
              changed++
            }
            return changed
          })
        )
      )

    const deleteFailures = ({ account, kind, name }: Renaming) =>
      guardStoreCall(
        Effect.gen(function* () {
          if (kind !== "user") return 0
          const rows = yield* sql<DeltaRow>`SELECT seq, document FROM failed_requests
            WHERE account = ${toKeyText(account)}
              AND ${findText(sql, "document", toMember("user", name))}`
          const own = rows.filter(({ document }) => {
            const failed: FailedRequest = JSON.parse(document)
            return failed.caller?.user === name
          })
          for (const { seq } of own) yield* sql`DELETE FROM failed_requests WHERE seq = ${seq}`
          return own.length
        })
      )

    /** Alerts about limits of the person, and their deliveries, in which the alert is JSON in JSON. */
    const deleteAlerts = (renaming: Renaming) =>
      guardStoreCall(
        sql.withTransaction(
          Effect.gen(function* () {
            const name = toQuoted(JSON.stringify(renaming.name))
            const account = toKeyText(renaming.account)
            const alerts = yield* sql<DeltaRow>`SELECT seq, document FROM alerts
              WHERE account = ${account} AND (${findText(sql, "document", name)}
                OR ${findText(sql, "document", JSON.stringify(renaming.name))})`
            const deliveries = yield* sql<DeltaRow>`SELECT seq, document FROM deliveries
              WHERE account = ${account} AND ${findText(sql, "document", name)}`
            let deleted = 0
            for (const { document, seq } of alerts) {
              const alert: Alert = JSON.parse(document)
              if (!namesPerson(alert, renaming)) continue
              yield* sql`DELETE FROM alerts WHERE seq = ${seq}`
              deleted++
            }
            for (const { document, seq } of deliveries) {
              const delivery: Delivery = JSON.parse(document)
              if (!deliversName(delivery, renaming)) continue
              yield* sql`DELETE FROM deliveries WHERE seq = ${seq}`
              deleted++
            }
            const claims = yield* sql<{ claim_key: string }>`SELECT claim_key FROM alert_claims
              WHERE ${findText(sql, "claim_key", toKeyText(name))}`
            for (const { claim_key: key } of claims) {
              const renamed = renameStoredKey(key, renaming)
              if (renamed === key) continue
              yield* sql`UPDATE alert_claims SET claim_key = ${renamed} WHERE claim_key = ${key}`
            }
            return deleted
          })
        )
      )

    return {
      rename: (renaming) =>
        Effect.map(
          Effect.all([
            deleteAlerts(renaming),
            changeGenerations(renaming),
            changeRollups(renaming),
            changeLedger(renaming),
            changeLabels(renaming),
            deleteFailures(renaming),
            changeDocuments<VideoJob>(renaming, videoJobs, renameVideoJob),
            changeDocuments<Intern>(renaming, interns, renameIntern, ({ creator }) => ({
              creator: toKeyText(creator)
            })),
            changeDocuments<Assignment>(renaming, assignments, renameAssignment),
            // The last, because changes before may have been audited.
            changeDocuments<AuditEntry>(renaming, auditEntries, renameAuditEntry)
          ]),
          (counts) => counts.reduce((sum, count) => sum + count, 0)
        )
    }
  })
)

interface PersonTable {
  readonly table: string
  /** A column that numbers the rows. */
  readonly key: string
  /** The member of the document that has the name; absent: any. */
  readonly member?: string
  /** Whether a change counts in the column `version`. */
  readonly isVersioned?: true
}

const videoJobs: PersonTable = { table: "video_jobs", key: "seq", isVersioned: true }
const interns: PersonTable = { table: "interns", key: "seq", member: "creator", isVersioned: true }
const assignments: PersonTable = { table: "assignments", key: "seq", member: "assigned_by" }
const auditEntries: PersonTable = { table: "audit_entries", key: "seq" }

type RowChange = Readonly<Record<string, string | null>>

/** Changes the rows under `where`, batch by batch, for which `change` returns new columns. */
const makeRowChanger = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (
    { isVersioned, key, table, where }: PersonTable & { readonly where: Fragment },
    change: (document: string) => RowChange | undefined
  ) {
    let changed = 0
    let last: bigint | number | string | undefined
    while (true) {
      const after = last === undefined ? [] : [sql`${sql(key)} > ${last}`]
      const changeBatch: Effect.Effect<ReadonlyArray<KeyedRow>, SqlError> = Effect.gen(
        function* () {
          const rows = yield* sql<KeyedRow>`SELECT ${sql(key)} AS row_key, document
            FROM ${sql(table)} WHERE ${sql.and([where, ...after])}
            ORDER BY ${sql(key)} LIMIT ${batchSize}`
          for (const { document, row_key } of rows) {
            const columns = change(document)
            if (columns === undefined) continue
            changed++
            yield* sql`UPDATE ${sql(table)} SET ${sql.update(columns)}
              ${isVersioned === true ? sql`, version = version + 1` : sql``}
              WHERE ${sql(key)} = ${row_key}`
          }
          return rows
        }
      )
      const rows = yield* guardStoreCall(sql.withTransaction(changeBatch))
      last = rows.at(-1)?.row_key
      if (last === undefined || rows.length < batchSize) return changed
    }
  })

interface KeyedRow {
  readonly row_key: bigint | number | string
  readonly document: string
}

interface FiguresRow {
  readonly dimension: StoredDimension
  readonly document: string
}

interface BucketRow extends FiguresRow {
  readonly resolution: string
  readonly started_at: bigint | number
}

interface DeltaRow {
  readonly seq: bigint | number
  readonly document: string
}

interface ReservationRow {
  readonly id: string
  readonly limits: string
}

interface MapsRow {
  readonly model: string
  readonly method: string
  readonly kind: string
  readonly document: string
}

interface SampleRow {
  readonly generation: string
  readonly name: string
  readonly model: string
  readonly document: string
}

/** How a member with this value is in the JSON that this package writes; without a member, the value alone. */
const toMember = (member: string | undefined, value: string): string =>
  member === undefined
    ? JSON.stringify(value)
    : `${JSON.stringify(member)}:${JSON.stringify(value)}`

const renameStoredKey = (key: string, renaming: Renaming): string =>
  toKeyText(renameCounterKey(fromKeyText(key), renaming))

/** JSON in a text of JSON. */
const toQuoted = (json: string): string => JSON.stringify(json).slice(1, -1)

const decodeGeneration = Schema.decodeUnknownSync(Schema.fromJsonString(generationCodec))

/** Rows of one transaction. */
const batchSize = 500
