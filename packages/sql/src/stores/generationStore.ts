/** Generation records, by id. */
import {
  clipGeneration,
  type Generation,
  generationCodec,
  GenerationStore
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Kept } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"

export const generationStore: Layer.Layer<GenerationStore, never, SqlClient.SqlClient> =
  Layer.effect(
    GenerationStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      record: (generation) => writeGenerations(sql)([generation]),
      find: (account, id) =>
        inTime(
          Effect.map(
            sql<Kept<Generation>>`SELECT document FROM generations
              WHERE id = ${keyText(id)} AND account = ${keyText(account)}`,
            ([row]) => (row === undefined ? undefined : decode(row.document))
          )
        )
    }))
  )

/** In one statement; ids are given once. */
export const writeGenerations =
  (sql: SqlClient.SqlClient) =>
  (generations: ReadonlyArray<Generation>): Effect.Effect<void> => {
    const rows = generations.map((generation) => ({
      id: keyText(generation.id),
      account: keyText(generation.account),
      started_at: generation.startedAt,
      document: JSON.stringify(clipGeneration(generation), moneyAsText)
    }))
    return Arr.isArrayNonEmpty(rows)
      ? inTime(
          Effect.asVoid(
            sql`INSERT INTO generations ${sql.insert(rows)} ON CONFLICT (id) DO UPDATE SET
              account = excluded.account, started_at = excluded.started_at,
              document = excluded.document`
          )
        )
      : Effect.void
  }

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(generationCodec))

/** As `generationCodec` writes money, in half the time: every request is written, few are read. */
const moneyAsText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value
