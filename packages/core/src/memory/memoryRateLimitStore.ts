/** RateLimitStore in the memory of this process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeLocalLimits } from "../tenants/auth/rateLimits/makeLocalLimits.ts"
import { RateLimitStore } from "../tenants/auth/rateLimits/RateLimitStore.ts"

export const memoryRateLimitStore: Layer.Layer<RateLimitStore> = Layer.effect(
  RateLimitStore,
  Effect.map(Clock.Clock, makeLocalLimits)
)
