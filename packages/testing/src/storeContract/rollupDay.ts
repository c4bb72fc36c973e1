/** Requests of one day, and what rollups say of it. */
import {
  type AccountId,
  bucketMillis,
  defaultWorkspaceId,
  type Dimension,
  type Generation,
  type Resolution,
  Rollup,
  RollupStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as fresh from "./fixtures.ts"

/** A day that the background work of a store, which follows the real clock, takes for the future. */
export const day = Date.UTC(2100, 0, 1)

/** A request at the begin of the day. */
export const makeGeneration = (
  account: AccountId,
  changes: Partial<Generation> = {}
): Generation => ({
  id: fresh.makeGenerationId(),
  account,
  workspace: defaultWorkspaceId,
  operation: "chat",
  startedAt: day,
  latencyMillis: 100,
  configuration: 1,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: [],
  ...changes
})

/** The name of a user. */
export const toUser = (n: number): string => `user-${n}`

/** The buckets of the day. */
export const listDay = (account: AccountId, resolution: Resolution, dimension: Dimension) =>
  RollupStore.use((store) =>
    store.list({ account, resolution, dimension, from: day, to: day + bucketMillis.day })
  )

/** What all buckets of the day add up to. */
export const sumDay = (account: AccountId, resolution: Resolution, dimension: Dimension) =>
  Effect.map(listDay(account, resolution, dimension), (buckets) =>
    Rollup.total(buckets.reduce<Rollup.Rollup>(Rollup.merge, Rollup.empty))
  )
