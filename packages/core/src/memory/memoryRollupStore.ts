/** RollupStore in the memory of this process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import {
  bucketMillis,
  getRollupRetention,
  type Resolution,
  resolutions,
  toBucketStart
} from "../engine/observability/rollups/Resolution.ts"
import {
  admitTags,
  type DimensionRollups,
  mergeDimensions,
  pruneDimensions
} from "../engine/observability/rollups/RollupDelta.ts"
import { RollupSums } from "../engine/observability/rollups/RollupSums.ts"
import type { Rollup } from "../engine/observability/rollups/Rollup.ts"
import { mayNamePerson, renameRollup } from "../domains/people/renameRollup.ts"
import type { Dimension } from "../values/Dimension.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { RollupBuckets } from "./RollupBuckets.ts"
import { RollupStore } from "../engine/observability/rollups/RollupStore.ts"
import { Settings } from "../instance/Settings.ts"
import type { AccountId } from "../values/ids/Ids.ts"

/**
 * Sums up what is added. The sums move into the buckets a minute later, or when they are read, because buckets cannot change
 * in place: readers may still have them. Beyond `Settings.maxMemoryRollupValues`, the account with the most values loses its
 * oldest bucket of the finest resolution.
 */
export const memoryRollupStore: Layer.Layer<RollupStore> = Layer.effect(
  RollupStore,
  Effect.gen(function* () {
    const settings = yield* Settings
    const accounts = new Map<AccountId, AccountRollups>()
    let size = 0
    const sums = new RollupSums(settings.rollupPairs)
    const hasSums = yield* Latch.make()

    /** `isEnded`: hardly anything is added to the bucket any more. */
    const setBucket = (
      account: AccountRollups,
      resolution: Resolution,
      startedAt: number,
      rollups: DimensionRollups | undefined,
      isEnded = false
    ): void => {
      const buckets = account.buckets[resolution]
      const before = buckets.countValues(startedAt)
      if (rollups === undefined) buckets.delete(startedAt)
      else if (isEnded) buckets.setEnded(startedAt, rollups)
      else buckets.set(startedAt, rollups)
      const change = buckets.countValues(startedAt) - before
      account.size += change
      size += change
    }

    const evictOldest = (): void => {
      let largest: AccountRollups | undefined
      for (const account of accounts.values()) {
        if (largest === undefined || account.size > largest.size) largest = account
      }
      if (largest === undefined) return
      for (const resolution of resolutions) {
        const starts = largest.buckets[resolution].listStarts()
        if (starts.length === 0) continue
        setBucket(largest, resolution, Math.min(...starts), undefined)
        return
      }
    }

    const moveSums = (): void => {
      for (const [id, delta] of sums.take()) {
        const account = accounts.get(id) ?? makeAccountRollups()
        accounts.set(id, account)
        for (const [minute, rollups] of delta) {
          for (const resolution of resolutions) {
            const startedAt = toBucketStart(resolution, minute)
            const known = account.buckets[resolution].findAll(startedAt)
            const admitted = admitTags(known?.keys() ?? [], rollups, settings.maxRollupTags)
            const merged = known === undefined ? admitted : mergeDimensions(known, admitted)
            setBucket(account, resolution, startedAt, pruneDimensions(merged, settings, false))
            account.changed[resolution].add(startedAt)
          }
        }
      }
      while (size > settings.maxMemoryRollupValues) evictOldest()
    }

    const people = yield* MemoryPeople
    people.register((renaming) =>
      Effect.sync(() => {
        moveSums()
        const account = accounts.get(renaming.account)
        if (account === undefined) return 0
        let changed = 0
        for (const resolution of resolutions) {
          const buckets = account.buckets[resolution]
          for (const startedAt of buckets.listStarts()) {
            const renamed = new Map<Dimension, Rollup>()
            for (const dimension of buckets.listDimensions(startedAt)) {
              if (!mayNamePerson(dimension, renaming)) continue
              const before = buckets.find(startedAt, dimension)!
              const after = renameRollup(before, dimension, renaming)
              if (after !== before) renamed.set(dimension, after)
            }
            if (renamed.size === 0) continue
            changed++
            setBucket(
              account,
              resolution,
              startedAt,
              new Map([...buckets.findAll(startedAt)!, ...renamed])
            )
            account.changed[resolution].add(startedAt)
          }
        }
        return changed
      })
    )

    const compactEnded = (account: AccountRollups, now: number): void => {
      for (const resolution of resolutions) {
        for (const startedAt of account.changed[resolution]) {
          if (startedAt + bucketMillis[resolution] > now) continue
          account.changed[resolution].delete(startedAt)
          const rollups = account.buckets[resolution].findAll(startedAt)
          if (rollups === undefined) continue
          setBucket(account, resolution, startedAt, pruneDimensions(rollups, settings, true), true)
        }
      }
    }

    const compact = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      moveSums()
      // Writing the buckets of a thousand accounts takes longer than other requests should wait.
      return Effect.forEach(
        accounts.values(),
        (account) =>
          Effect.andThen(
            Effect.sync(() => compactEnded(account, now)),
            Effect.yieldNow
          ),
        { discard: true }
      )
    })

    const purgeAt = (now: number): void => {
      const retention = getRollupRetention(settings)
      for (const [id, account] of accounts) {
        for (const resolution of resolutions) {
          for (const startedAt of account.buckets[resolution].listStarts()) {
            if (startedAt < now - retention[resolution]) {
              setBucket(account, resolution, startedAt, undefined)
            }
          }
        }
        if (account.size === 0) accounts.delete(id)
      }
    }
    const purgeExpired = Effect.map(Clock.currentTimeMillis, purgeAt)

    yield* hasSums.await.pipe(
      Effect.andThen(Effect.sync(() => hasSums.closeUnsafe())),
      Effect.andThen(Effect.sleep(bucketMillis.minute)),
      Effect.andThen(compact),
      Effect.andThen(purgeExpired),
      Effect.forever,
      Effect.forkScoped
    )

    return {
      add: (generations) => {
        if (sums.size === 0) hasSums.openUnsafe()
        for (const generation of generations) sums.add(generation)
        if (sums.size > maxSums) moveSums()
        return Effect.void
      },
      list: ({ account: id, dimension, from, resolution, to }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          moveSums()
          const account = accounts.get(id)
          if (account === undefined) return []
          compactEnded(account, now)
          const buckets = account.buckets[resolution]
          return buckets
            .listStarts()
            .filter((startedAt) => startedAt >= from && startedAt < to)
            .toSorted((one, that) => one - that)
            .flatMap((startedAt) => {
              const rollup = buckets.find(startedAt, dimension)
              return rollup === undefined ? [] : [{ startedAt, ...rollup }]
            })
        }),
      compact: () => compact,
      purgeExpired: () => purgeExpired
    }
  })
)

/** The rollups of one account, by the start of their buckets. */
interface AccountRollups {
  /** Values over all buckets. */
  size: number
  readonly buckets: Readonly<Record<Resolution, RollupBuckets>>
  /** Buckets to prune, and to keep as text, once they have ended. */
  readonly changed: Readonly<Record<Resolution, Set<number>>>
}

const makeAccountRollups = (): AccountRollups => ({
  size: 0,
  buckets: { minute: new RollupBuckets(), hour: new RollupBuckets(), day: new RollupBuckets() },
  changed: { minute: new Set(), hour: new Set(), day: new Set() }
})

/** Values with sums of their own that are not in a bucket yet. */
const maxSums = 10_000
