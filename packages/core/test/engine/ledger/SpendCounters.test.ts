import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { noSpend, SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import { MemoryJournal } from "../../../src/memory/MemoryJournal.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId, KeyHash, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

const spender = (
  account: string,
  key: number
): Subject.Spender & { readonly keyHash: KeyHash } => ({
  account: AccountId.make(account),
  workspace: defaultWorkspaceId,
  keyHash: KeyHash.make(key.toString(16).padStart(64, "0"))
})
const toKeySubjects = (spenders: ReadonlyArray<ReturnType<typeof spender>>) =>
  spenders.map(({ keyHash }) => Subject.fromKey(keyHash))
const readUsage = (spenders: ReadonlyArray<ReturnType<typeof spender>>) =>
  SpendCounters.use((counters) =>
    Effect.map(counters.findSpend(toKeySubjects(spenders), 0), (spends) =>
      toKeySubjects(spenders).map((subject) => (spends.get(subject) ?? noSpend).usage)
    )
  )
const layerWithLimit = (maxSpendCounters: number) =>
  Layer.provide(memorySpendCounters, MemoryJournal.layer).pipe(
    Layer.provide(Settings.layer({ maxSpendCounters }))
  )

describe("SpendCounters in memory", () => {
  it.effect("keeps the configured number of subjects, and evicts the least recently used", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      for (const key of [1, 2, 1, 3]) {
        yield* counters.record(spender("acme", key), nano(1n), false, 0)
      }
      const keys = [1, 2, 3].map((key) => spender("acme", key))
      assert.deepStrictEqual(yield* readUsage(keys), [nano(2n), nano(0n), nano(1n)])
      // Two keys, and the workspace of both.
    }).pipe(Effect.provide(layerWithLimit(3)))
  )

  it.effect("keeps the configured number out of 50,000 subjects", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      const spenders = Array.from({ length: 50_000 }, (_, i) => spender("acme", i))
      for (const each of spenders) yield* counters.record(each, nano(1n), false, 0)
      const kept = yield* counters.findSpend(toKeySubjects(spenders), 0)
      assert.deepStrictEqual(Array.from(kept.keys()), toKeySubjects(spenders.slice(-999)))
    }).pipe(Effect.provide(layerWithLimit(1000)))
  )

  it.effect("does not evict one account's spending for another's keys", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      const mine = spender("acme", 1)
      yield* counters.record(mine, nano(7n), false, 0)
      for (let key = 2; key < 100; key++) {
        yield* counters.record(spender("other", key), nano(1n), false, 0)
      }
      assert.deepStrictEqual(yield* readUsage([mine]), [nano(7n)])
    }).pipe(Effect.provide(layerWithLimit(10)))
  )
})
