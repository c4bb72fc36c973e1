/** Generation records, by id. */
import { clipGeneration, type Generation, GenerationStore, NanoUsd } from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { type Kept, read } from "../kept.ts"
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
            sql<Kept<Written>>`SELECT document FROM generations
              WHERE id = ${keyText(id)} AND account = ${keyText(account)}`,
            ([row]) => (row === undefined ? undefined : withMoney(read(row)))
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

/** Money is the only thing of a record that JSON has no number for. */
const moneyAsText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value

type AsText<A> = Omit<A, "cost" | "upstreamCost"> & {
  readonly cost?: string
  readonly upstreamCost?: string
}
interface Written extends Omit<AsText<Generation>, "attempts"> {
  readonly attempts: ReadonlyArray<AsText<Generation["attempts"][number]>>
}

const withMoney = (written: Written): Generation => ({
  ...priced(written),
  attempts: written.attempts.map(priced)
})

const priced = <A extends { readonly cost?: string; readonly upstreamCost?: string }>({
  cost,
  upstreamCost,
  ...rest
}: A) => ({
  ...rest,
  ...(cost === undefined ? undefined : { cost: NanoUsd.make(BigInt(cost)) }),
  ...(upstreamCost === undefined ? undefined : { upstreamCost: NanoUsd.make(BigInt(upstreamCost)) })
})
