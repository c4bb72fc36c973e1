/** The stores as a box has them: what each request reads is remembered, what it records is written in batches. */
import type { OptionTypes } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import { batchedStores } from "./batchedStores.ts"
import { readThroughCache } from "./readThroughCache.ts"
import type { Retention } from "./purgeExpired.ts"
import { StoreCache } from "./StoreCache.ts"
import { stores } from "./stores.ts"

/** What SQLite and Postgres have in common. */
export interface StorageOptions {
  /**
   * How old in milliseconds what requests go by may be, when another process has changed it; default:
   * 1,000. What this process changes holds at once.
   */
  readonly stalenessMillis?: number
  /** How many answers of each kind are remembered; the least recently used go first; default: 10,000. */
  readonly maxCachedAnswers?: number
  /**
   * How many records of generations may wait to be written, and sums of usage; the newest are dropped when
   * there is no room; default: 10,000.
   */
  readonly maxQueuedRecords?: number
  /** How many of them one statement writes, up to 400; default: 200. */
  readonly maxBatchSize?: number
  /**
   * How long in milliseconds they wait, at the most, before they are written; 0: each is written before its
   * request is answered; default: 100.
   */
  readonly batchIntervalMillis?: number
}

export const storageOptionTypes: OptionTypes<StorageOptions & Retention> = {
  generationRetentionMillis: ["number"],
  stalenessMillis: ["number"],
  maxCachedAnswers: ["number"],
  maxQueuedRecords: ["number"],
  maxBatchSize: ["number"],
  batchIntervalMillis: ["number"]
}

export const layerStorage = ({
  maxCachedAnswers = 10_000,
  maxBatchSize = 200,
  maxQueuedRecords = 10_000,
  batchIntervalMillis = 100
}: StorageOptions) => {
  const snapshot = StoreCache.layer(maxCachedAnswers)
  const remembered = readThroughCache.pipe(Layer.provide(snapshot), Layer.provideMerge(stores))
  const batched = batchedStores({
    capacity: maxQueuedRecords,
    intervalMillis: batchIntervalMillis,
    // SQLite takes 32,766 values in a statement, and a sum is up to 80.
    size: Math.min(maxBatchSize, 400)
  }).pipe(Layer.provide(snapshot))
  return batchIntervalMillis === 0 ? remembered : Layer.provideMerge(batched, remembered)
}

export const toStalenessMillis = ({ stalenessMillis = 1_000 }: StorageOptions): number =>
  stalenessMillis
