/** Renames persons in every table that names them, in short transactions. */
import {
  type Assignment,
  type AuditEntry,
  type CalibrationSample,
  type FailedRequest,
  type Feedback,
  generationCodec,
  type Intern,
  type NamedMaps,
  PersonStore,
  type PresetVersion,
  renameAssignment,
  renameAuditEntry,
  renameFeedback,
  renameGeneration,
  renameIntern,
  renameMaps,
  renamePreset,
  renamePresetVersion,
  type Renaming,
  renameSample,
  renameSavedView,
  renameVideoJob,
  type SavedView,
  type StoredPreset,
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
import { changeLedger } from "../people/changeLedger.ts"
import { changeRollups } from "../people/changeRollups.ts"
import { deleteAlerts } from "../people/deleteAlerts.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

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

    /** All of the account are read: a name is a part of the filter for a tag. */
    const changeViews = (renaming: Renaming) =>
      changeRows(
        {
          table: "saved_views",
          key: "seq",
          where: sql`account = ${toKeyText(renaming.account)}`
        },
        (document) => {
          const view: SavedView = JSON.parse(document)
          const renamed = renameSavedView(view, renaming)
          return renamed === view ? undefined : { document: JSON.stringify(renamed) }
        }
      )

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

    const deleteContents = ({ account, kind, name }: Renaming) =>
      guardStoreCall(
        Effect.map(
          sql`DELETE FROM kept_contents WHERE account = ${toKeyText(account)}
            AND ${sql(kind === "user" ? "acting_user" : "user_id")} = ${toKeyText(name)}
            RETURNING id`,
          (rows) => rows.length
        )
      )

    const deleteCodes = ({ account, kind, name }: Renaming) =>
      kind === "user"
        ? guardStoreCall(
            Effect.map(
              sql`DELETE FROM auth_codes WHERE account = ${toKeyText(account)}
                AND user_id = ${toKeyText(name)} RETURNING hash`,
              (rows) => rows.length
            )
          )
        : Effect.succeed(0)

    return {
      rename: (renaming) =>
        Effect.map(
          Effect.all([
            deleteAlerts(sql)(renaming),
            changeGenerations(renaming),
            changeRollups(sql)(renaming),
            changeLedger(sql)(renaming),
            changeLabels(renaming),
            changeViews(renaming),
            deleteFailures(renaming),
            deleteContents(renaming),
            deleteCodes(renaming),
            changeDocuments<Feedback>(renaming, feedback, renameFeedback),
            changeDocuments<VideoJob>(renaming, videoJobs, renameVideoJob),
            changeDocuments<Intern>(renaming, interns, renameIntern, ({ creator }) => ({
              creator: toKeyText(creator)
            })),
            changeDocuments<StoredPreset>(renaming, presets, renamePreset),
            changeDocuments<PresetVersion>(renaming, presetVersions, renamePresetVersion),
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
const presets: PersonTable = { table: "presets", key: "seq" }
const presetVersions: PersonTable = { table: "preset_versions", key: "seq", member: "creator_id" }
const feedback: PersonTable = { table: "feedback", key: "seq" }
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

interface DeltaRow {
  readonly seq: bigint | number
  readonly document: string
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

const decodeGeneration = Schema.decodeUnknownSync(Schema.fromJsonString(generationCodec))

/** Rows of one transaction. */
const batchSize = 500
