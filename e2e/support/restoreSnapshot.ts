/** Restores a database that an earlier version wrote. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { SqlClient } from "effect/sql/SqlClient"
import { migrations } from "../../packages/sql/src/domains.ts"
import { migrate } from "../../packages/sql/src/migrations/migrate.ts"
import { makeSqlClient } from "./makeSqlClient.ts"
import type { TestDatabase } from "./TestDatabase.ts"

export interface Snapshot {
  /** Unix milliseconds. */
  readonly takenAt: number
  /** Ids and secrets that the tests need. */
  readonly facts: Readonly<Record<string, string>>
  readonly tables: Readonly<
    Record<string, ReadonlyArray<Readonly<Record<string, string | number | null>>>>
  >
}

/** Reads a snapshot as if it had been taken about an hour ago. Its webhooks go to `receiverUrl`. */
export const readSnapshot = (file: string, receiverUrl: string): Snapshot => {
  const text = readFileSync(file, "utf8")
  const { takenAt }: Snapshot = JSON.parse(text)
  // Whole minutes, so that the buckets of figures still begin with one.
  const minutes = Math.floor((Date.now() - hourMillis - takenAt) / minuteMillis)
  return JSON.parse(
    moveTimes(text, takenAt, minutes * minuteMillis).replaceAll("http://127.0.0.1:1/", receiverUrl)
  )
}

/** Times further from the snapshot are the ends of months. */
const nearbyMillis = 3 * 86_400_000
const hourMillis = 3_600_000
const minuteMillis = 60_000

/** Moves every time by `millis`: retries are due, and no retention has passed. Intervals of limits begin and end on the hour, and stay. */
const moveTimes = (text: string, takenAt: number, millis: number): string => {
  const isMoved = (time: number) =>
    Math.abs(time - takenAt) < nearbyMillis && time % hourMillis !== 0
  return text
    .replace(/(?<!\d)\d{13}(?!\d)/g, (number) =>
      isMoved(Number(number)) ? String(Number(number) + millis) : number
    )
    .replace(/(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(\.\d{3}Z)?/g, (date, day, divider, time) => {
      const at = Date.parse(`${day}T${time}${date.slice(19) || "Z"}`)
      if (!isMoved(at)) return date
      const moved = new Date(at + millis).toISOString()
      return moved.slice(0, date.length).replace("T", divider)
    })
}

/** The tables are the ones that the migrations up to `lastMigration` create; those migrations never change. */
export const restoreSnapshot = (
  database: TestDatabase,
  { tables }: Snapshot,
  lastMigration: number
): Promise<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const earlier = Object.entries(migrations).filter(
      ([name]) => Number.parseInt(name, 10) <= lastMigration
    )
    yield* migrate(Object.fromEntries(earlier))
    yield* Effect.scoped(PersistedQueue.makeStoreSql({ tableName: "job_steps" }))
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) yield* sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`
    }
  }).pipe(Effect.provide(makeSqlClient(database)), Effect.runPromise)
