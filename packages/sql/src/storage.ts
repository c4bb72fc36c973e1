/** The stores behind `sqlite` and `postgres`: migrated, cached, batched and purged. */
import type { OptionTypes } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import { batchedStores } from "./batches/batchedStores.ts"
import { readThroughCache } from "./cache/readThroughCache.ts"
import { StoreCache } from "./cache/StoreCache.ts"
import { layerStorageMonitor } from "./connection/StorageMonitor.ts"
import { migrate } from "./migrations/migrate.ts"
import { layerCompactRollups, layerPurgeExpired, type Retention } from "./purgeExpired.ts"
import { sqlStores } from "./domains.ts"

/** Options that SQLite and Postgres share. */
export interface StorageOptions extends Retention {
  /**
   * How stale a cached read may be after a change by another process, in milliseconds, above 0. Changes by
   * this process invalidate the cache at once. Default: 1,000.
   */
  readonly stalenessMillis?: number
  /** Cached results per kind of read; the least recently used is evicted. Default: 10,000. */
  readonly maxCachedAnswers?: number
  /**
   * Generation records, and as many failed requests and spend counters, that may wait to be written; the newest are dropped
   * beyond that. Default: 10,000.
   */
  readonly maxQueuedRecords?: number
  /** Records written per statement, from 1 to 400; more counts as 400. Default: 200. Less than 1 throws a `RangeError`. */
  readonly maxBatchSize?: number
  /**
   * How long a record waits for its batch, in milliseconds. 0 writes each record before its request is
   * answered. Default: 100.
   */
  readonly batchIntervalMillis?: number
}

export const storageOptionTypes: OptionTypes<StorageOptions> = {
  failedRequestRetentionMillis: ["number"],
  generationRetentionMillis: ["number"],
  stalenessMillis: ["number"],
  maxCachedAnswers: ["number"],
  maxQueuedRecords: ["number"],
  maxBatchSize: ["number"],
  batchIntervalMillis: ["number"]
}

/** The least value of each option. */
const minimums = [
  ["maxBatchSize", 1],
  ["maxCachedAnswers", 0],
  ["maxQueuedRecords", 0],
  ["batchIntervalMillis", 0],
  ["failedRequestRetentionMillis", 0],
  ["generationRetentionMillis", 0],
  ["stalenessMillis", 0]
] as const satisfies ReadonlyArray<readonly [keyof StorageOptions, number]>

const checkMinimums = (options: StorageOptions): void => {
  for (const [name, minimum] of minimums) {
    const value = options[name]
    if (value !== undefined && !(value >= minimum)) {
      throw new RangeError(`${name} must be a number of at least ${minimum}`)
    }
  }
}

interface StorageDriver<E, R> {
  /** Invalidates the cache within the given staleness of a change by another process. */
  readonly layerChangeFeed: (stalenessMillis: number) => Layer.Layer<never, E, R>
  /** Sessions in the pool; 0 for a file. */
  readonly sessions: number
}

export const layerStorage = <E, R>(
  options: StorageOptions,
  { layerChangeFeed, sessions }: StorageDriver<E, R>
) => {
  const {
    batchIntervalMillis = 100,
    maxBatchSize = 200,
    maxCachedAnswers = 10_000,
    maxQueuedRecords = 10_000,
    stalenessMillis = 1_000
  } = options
  checkMinimums(options)
  const cache = StoreCache.layer(maxCachedAnswers)
  const cachedStores = readThroughCache.pipe(Layer.provide(cache), Layer.provideMerge(sqlStores))
  const batches = batchedStores({
    capacity: maxQueuedRecords,
    intervalMillis: batchIntervalMillis,
    // A spend record writes up to 80 values, and a statement of SQLite takes 32,766.
    size: Math.min(Math.trunc(maxBatchSize), 400)
  }).pipe(Layer.provide(cache))
  const stores =
    batchIntervalMillis === 0 ? cachedStores : Layer.provideMerge(batches, cachedStores)
  return Layer.mergeAll(layerPurgeExpired(options), layerCompactRollups).pipe(
    Layer.provideMerge(stores),
    Layer.provideMerge(layerChangeFeed(stalenessMillis)),
    Layer.provideMerge(layerStorageMonitor(sessions)),
    Layer.provideMerge(Layer.effectDiscard(migrate()))
  )
}
