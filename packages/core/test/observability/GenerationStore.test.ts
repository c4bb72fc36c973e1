import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Generation } from "../../src/observability/Generation.ts"
import { GenerationStore } from "../../src/observability/GenerationStore.ts"
import * as Settings from "../../src/Settings.ts"
import { defaultAccountId } from "../../src/values/AccountId.ts"
import { GenerationId } from "../../src/values/GenerationId.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"

const generation = (id: number): Generation => ({
  id: GenerationId.make(`gen-dec-${id}`),
  account: defaultAccountId,
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
  it.effect("kept records as large as their callers made them", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      const { id } = generation(1)
      yield* store.record({ ...generation(1), trace: { note: ["x".repeat(1_000_000)] } })
      assert.deepStrictEqual((yield* store.find(defaultAccountId, id))?.trace, {})
    }).pipe(Effect.provide(GenerationStore.layerMemory))
  )

  it.effect("keeps the latest records, as many as the settings say", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      for (let id = 1; id <= 100; id++) yield* store.record(generation(id))
      const kept: Array<number> = []
      for (let id = 1; id <= 100; id++) {
        const found = yield* store.find(defaultAccountId, generation(id).id)
        if (found !== undefined) kept.push(found.startedAt)
      }
      assert.deepStrictEqual(kept, [98, 99, 100])
    }).pipe(
      Effect.provide(
        GenerationStore.layerMemory.pipe(Layer.provide(Settings.layer({ generationsKept: 3 })))
      )
    )
  )
})
