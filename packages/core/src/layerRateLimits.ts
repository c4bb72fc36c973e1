/** The rate limits of an instance: in the store of the options, or in this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { memoryRateLimitStore } from "./memory/memoryRateLimitStore.ts"
import type { Options } from "./Options.ts"
import { buildPluggable } from "./Pluggable.ts"
import { ParallelSlots } from "./tenants/auth/rateLimits/ParallelSlots.ts"
import { RateLimits } from "./tenants/auth/rateLimits/RateLimits.ts"
import { RateLimitStore } from "./tenants/auth/rateLimits/RateLimitStore.ts"

export const layerRateLimits = ({ rateLimits }: Options) =>
  ParallelSlots.layer.pipe(
    Layer.provideMerge(RateLimits.layer),
    Layer.provide(
      rateLimits === undefined
        ? memoryRateLimitStore
        : Layer.provide(
            layerBoundedRateLimits,
            Layer.effect(RateLimitStore, buildPluggable("rateLimits", RateLimitStore, rateLimits))
          )
    )
  )

const layerBoundedRateLimits = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./tenants/auth/rateLimits/boundedRateLimitStore.ts")),
    (module) => module.layerBoundedRateLimitStore
  )
)
