/** Generation records by id, and in lists. */
import {
  truncateGeneration,
  type Generation,
  generationCodec,
  GenerationStore,
  hasTag,
  concernsProvider,
  hasTried,
  RollupStore,
  toFigures,
  toFilterValues,
  toGenerationDocument,
  toGenerationPage
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { DocumentRow } from "../rows/DocumentRow.ts"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import { byCodePoint, findText, toDialect } from "../connection/dialect.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { matchTag, toTagsColumn } from "./generationTags.ts"
import { matchRequests } from "./matchRequests.ts"
import { listSessions } from "./listSessions.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const generationStore: Layer.Layer<
  GenerationStore,
  never,
  RollupStore | SqlClient.SqlClient
> = Layer.effect(
  GenerationStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      // Without batches, which have a store of their own.
      storesBeforeAnswers: true,
      record: writeGenerations(sql, yield* RollupStore),
      find: (account, id) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<Generation>>`SELECT document FROM generations
              WHERE id = ${toKeyText(id)} AND account = ${toKeyText(account)}`,
            ([row]) => (row === undefined ? undefined : decode(row.document))
          )
        ),
      list: (filter, page) => {
        const { after, limit, sort } = page
        const order = sql.literal(byCodePoint[toDialect(sql)])
        const conditions = [
          ...matchRequests(sql, filter),
          ...(filter.tag === undefined ? [] : [matchTag(sql, filter.account, filter.tag)]),
          ...matchOptional(sql, "request_id", filter.request),
          ...matchOptional(sql, "operation", filter.operation),
          ...matchOptional(sql, "preset", filter.preset),
          ...(filter.endpoint === undefined
            ? []
            : [findText(sql, "document", toAttemptText(filter.endpoint))]),
          ...(filter.provider === undefined
            ? []
            : [
                sql.or([
                  sql`provider = ${toKeyText(filter.provider)}`,
                  findText(sql, "document", toProviderText(filter.provider))
                ])
              ]),
          // The literal lets the index of failures serve it.
          ...(filter.outcome === undefined || filter.outcome === "answered"
            ? []
            : [sql`outcome <> 'answered'`]),
          ...matchOptional(
            sql,
            "outcome",
            filter.outcome === "failed" ? undefined : filter.outcome
          ),
          ...Object.entries(filter.figures ?? {}).flatMap(([name, { max, min }]) => [
            ...(min === undefined ? [] : [sql`${sql(name)} >= ${min}`]),
            ...(max === undefined ? [] : [sql`${sql(name)} <= ${max}`])
          ]),
          ...(after === undefined
            ? []
            : sort === undefined
              ? [sql`(started_at, id ${order}) < (${after.startedAt}, ${toKeyText(after.id)})`]
              : [
                  sql`(COALESCE(${sql(sort)}, -1), started_at, id ${order}) <
                    (${after.value ?? -1}, ${after.startedAt}, ${toKeyText(after.id)})`
                ])
        ]
        const byFigure = sort === undefined ? sql`` : sql`COALESCE(${sql(sort)}, -1) DESC,`
        return guardStoreCall(
          Effect.map(
            sql<DocumentRow<Generation>>`SELECT document FROM generations
              WHERE ${sql.and(conditions)}
              ORDER BY ${byFigure} started_at DESC, id ${order} DESC LIMIT ${limit + 1}`,
            (rows) => {
              const found = toGenerationPage(
                rows.map(({ document }) => decode(document)),
                page
              )
              const { endpoint, provider, tag } = filter
              return endpoint === undefined && provider === undefined && tag === undefined
                ? found
                : {
                    ...found,
                    rows: found.rows.filter(
                      (row) =>
                        (endpoint === undefined || hasTried(row, endpoint)) &&
                        (provider === undefined || concernsProvider(row, provider)) &&
                        (tag === undefined || hasTag(row, tag))
                    )
                  }
            }
          )
        )
      },
      listSessions: listSessions(sql),
      scan: (from, page) => {
        const { after, limit } = page
        const order = sql.literal(byCodePoint[toDialect(sql)])
        const conditions = [
          sql`started_at >= ${Math.max(from, after?.startedAt ?? from)}`,
          ...(after === undefined
            ? []
            : [sql`(started_at, id ${order}) > (${after.startedAt}, ${toKeyText(after.id)})`])
        ]
        return guardStoreCall(
          Effect.map(
            sql<DocumentRow<Generation>>`SELECT document FROM generations
              WHERE ${sql.and(conditions)}
              ORDER BY started_at, id ${order} LIMIT ${limit + 1}`,
            (rows) =>
              toGenerationPage(
                rows.map(({ document }) => decode(document)),
                page
              )
          )
        )
      }
    }
  })
)

/**
 * How the JSON of an attempt at the endpoint begins; reasons in a record name endpoints too, but no provider. Text, because
 * Postgres cannot take JSON apart that has an escaped NUL somewhere. Only a trace can look alike, so the rows are checked.
 */
const toAttemptText = (endpoint: string): string =>
  `{"endpoint":${JSON.stringify(endpoint)},"provider":`

/** The provider of an attempt in the JSON of a record; an outcome follows that of an attempt alone. */
const toProviderText = (provider: string): string =>
  `"provider":${JSON.stringify(provider)},"outcome":`

/** Every row of an insertion has the same columns. */
const unknownFigures = { latency: null, cost: null, tokens: null }

/**
 * Writes all records in one transaction, and adds the new ones to the rollups, so that each counts once even if its
 * write is retried; each id may occur only once.
 */
export const writeGenerations =
  (sql: SqlClient.SqlClient, rollups: RollupStore["Service"]) =>
  (generations: ReadonlyArray<Generation>): Effect.Effect<void> => {
    // Encodes as `generationCodec` does, in half the time: every request writes a record, and few are read.
    const rows = generations.map((generation) => {
      const record = truncateGeneration(generation)
      const values = toFilterValues(record)
      return {
        id: toKeyText(generation.id),
        account: toKeyText(generation.account),
        started_at: generation.startedAt,
        workspace: toKeyText(values.workspace),
        key_hash: toNullableKeyText(values.key),
        acting_user: toNullableKeyText(values.user),
        user_id: toNullableKeyText(values.externalUser),
        session_id: toNullableKeyText(values.session),
        request_id: toNullableKeyText(values.request),
        model: toKeyText(values.model),
        provider: toNullableKeyText(values.provider),
        operation: values.operation,
        outcome: toKeyText(values.outcome),
        preset: toNullableKeyText(values.preset),
        ...unknownFigures,
        ...toFigures(generation),
        tags: toTagsColumn(generation.account, record.tags),
        document: stringifyWithBigInts(toGenerationDocument(record))
      }
    })
    return Arr.isArrayNonEmpty(rows)
      ? guardStoreCall(
          sql.withTransaction(
            Effect.gen(function* () {
              const inserted = yield* sql<{ id: string }>`INSERT INTO generations
                ${sql.insert(rows)} ON CONFLICT (id) DO NOTHING RETURNING id`
              const added = new Set(inserted.map(({ id }) => id))
              const known = rows.filter(({ id }) => !added.has(id))
              if (Arr.isArrayNonEmpty(known)) {
                yield* sql`INSERT INTO generations ${sql.insert(known)} ON CONFLICT (id) DO UPDATE SET
                  account = excluded.account, started_at = excluded.started_at,
                  workspace = excluded.workspace, key_hash = excluded.key_hash,
                  acting_user = excluded.acting_user, user_id = excluded.user_id,
                  session_id = excluded.session_id,
                  request_id = excluded.request_id,
                  model = excluded.model, provider = excluded.provider,
                  operation = excluded.operation, outcome = excluded.outcome,
                  preset = excluded.preset, latency = excluded.latency,
                  cost = excluded.cost, tokens = excluded.tokens, tags = excluded.tags,
                  document = excluded.document`
              }
              yield* rollups.add(generations.filter(({ id }) => added.has(toKeyText(id))))
            })
          )
        )
      : Effect.void
  }

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(generationCodec))
