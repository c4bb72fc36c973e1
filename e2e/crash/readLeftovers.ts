/** Reads from another process what the processes of a crash test left in their database. */
import * as Effect from "effect/Effect"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"
import * as SqliteClient from "../../packages/sql/src/connection/SqliteClient.ts"

export interface CrashDatabase {
  readonly kind: "sqlite" | "postgres"
  /** A file path or a connection URL. */
  readonly location: string
}

export interface Leftovers {
  readonly counters: ReadonlyArray<{
    readonly name: string
    readonly settled: bigint
    readonly reserved: bigint
  }>
  readonly spend: ReadonlyArray<{ readonly subject: string; readonly credits: bigint }>
  /** The ids of the amounts that are still held. */
  readonly reservations: ReadonlySet<string>
  readonly generations: ReadonlySet<string>
  readonly dead: number
}

export const readLeftovers = ({ kind, location }: CrashDatabase): Promise<Leftovers> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const generations = yield* sql<{ id: string }>`SELECT id FROM generations`
    const reservations = yield* sql<{ id: string }>`SELECT id FROM reservations`
    return {
      counters: yield* sql<
        Leftovers["counters"][number]
      >`SELECT counter_key AS name, settled, reserved FROM limit_counters`,
      spend: yield* sql<
        Leftovers["spend"][number]
      >`SELECT subject, credits FROM spend WHERE interval_name = ${"lifetime"}`,
      reservations: new Set(reservations.map(({ id }) => id)),
      generations: new Set(generations.map(({ id }) => id)),
      dead: (yield* sql`SELECT seq FROM dead_letters`).length
    }
  }).pipe(
    Effect.provideService(SafeIntegers, true),
    Effect.provide(
      kind === "sqlite"
        ? SqliteClient.layer({ path: location })
        : layerPostgresClient({ url: location, maxConnections: 1 })
    ),
    Effect.runPromise
  )
