import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import { GenerationStore } from "../../../../src/engine/observability/generations/GenerationStore.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { AccountId, defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { memoryGenerationStore } from "../../../../src/memory/memoryGenerationStore.ts"
import { memoryRollupStore } from "../../../../src/memory/memoryRollupStore.ts"

const generationStore = Layer.provide(memoryGenerationStore, memoryRollupStore)

const generation = (id: number, account = defaultAccountId): Generation => ({
  id: GenerationId.make(`gen-dec-${id}`),
  account,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  configuration: 1,
  startedAt: id,
  latencyMillis: 0,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
})

describe("GenerationStore in memory", () => {
  it.effect("truncates large records", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      const { id } = generation(1)
      yield* store.record([{ ...generation(1), trace: { note: ["x".repeat(1_000_000)] } }])
      assert.deepStrictEqual((yield* store.find(defaultAccountId, id))?.trace, {})
    }).pipe(Effect.provide(generationStore))
  )

  it.effect("keeps the configured number of records, the latest ones", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      for (let id = 1; id <= 100; id++) yield* store.record([generation(id)])
      const kept: Array<number> = []
      for (let id = 1; id <= 100; id++) {
        const found = yield* store.find(defaultAccountId, generation(id).id)
        if (found !== undefined) kept.push(found.startedAt)
      }
      assert.deepStrictEqual(kept, [98, 99, 100])
    }).pipe(
      Effect.provide(generationStore.pipe(Layer.provide(Settings.layer({ maxGenerations: 3 }))))
    )
  )

  it.effect("does not evict one account's records for those of another", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      const busy = AccountId.make("busy")
      for (let id = 1; id <= 100; id++) {
        if (id <= 5) yield* store.record([generation(id)])
        yield* store.record([generation(100 + id, busy)])
      }
      const keptOf = (account: AccountId, ids: ReadonlyArray<number>) =>
        Effect.filter(ids, (id) =>
          Effect.map(store.find(account, generation(id).id), (found) => found !== undefined)
        )
      const ids = Array.from({ length: 200 }, (_, i) => i + 1)
      assert.deepStrictEqual(yield* keptOf(defaultAccountId, ids), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(yield* keptOf(busy, ids), [196, 197, 198, 199, 200])
    }).pipe(
      Effect.provide(generationStore.pipe(Layer.provide(Settings.layer({ maxGenerations: 10 }))))
    )
  )
})
