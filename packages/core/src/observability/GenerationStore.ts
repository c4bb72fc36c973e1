/** Where generation records are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import { clipGeneration } from "./clipGeneration.ts"
import type { Generation } from "./Generation.ts"

export class GenerationStore extends Context.Service<
  GenerationStore,
  {
    readonly record: (generation: Generation) => Effect.Effect<void>
    /** The record of an account's own generation. */
    readonly find: (account: AccountId, id: GenerationId) => Effect.Effect<Generation | undefined>
  }
>()("@signalbox/core/observability/GenerationStore") {
  /** Keeps the latest `Settings.generationsKept`, clipped; older ones are forgotten. */
  static readonly layerMemory: Layer.Layer<GenerationStore> = Layer.effect(
    GenerationStore,
    Effect.map(Settings, ({ generationsKept }) => {
      const byId = new Map<GenerationId, Generation>()
      // The ids in the order they came, so that the oldest is found without a search.
      const order: Array<GenerationId> = []
      let oldest = 0
      return {
        record: (generation) =>
          Effect.sync(() => {
            const forgotten = order[oldest]
            if (order.length < generationsKept) order.push(generation.id)
            else {
              order[oldest] = generation.id
              oldest = (oldest + 1) % generationsKept
              if (forgotten !== undefined) byId.delete(forgotten)
            }
            byId.set(generation.id, clipGeneration(generation))
          }),
        find: (account, id) =>
          Effect.sync(() => {
            const found = byId.get(id)
            return found?.account === account ? found : undefined
          })
      }
    })
  )
}
