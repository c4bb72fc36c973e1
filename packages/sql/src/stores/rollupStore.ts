/**
 * Rollups. What is added is stored as deltas, rows of their own, so that processes wait for each other neither to add nor
 * to read. Compaction merges deltas of the same minute, and once a minute moves those that have ended into their buckets.
 */
import {
  bucketMillis,
  decodeRollup,
  type Dimension,
  encodeRollup,
  getRollupRetention,
  isTagDimension,
  type Resolution,
  resolutions,
  Rollup,
  type RollupBucket,
  RollupDelta,
  RollupStore,
  Settings,
  toBucketStart
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const rollupStore: Layer.Layer<RollupStore, never, SqlClient.SqlClient> = Layer.effect(
  RollupStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const settings = yield* Settings
    const writeBuckets = makeBucketWriter(sql, settings)

    const writeDeltas = (
      deltas: Iterable<readonly [account: string, RollupDelta.RollupDelta]>,
      openedAt: number
    ): Effect.Effect<void, SqlError> => {
      const rows = Array.from(deltas).flatMap(([account, delta]) =>
        Array.from(delta).flatMap(([minute, rollups]) =>
          Array.from(rollups, ([dimension, rollup]) => ({
            account,
            dimension: toStoredName(dimension),
            started_at: minute,
            opened_at: openedAt,
            document: encodeRollup(rollup)
          }))
        )
      )
      return Effect.forEach(
        Arr.chunksOf(rows, maxInsertedRows),
        (chunk) => sql`INSERT INTO rollup_deltas ${sql.insert(chunk)}`,
        { discard: true }
      )
    }

    /** `account` is the text of its column. Runs under the lock of the account, so that no other process takes its deltas too. */
    const compactAccount = Effect.fnUntraced(function* (account: string, now: number) {
      const rows = yield* sql<DeltaRow>`DELETE FROM rollup_deltas WHERE seq IN (
        SELECT seq FROM rollup_deltas WHERE account = ${account} ORDER BY seq LIMIT ${maxMergedDeltas}
      ) RETURNING seq, dimension, started_at, opened_at, document`
      // A bucket keeps its first tags, and Postgres returns what it deletes in an order that is not specified:
      // https://www.postgrespro.com/list/id/2938693.1714845141@sss.pgh.pa.us
      const inOrder = rows.toSorted((one, other) => Number(one.seq) - Number(other.seq))
      const parts = new Map<number, Map<Dimension, Array<Rollup.Rollup>>>()
      let openedAt = now
      for (const { dimension: name, document, opened_at, started_at } of inOrder) {
        const minute = Number(started_at)
        const dimension = fromStoredName(name)
        const dimensions = parts.get(minute) ?? new Map<Dimension, Array<Rollup.Rollup>>()
        dimensions.set(dimension, [...(dimensions.get(dimension) ?? []), decodeRollup(document)])
        parts.set(minute, dimensions)
        openedAt = Math.min(openedAt, Number(opened_at))
      }
      const delta = new Map(
        Array.from(parts, ([minute, dimensions]) => [
          minute,
          new Map(
            Array.from(dimensions, ([dimension, rollups]) => [dimension, Rollup.mergeAll(rollups)])
          )
        ])
      )
      if (now - openedAt < bucketMillis.minute)
        return yield* writeDeltas([[account, delta]], openedAt)
      const ended = new Map(delta)
      for (const minute of delta.keys()) {
        if (minute + bucketMillis.minute <= now) delta.delete(minute)
        else ended.delete(minute)
      }
      yield* writeBuckets(account, ended, now)
      yield* writeDeltas([[account, delta]], now)
    })

    const compact = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const waiting = sql<WaitingRow>`SELECT account, count(*) AS deltas, min(opened_at) AS opened_at
        FROM rollup_deltas GROUP BY account`
      for (const { account, deltas, opened_at } of yield* waiting) {
        const isDue = now - Number(opened_at) >= bucketMillis.minute
        if (!isDue && Number(deltas) < minMergedDeltas) continue
        for (let left = Number(deltas); left > 0; left -= maxMergedDeltas) {
          yield* withExclusiveLock(sql)("rollups", account)(compactAccount(account, now))
        }
      }
    })

    return {
      add: (generations) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          guardStoreCall(
            writeDeltas(
              Array.from(
                RollupDelta.toDeltas(generations, settings.rollupPairs),
                ([account, delta]) => [toKeyText(account), delta]
              ),
              now
            )
          )
        ),
      list: ({ account, dimension, from, resolution, to }) => {
        const name = toStoredName(dimension)
        return guardStoreCall(
          Effect.map(
            // One statement, because compaction moves rows from one table to the other.
            sql<BucketRow>`SELECT started_at, document FROM rollups
              WHERE account = ${toKeyText(account)} AND resolution = ${resolution}
                AND dimension = ${name} AND started_at >= ${from} AND started_at < ${to}
              UNION ALL
              SELECT started_at, document FROM rollup_deltas
              WHERE account = ${toKeyText(account)} AND dimension = ${name}
                AND started_at >= ${from}`,
            (rows) => toBuckets(rows, resolution, to)
          )
        )
      },
      compact: () => guardStoreCall(compact),
      purgeExpired: Effect.fnUntraced(function* () {
        const now = yield* Clock.currentTimeMillis
        const retention = getRollupRetention(settings)
        for (const resolution of resolutions) {
          yield* deleteInBatches(sql`DELETE FROM rollups
            WHERE (account, resolution, dimension, started_at) IN (
              SELECT account, resolution, dimension, started_at FROM rollups
              WHERE resolution = ${resolution} AND started_at < ${now - retention[resolution]}
              ORDER BY resolution, started_at LIMIT 500
            ) RETURNING started_at`)
        }
      }, guardStoreCall)
    }
  })
)

/** Merges minutes into their buckets of every resolution. Runs under the lock of the account. */
const makeBucketWriter =
  (sql: SqlClient.SqlClient, settings: typeof Settings.Service) =>
  (account: string, minutes: RollupDelta.RollupDelta, now: number): Effect.Effect<void, SqlError> =>
    Effect.forEach(
      resolutions,
      Effect.fnUntraced(function* (resolution) {
        const changes = new Map<number, RollupDelta.DimensionRollups>()
        for (const [minute, rollups] of minutes) {
          const startedAt = toBucketStart(resolution, minute)
          const known = changes.get(startedAt)
          changes.set(
            startedAt,
            known === undefined ? rollups : RollupDelta.mergeDimensions(known, rollups)
          )
        }
        for (const [startedAt, added] of changes) {
          const inBucket = sql`account = ${account} AND resolution = ${resolution}
            AND started_at = ${startedAt}`
          const hasTags = Array.from(added.keys()).some(isTagDimension)
          const known = hasTags
            ? yield* sql<{
                dimension: StoredDimension
              }>`SELECT dimension FROM rollups WHERE ${inBucket}`
            : []
          const rollups = RollupDelta.admitTags(
            known.map(({ dimension }) => fromStoredName(dimension)),
            added,
            settings.maxRollupTags
          )
          const stored = yield* sql<{ dimension: StoredDimension; document: string }>`
            SELECT dimension, document FROM rollups WHERE ${inBucket}
              AND ${sql.in("dimension", Array.from(rollups.keys(), toStoredName))}`
          const merged = RollupDelta.mergeDimensions(
            new Map(
              stored.map(({ dimension, document }) => [
                fromStoredName(dimension),
                decodeRollup(document)
              ])
            ),
            rollups
          )
          const hasEnded = startedAt + bucketMillis[resolution] <= now
          const rows = Array.from(
            RollupDelta.pruneDimensions(merged, settings, hasEnded),
            ([dimension, rollup]) => ({
              account,
              resolution,
              dimension: toStoredName(dimension),
              started_at: startedAt,
              document: encodeRollup(rollup)
            })
          )
          if (!Arr.isArrayNonEmpty(rows)) continue
          yield* sql`INSERT INTO rollups ${sql.insert(rows)}
            ON CONFLICT (account, resolution, dimension, started_at)
            DO UPDATE SET document = excluded.document`
        }
      }),
      { discard: true }
    )

/** Merges the stored buckets with the deltas, oldest first. */
const toBuckets = (
  rows: ReadonlyArray<BucketRow>,
  resolution: Resolution,
  to: number
): ReadonlyArray<RollupBucket> => {
  const parts = new Map<number, Array<Rollup.Rollup>>()
  for (const { document, started_at } of rows) {
    const startedAt = toBucketStart(resolution, Number(started_at))
    if (startedAt >= to) continue
    const rollup = decodeRollup(document)
    const known = parts.get(startedAt)
    if (known === undefined) parts.set(startedAt, [rollup])
    else known.push(rollup)
  }
  return Array.from(parts)
    .toSorted(([one], [that]) => one - that)
    .map(([startedAt, rollups]) => ({ startedAt, ...Rollup.mergeAll(rollups) }))
}

/** Earlier versions had the `user` of requests under `user`, which stays its name, so that every version reads all rows. */
const toStoredName = (dimension: Dimension): StoredDimension =>
  dimension === "user" ? "acting_user" : dimension === "external_user" ? "user" : dimension

/** The dimension of a row. */
export const fromStoredName = (name: StoredDimension): Dimension =>
  name === "acting_user" ? "user" : name === "user" ? "external_user" : name

/** A dimension as rows name it. */
export type StoredDimension = Exclude<Dimension, "external_user"> | "acting_user"

interface DeltaRow extends BucketRow {
  readonly seq: number | bigint
  readonly dimension: StoredDimension
  readonly opened_at: number | bigint
}

interface WaitingRow {
  readonly account: string
  readonly deltas: number | bigint
  readonly opened_at: number | bigint
}

interface BucketRow {
  readonly started_at: number | bigint
  readonly document: string
}

/** Bounds the memory of one compaction. */
const maxMergedDeltas = 5_000
/** Fewer are read with each query until their minute has ended: at most a hundred for each dimension. */
const minMergedDeltas = 100
/** A statement of SQLite takes 32,766 values. */
const maxInsertedRows = 5_000
