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
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"
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

    const setBucket = (
      account: AccountRollups,
      resolution: Resolution,
      startedAt: number,
      rollups: DimensionRollups | undefined
    ): void => {
      const buckets = account.buckets[resolution]
      const change = countValues(rollups) - countValues(buckets.get(startedAt))
      if (rollups === undefined) buckets.delete(startedAt)
      else buckets.set(startedAt, rollups)
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
        const starts = Array.from(largest.buckets[resolution].keys())
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
            const known = account.buckets[resolution].get(startedAt)
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
          changed += renameValues(account.buckets[resolution], (rollups) => {
            let renamed: Map<Dimension, Rollup> | undefined
            for (const [dimension, before] of rollups) {
              if (!mayNamePerson(dimension, renaming)) continue
              const after = renameRollup(before, dimension, renaming)
              if (after === before) continue
              renamed ??= new Map(rollups)
              renamed.set(dimension, after)
            }
            return renamed ?? rollups
          })
        }
        return changed
      })
    )

    const pruneEnded = (now: number): void => {
      for (const account of accounts.values()) {
        for (const resolution of resolutions) {
          for (const startedAt of account.changed[resolution]) {
            if (startedAt + bucketMillis[resolution] > now) continue
            account.changed[resolution].delete(startedAt)
            const rollups = account.buckets[resolution].get(startedAt)
            if (rollups === undefined) continue
            const pruned = pruneDimensions(rollups, settings, true)
            if (pruned !== rollups) setBucket(account, resolution, startedAt, pruned)
          }
        }
      }
    }

    const compactAt = (now: number): void => {
      moveSums()
      pruneEnded(now)
    }
    const compact = Effect.map(Clock.currentTimeMillis, compactAt)

    const purgeAt = (now: number): void => {
      const retention = getRollupRetention(settings)
      for (const [id, account] of accounts) {
        for (const resolution of resolutions) {
          for (const startedAt of account.buckets[resolution].keys()) {
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
      Effect.andThen(Clock.currentTimeMillis),
      Effect.tap((now) =>
        Effect.sync(() => {
          compactAt(now)
          purgeAt(now)
        })
      ),
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
      list: ({ account, dimension, from, resolution, to }) =>
        Effect.map(compact, () =>
          Array.from(accounts.get(account)?.buckets[resolution] ?? [])
            .filter(([startedAt]) => startedAt >= from && startedAt < to)
            .toSorted(([one], [that]) => one - that)
            .flatMap(([startedAt, rollups]) => {
              const rollup = rollups.get(dimension)
              return rollup === undefined ? [] : [{ startedAt, ...rollup }]
            })
        ),
      compact: () => compact,
      purgeExpired: () => purgeExpired
    }
  })
)

/** The rollups of one account, by the start of their buckets. */
interface AccountRollups {
  /** Values over all buckets. */
  size: number
  readonly buckets: Readonly<Record<Resolution, Map<number, DimensionRollups>>>
  /** Buckets to prune once they have ended. */
  readonly changed: Readonly<Record<Resolution, Set<number>>>
}

const makeAccountRollups = (): AccountRollups => ({
  size: 0,
  buckets: { minute: new Map(), hour: new Map(), day: new Map() },
  changed: { minute: new Set(), hour: new Set(), day: new Set() }
})

const countValues = (rollups: DimensionRollups | undefined): number => {
  let values = 0
  for (const rollup of rollups?.values() ?? []) values += rollup.values.size
  return values
}

/** Values with sums of their own that are not in a bucket yet. */
const maxSums = 10_000
