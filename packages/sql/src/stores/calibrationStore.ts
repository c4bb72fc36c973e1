/** Labels of answers, and the maps fitted to them. */
import {
  type AccountCalibration,
  type AccountId,
  type CalibrationGroup,
  type CalibrationSample,
  CalibrationStore,
  decodeFloats,
  encodeFloats,
  type FittedMaps,
  fittedMapsCodec,
  GenerationId,
  type SampleFilter
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const calibrationStore: Layer.Layer<CalibrationStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CalibrationStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const toConditions = ({ account, kind, method, model, question, since }: SampleFilter) => [
        sql`account = ${toKeyText(account)}`,
        ...matchOptional(sql, "model", model),
        ...matchOptional(sql, "method", method),
        ...matchOptional(sql, "kind", kind),
        ...matchOptional(sql, "question", question),
        ...(since === undefined ? [] : [sql`labeled_at >= ${since}`])
      ]
      const findAccount = (account: AccountId) =>
        sql<AccountRow>`SELECT secret, epoch FROM calibration_accounts
          WHERE account = ${toKeyText(account)}`
      const withAccountLock = (account: AccountId) => withExclusiveLock(sql)("calibration", account)

      return {
        load: (account, newSecret) =>
          guardStoreCall(
            Effect.gen(function* () {
              let [found] = yield* findAccount(account)
              if (found === undefined) {
                yield* sql`INSERT INTO calibration_accounts
                  ${sql.insert({ account: toKeyText(account), secret: newSecret, epoch: 0 })}
                  ON CONFLICT (account) DO NOTHING`
                ;[found] = yield* findAccount(account)
              }
              const rows = yield* sql<DocumentRow<MapsDocument>>`SELECT document
                FROM calibration_maps WHERE account = ${toKeyText(account)}
                ORDER BY model, method, kind`
              const loaded: AccountCalibration = {
                secret: found?.secret ?? newSecret,
                epoch: Number(found?.epoch ?? 0),
                maps: rows.map((row) => {
                  const { fitted, ...group } = readDocument(row)
                  return { ...group, fitted: decodeMaps(fitted) }
                })
              }
              return loaded
            })
          ),
        label: (samples) => {
          const rows = samples.map(toRow)
          return Arr.isArrayNonEmpty(rows)
            ? guardStoreCall(
                Effect.asVoid(
                  sql`INSERT INTO calibration_samples ${sql.insert(rows)}
                    ON CONFLICT (generation, name, model) DO UPDATE SET
                    account = excluded.account, method = excluded.method, kind = excluded.kind,
                    question = excluded.question, asked_at = excluded.asked_at,
                    labeled_at = excluded.labeled_at, document = excluded.document`
                )
              )
            : Effect.void
        },
        listSamples: (filter, limit) =>
          guardStoreCall(
            Effect.map(
              sql<DocumentRow<SampleDocument>>`SELECT document FROM calibration_samples
                WHERE ${sql.and(toConditions(filter))}
                ORDER BY labeled_at DESC, generation, name LIMIT ${limit}`,
              (rows) => rows.map((row) => toSample(filter.account, readDocument(row)))
            )
          ),
        listGroups: (filter) =>
          guardStoreCall(
            Effect.map(
              // Documents have the names unescaped; columns have them escaped.
              sql<GroupRow>`SELECT max(document) AS document, count(*) AS samples
                FROM calibration_samples WHERE ${sql.and(toConditions(filter))}
                GROUP BY model, method, kind ORDER BY model, method, kind`,
              (rows) =>
                rows.map((row) => {
                  const { kind, method, model } = readDocument(row)
                  return { kind, method, model, samples: Number(row.samples) }
                })
            )
          ),
        saveMaps: (account, { fitted, kind, method, model }, epoch) =>
          withAccountLock(account)(
            Effect.gen(function* () {
              const [found] = yield* findAccount(account)
              if (found === undefined || Number(found.epoch) !== epoch) return
              const document: MapsDocument = { kind, method, model, fitted: encodeMaps(fitted) }
              yield* sql`INSERT INTO calibration_maps ${sql.insert({
                account: toKeyText(account),
                model: toKeyText(model),
                method: toKeyText(method),
                kind,
                fitted_at: fitted.fittedAt,
                document: JSON.stringify(document)
              })} ON CONFLICT (account, model, method, kind) DO UPDATE SET
                fitted_at = excluded.fitted_at, document = excluded.document`
            })
          ),
        forget: ({ question, ...group }) =>
          withAccountLock(group.account)(
            Effect.gen(function* () {
              yield* sql`UPDATE calibration_accounts SET epoch = epoch + 1
                WHERE account = ${toKeyText(group.account)}`
              yield* sql`DELETE FROM calibration_maps WHERE ${sql.and(toConditions(group))}`
              const filter = question === undefined ? group : { ...group, question }
              const deleted = yield* sql`DELETE FROM calibration_samples
                WHERE ${sql.and(toConditions(filter))} RETURNING generation`
              return deleted.length
            })
          )
      }
    })
  )

interface AccountRow {
  readonly secret: string
  readonly epoch: bigint | number | string
}

interface GroupRow extends DocumentRow<SampleDocument> {
  readonly samples: bigint | number | string
}

interface MapsDocument extends CalibrationGroup {
  readonly fitted: Schema.Json
}

type SampleDocument = Omit<CalibrationSample, "account" | "generation" | "probabilities"> & {
  readonly generation: string
  /** The encoding of `encodeFloats`. */
  readonly probabilities: string
}

const decodeMaps: (document: Schema.Json) => FittedMaps = Schema.decodeSync(fittedMapsCodec)
const encodeMaps = Schema.encodeSync(fittedMapsCodec)

const toRow = ({ account, ...sample }: CalibrationSample) => {
  const document: SampleDocument = {
    ...sample,
    probabilities: encodeFloats(sample.probabilities)
  }
  return {
    generation: toKeyText(sample.generation),
    name: sample.name,
    model: toKeyText(sample.model),
    account: toKeyText(account),
    method: toKeyText(sample.method),
    kind: sample.kind,
    question: sample.question,
    asked_at: sample.askedAt,
    labeled_at: sample.labeledAt,
    document: JSON.stringify(document)
  }
}

const toSample = (
  account: AccountId,
  { generation, probabilities, ...sample }: SampleDocument
): CalibrationSample => ({
  ...sample,
  account,
  generation: GenerationId.make(generation),
  probabilities: Array.from(decodeFloats(probabilities))
})
