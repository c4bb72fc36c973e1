/** Where generation records are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableList from "effect/MutableList"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import { clipGeneration } from "./clipGeneration.ts"
import { fairShares } from "./fairShares.ts"
import type { Generation } from "./Generation.ts"

/** Keeps generation records. */
export class GenerationStore extends Context.Service<
  GenerationStore,
  {
    readonly record: (generation: Generation) => Effect.Effect<void>
    /** The record of an account's own generation. */
    readonly find: (account: AccountId, id: GenerationId) => Effect.Effect<Generation | undefined>
  }
>()("@signalbox/core/observability/GenerationStore") {
  /**
   * Keeps `Settings.generationsKept`, clipped. Beyond that the account that has most of them loses its
   * oldest: nobody's records go because another account makes many.
   */
  static readonly layerMemory: Layer.Layer<GenerationStore> = Layer.effect(
    GenerationStore,
    Effect.map(Settings, ({ generationsKept }) => {
      const byId = new Map<GenerationId, Generation>()
      /** Oldest first. */
      const idsOf = new Map<AccountId, MutableList.MutableList<GenerationId>>()
      const shares = fairShares(generationsKept)

      const forgetOldest = (account: AccountId): void => {
        const ids = idsOf.get(account)
        if (ids === undefined) return
        const oldest = MutableList.take(ids)
        if (oldest !== MutableList.Empty) byId.delete(oldest)
        if (ids.length === 0) idsOf.delete(account)
      }

      return {
        record: (generation) =>
          Effect.sync(() => {
            const { account, id } = generation
            const isNew = !byId.has(id)
            byId.set(id, clipGeneration(generation))
            if (!isNew) return
            const ids = idsOf.get(account) ?? MutableList.make<GenerationId>()
            MutableList.append(ids, id)
            idsOf.set(account, ids)
            const giving = shares.take(account)
            if (giving !== undefined) forgetOldest(giving)
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
