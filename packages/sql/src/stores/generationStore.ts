/** Generation records by id. */
import {
  truncateGeneration,
  type Generation,
  generationCodec,
  GenerationStore,
  RollupStore
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { DocumentRow } from "../rows/DocumentRow.ts"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const generationStore: Layer.Layer<
  GenerationStore,
  never,
  RollupStore | SqlClient.SqlClient
> = Layer.effect(
  GenerationStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = writeGenerations(sql, yield* RollupStore)
    return {
      record: (generation) => write([generation]),
      find: (account, id) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<Generation>>`SELECT document FROM generations
              WHERE id = ${toKeyText(id)} AND account = ${toKeyText(account)}`,
            ([row]) => (row === undefined ? undefined : decode(row.document))
          )
        )
    }
  })
)

/**
 * Writes all records in one transaction, and adds those that are new to the rollups, so that each counts once however
 * often its write is retried; each id may occur only once.
 */
export const writeGenerations =
  (sql: SqlClient.SqlClient, rollups: RollupStore["Service"]) =>
  (generations: ReadonlyArray<Generation>): Effect.Effect<void> => {
    // Encodes as `generationCodec` does, in half the time: every request writes a record, and few are read.
    const rows = generations.map((generation) => ({
      id: toKeyText(generation.id),
      account: toKeyText(generation.account),
      started_at: generation.startedAt,
      document: stringifyWithBigInts(truncateGeneration(generation))
    }))
    return Arr.isArrayNonEmpty(rows)
      ? guardStoreCall(
          sql.withTransaction(
            Effect.gen(function* () {
              const stored = yield* sql<{ id: string }>`SELECT id FROM generations
                WHERE ${sql.in(
                  "id",
                  rows.map(({ id }) => id)
                )}`
              const known = new Set(stored.map(({ id }) => id))
              yield* sql`INSERT INTO generations ${sql.insert(rows)} ON CONFLICT (id) DO UPDATE SET
                account = excluded.account, started_at = excluded.started_at,
                document = excluded.document`
              yield* rollups.add(generations.filter(({ id }) => !known.has(toKeyText(id))))
            })
          )
        )
      : Effect.void
  }

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(generationCodec))
