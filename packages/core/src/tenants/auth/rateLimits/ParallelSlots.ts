/** The slots of parallel requests that this process holds, which it renews until they are given back. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Step from "../../../values/Step.ts"
import { RateLimits } from "./RateLimits.ts"

/** Gives a slot back. */
export type ReleaseSlot = () => Effect.Effect<void>

/** Takes slots of the store of rate limits. */
export class ParallelSlots extends Context.Service<
  ParallelSlots,
  {
    /**
     * Takes one of the `slots` of `key`; undefined when others hold all of them. Call it in an uninterruptible region, so
     * that no slot gets lost.
     */
    readonly take: (key: string, slots: number) => Effect.Effect<ReleaseSlot | undefined>
    /** How many slots of `key` this process holds. */
    readonly countHeld: (key: string) => number
  }
>()("@signalbox/core/tenants/auth/rateLimits/ParallelSlots") {
  static readonly layer = Layer.effect(
    ParallelSlots,
    Effect.gen(function* () {
      const store = yield* RateLimits
      /** The slots that running requests hold, with their keys. */
      const held = new Map<string, string>()
      const hasSlots = yield* Latch.make()
      let nextSlot = 0
      /** Unique over all processes. */
      const process = crypto.randomUUID()

      const renewSlots = Effect.gen(function* () {
        yield* Effect.sleep(renewMillis)
        for (const [slot, key] of held) {
          // One that was given back in the meantime would come back.
          if (held.has(slot)) yield* store.renewSlot(key, slot, leaseMillis)
        }
        if (held.size === 0) hasSlots.closeUnsafe()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(hasSlots.await, renewSlots)))

      return {
        countHeld: (key) => {
          let count = 0
          for (const each of held.values()) if (each === key) count += 1
          return count
        },
        take: (key, slots) => {
          const slot = `${process} ${(nextSlot += 1)}`
          return Step.map(store.takeSlot(key, slot, slots, leaseMillis), (isTaken) => {
            if (!isTaken) return undefined
            held.set(slot, key)
            hasSlots.openUnsafe()
            return () => {
              held.delete(slot)
              return store.releaseSlot(key, slot)
            }
          })
        }
      }
    })
  )
}

/** A process that dies holds its slots for this long at most. */
const leaseMillis = 30_000
const renewMillis = 10_000
