/** Counts the calls, tokens and parallel requests of this process alone. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCurrentRef } from "../../../values/Pending.ts"
import { readMonotonicMillis } from "../../../values/readMonotonicMillis.ts"
import type { RateLimitStore } from "./RateLimitStore.ts"
import { RateLimitWindows } from "./RateLimitWindows.ts"
import { RequestSlots } from "./RequestSlots.ts"
import { TokenBuckets } from "./TokenBuckets.ts"

/** A `RateLimitStore` that acts when it is called. `clock` is used where the caller has none of its own. */
export const makeLocalLimits = (clock: Clock.Clock): RateLimitStore["Service"] => {
  const windows = new RateLimitWindows()
  const buckets = new TokenBuckets()
  const slots = new RequestSlots()
  const now = (): number => readMonotonicMillis(getCurrentRef(Clock.Clock) ?? clock)
  return {
    take: (key, limit) => Effect.succeed(windows.take(key, limit, now())),
    takeTokens: (key, limit, tokens) => Effect.succeed(buckets.take(key, limit, tokens, now())),
    addTokens: (key, limit, tokens) => {
      buckets.add(key, limit, tokens, now())
      return Effect.void
    },
    takeSlot: (key, slot, count, leaseMillis) =>
      Effect.succeed(slots.take(key, slot, count, leaseMillis, now())),
    renewSlot: (key, slot, leaseMillis) => {
      slots.renew(key, slot, leaseMillis, now())
      return Effect.void
    },
    releaseSlot: (key, slot) => {
      slots.release(key, slot)
      return Effect.void
    }
  }
}
