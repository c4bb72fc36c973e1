/** Stores rollups: figures of requests over time, by dimension. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Generation } from "../generations/Generation.ts"
import type { Dimension } from "../../../values/Dimension.ts"
import type { Resolution } from "./Resolution.ts"
import type { Rollup } from "./Rollup.ts"

/** Selects buckets of one account. */
export interface RollupQuery {
  readonly account: AccountId
  readonly resolution: Resolution
  readonly dimension: Dimension
  /** Buckets that begin at this time or later, in milliseconds since the epoch. */
  readonly from: number
  /** Buckets that begin before this time, in milliseconds since the epoch. */
  readonly to: number
}

/** A bucket with at least one request. */
export interface RollupBucket extends Rollup {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * Stores rollups by minute, hour and day. A bucket keeps at most `Settings.maxRollupValues` values of a dimension once
 * it has ended, and a few times as many before; the rest is added up. `Settings.maxRollupPairs` is the same for pairs, and
 * `Settings.maxRollupTags` is how many tags a bucket has.
 *
 * Race: what several processes add at once adds up, and nothing is lost or counted twice while another process compacts.
 */
export class RollupStore extends Context.Service<
  RollupStore,
  {
    /**
     * Adds generations that have not been added before. Joins the surrounding transaction, so that a `GenerationStore`
     * stores records and adds them together.
     */
    readonly add: (generations: ReadonlyArray<Generation>) => Effect.Effect<void>
    /** Oldest first; includes everything that has been added. */
    readonly list: (query: RollupQuery) => Effect.Effect<ReadonlyArray<RollupBucket>>
    /** Brings what has been added into its final form. A store runs it in the background. */
    readonly compact: () => Effect.Effect<void>
    /** Deletes the buckets that have outlived their retention. A store runs it in the background. */
    readonly purgeExpired: () => Effect.Effect<void>
  }
>()("@signalbox/core/engine/observability/rollups/RollupStore") {}
