import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { noSpend, SpendCounters } from "../../src/ledger/SpendCounters.ts"
import * as Subject from "../../src/ledger/Subject.ts"
import * as Settings from "../../src/Settings.ts"
import { AccountId } from "../../src/values/AccountId.ts"
import { make as nano } from "../../src/values/NanoUsd.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"

const spender = (account: string): Subject.Spender => ({
  account: AccountId.make(account),
  workspace: defaultWorkspaceId
})

describe("SpendCounters in memory", () => {
  it.effect("keep so many subjects, and forget those that spent least recently", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      for (const account of ["a", "b", "a", "c"]) {
        yield* counters.record(spender(account), nano(1n), false, 0)
      }
      const subjects = ["a", "b", "c"].map((account) => Subject.ofWorkspace(spender(account)))
      const spends = yield* counters.of(subjects, 0)
      assert.deepStrictEqual(
        subjects.map((subject) => (spends.get(subject) ?? noSpend).usage),
        [nano(2n), nano(0n), nano(1n)]
      )
    }).pipe(
      // Each counts for its workspace and for the application in it.
      Effect.provide(
        SpendCounters.layerMemory.pipe(Layer.provide(Settings.layer({ spendCountersKept: 4 })))
      )
    )
  )

  it.effect("keep as many of 100,000 subjects as they may", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      const spenders = Array.from({ length: 50_000 }, (_, i) => spender(`account ${i}`))
      for (const each of spenders) yield* counters.record(each, nano(1n), false, 0)
      const kept = yield* counters.of(spenders.flatMap(Subject.allOf), 0)
      assert.strictEqual(kept.size, 1000)
      assert.isTrue(kept.has(Subject.ofWorkspace(spender("account 49500"))))
      assert.isFalse(kept.has(Subject.ofWorkspace(spender("account 49499"))))
    }).pipe(
      Effect.provide(
        SpendCounters.layerMemory.pipe(Layer.provide(Settings.layer({ spendCountersKept: 1000 })))
      )
    )
  )
})
