/** The stores as a box has them: what each request reads is remembered, what it records is written in batches. */
import type { OptionTypes } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import { batching } from "./batching.ts"
import { remembering } from "./remembering.ts"
import type { Retention } from "./forgetOld.ts"
import { Snapshot } from "./Snapshot.ts"
import { stores } from "./stores.ts"

/** What SQLite and Postgres have in common. */
export interface StorageOptions {
  /**
   * How old in milliseconds what requests go by may be, when another process has changed it; default:
   * 1,000. What this process changes holds at once.
   */
  readonly stalenessMillis?: number
  /** How many answers of each kind are remembered; the least recently used go first; default: 10,000. */
  readonly answersRemembered?: number
  /**
   * How many records of generations may wait to be written, and sums of usage; the newest are dropped when
   * there is no room; default: 10,000.
   */
  readonly recordsQueued?: number
  /** How many of them one statement writes, up to 400; default: 200. */
  readonly recordsPerBatch?: number
  /**
   * How long in milliseconds they wait, at the most, before they are written; 0: each is written before its
   * request is answered; default: 100.
   */
  readonly recordsWaitMillis?: number
}

export const storageTypes: OptionTypes<StorageOptions & Retention> = {
  generationsKeptMillis: ["number"],
  stalenessMillis: ["number"],
  answersRemembered: ["number"],
  recordsQueued: ["number"],
  recordsPerBatch: ["number"],
  recordsWaitMillis: ["number"]
}

export const storage = ({
  answersRemembered = 10_000,
  recordsPerBatch = 200,
  recordsQueued = 10_000,
  recordsWaitMillis = 100
}: StorageOptions) => {
  const snapshot = Snapshot.layer(answersRemembered)
  const remembered = remembering.pipe(Layer.provide(snapshot), Layer.provideMerge(stores))
  const batched = batching({
    capacity: recordsQueued,
    intervalMillis: recordsWaitMillis,
    // SQLite takes 32,766 values in a statement, and a sum is up to 80.
    size: Math.min(recordsPerBatch, 400)
  }).pipe(Layer.provide(snapshot))
  return recordsWaitMillis === 0 ? remembered : Layer.provideMerge(batched, remembered)
}

export const stalenessOf = ({ stalenessMillis = 1_000 }: StorageOptions): number => stalenessMillis
