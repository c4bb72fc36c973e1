/**
 * Rollups. What is added is stored as a delta, a row of its own, so that processes wait for each other neither to add nor
 * to read. Compaction merges the deltas, and once a minute moves the minutes that have ended into their buckets.
 */
import {
  bucketMillis,
  decodeDelta,
  decodeDeltaDimension,
  decodeRollup,
  type Dimension,
  encodeDelta,
  encodeRollup,
  getRollupRetention,
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
    const writeBuckets = makeBucketWriter(sql, settings.maxRollupValues)

    const writeDeltas = (
      deltas: Iterable<readonly [account: string, delta: RollupDelta.RollupDelta]>,
      openedAt: number
    ): Effect.Effect<void, SqlError> => {
      const rows = Array.from(deltas, ([account, delta]) => ({
        account,
        opened_at: openedAt,
        document: encodeDelta(delta)
      }))
      return Arr.isArrayNonEmpty(rows)
        ? Effect.asVoid(sql`INSERT INTO rollup_deltas ${sql.insert(rows)}`)
        : Effect.void
    }

    /** Deltas of one account; runs under the lock, so that no other process takes them too. */
    const compactAccount = Effect.fnUntraced(function* (account: string, now: number) {
      const rows = yield* sql<DeltaRow>`DELETE FROM rollup_deltas WHERE seq IN (
        SELECT seq FROM rollup_deltas WHERE account = ${account} ORDER BY seq LIMIT ${maxMergedDeltas}
      ) RETURNING opened_at, document`
      let delta: RollupDelta.RollupDelta = new Map()
      let openedAt = now
      for (const row of rows) {
        delta = RollupDelta.mergeDeltas(delta, decodeDelta(row.document))
        openedAt = Math.min(openedAt, Number(row.opened_at))
      }
      if (now - openedAt < bucketMillis.minute) {
        yield* writeDeltas([[account, delta]], openedAt)
        return
      }
      const open = new Map(delta)
      const ended = new Map(delta)
      for (const minute of delta.keys()) {
        if (minute + bucketMillis.minute <= now) open.delete(minute)
        else ended.delete(minute)
      }
      yield* writeBuckets(account, ended, now)
      if (open.size > 0) yield* writeDeltas([[account, open]], now)
    })

    const compact = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const waiting = sql<WaitingRow>`SELECT account, count(*) AS deltas, min(opened_at) AS opened_at
        FROM rollup_deltas GROUP BY account`
      for (const { account, deltas, opened_at } of yield* waiting) {
        if (Number(deltas) < 2 && now - Number(opened_at) < bucketMillis.minute) continue
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
              Array.from(RollupDelta.toDeltas(generations), ([account, delta]) => [
                toKeyText(account),
                delta
              ]),
              now
            )
          )
        ),
      list: ({ account, dimension, from, resolution, to }) =>
        guardStoreCall(
          Effect.map(
            // One statement, because compaction moves rows from one table to the other.
            sql<BucketRow>`SELECT started_at, document FROM rollups
              WHERE account = ${toKeyText(account)} AND resolution = ${resolution}
                AND dimension = ${dimension} AND started_at >= ${from} AND started_at < ${to}
              UNION ALL
              SELECT NULL, document FROM rollup_deltas WHERE account = ${toKeyText(account)}`,
            (rows) => toBuckets(rows, resolution, dimension, from, to)
          )
        ),
      compact: guardStoreCall(compact),
      purgeExpired: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const retention = getRollupRetention(settings)
        for (const resolution of resolutions) {
          yield* deleteInBatches(sql`DELETE FROM rollups
            WHERE (account, resolution, dimension, started_at) IN (
              SELECT account, resolution, dimension, started_at FROM rollups
              WHERE resolution = ${resolution} AND started_at < ${now - retention[resolution]} LIMIT 500
            ) RETURNING started_at`)
        }
      }).pipe(guardStoreCall)
    }
  })
)

/** Merges minutes into their buckets of every resolution. Runs under the lock of the account. */
const makeBucketWriter =
  (sql: SqlClient.SqlClient, maxValues: number) =>
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
        for (const [startedAt, rollups] of changes) {
          const stored = yield* sql<{ dimension: Dimension; document: string }>`
            SELECT dimension, document FROM rollups WHERE account = ${account}
              AND resolution = ${resolution} AND started_at = ${startedAt}
              AND ${sql.in("dimension", Array.from(rollups.keys()))}`
          const merged = RollupDelta.mergeDimensions(
            new Map(stored.map(({ dimension, document }) => [dimension, decodeRollup(document)])),
            rollups
          )
          const hasEnded = startedAt + bucketMillis[resolution] <= now
          const rows = Array.from(
            RollupDelta.pruneDimensions(merged, maxValues, hasEnded),
            ([dimension, rollup]) => ({
              account,
              resolution,
              dimension,
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
  dimension: Dimension,
  from: number,
  to: number
): ReadonlyArray<RollupBucket> => {
  const buckets = new Map<number, Rollup.Rollup>()
  const add = (startedAt: number, rollup: Rollup.Rollup): void => {
    buckets.set(startedAt, Rollup.merge(buckets.get(startedAt) ?? Rollup.empty, rollup))
  }
  for (const { document, started_at } of rows) {
    if (started_at !== null) add(Number(started_at), decodeRollup(document))
    else {
      for (const [minute, rollup] of decodeDeltaDimension(document, dimension)) {
        const startedAt = toBucketStart(resolution, minute)
        if (startedAt >= from && startedAt < to) add(startedAt, rollup)
      }
    }
  }
  return Array.from(buckets)
    .toSorted(([one], [that]) => one - that)
    .map(([startedAt, rollup]) => ({ startedAt, ...rollup }))
}

interface DeltaRow {
  readonly opened_at: number | bigint
  readonly document: string
}

interface WaitingRow {
  readonly account: string
  readonly deltas: number | bigint
  readonly opened_at: number | bigint
}

interface BucketRow {
  /** Null for a delta. */
  readonly started_at: number | bigint | null
  readonly document: string
}

/** Bounds the memory of one compaction. */
const maxMergedDeltas = 1_000
