/** Remembers where conversations are, in the memory of the process. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../instance/Settings.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"

/**
 * Only conversations that are not where their key leads take up space: usually those that moved because an endpoint failed.
 * Where a strategy draws, that is all of them.
 */
export class AffinityPins extends Context.Service<
  AffinityPins,
  {
    /**
     * The id of the candidate of its last success; undefined: the conversation is where its key leads, or has no
     * success yet.
     */
    readonly find: (key: number) => string | undefined
    /** Its requests that have begun and not ended. */
    readonly countUnderWay: (key: number) => number
    /** A request of the conversation begins; `end` follows. */
    readonly begin: (key: number) => void
    readonly end: (key: number) => void
    /** Remembers the candidate of a success for `affinityMillis`; undefined: the one to which the key leads. */
    readonly pin: (key: number, candidate: string | undefined) => void
    /** How many conversations are remembered. */
    readonly size: () => number
  }
>()("@signalbox/core/routing/affinity/AffinityPins") {
  static readonly layer = Layer.effect(
    AffinityPins,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { affinityKept, affinityMillis } = yield* Settings
      /** Least recently renewed first. */
      const pins = new Map<number, Pin>()
      const underWay = new Map<number, number>()

      const isExpired = ({ expiresAt }: Pin, now: number): boolean => expiresAt <= now

      const forgetExpired = (now: number): void => {
        for (const [key, pin] of pins) {
          if (!isExpired(pin, now)) return
          pins.delete(key)
        }
      }

      return {
        find: (key) => {
          const pin = pins.get(key)
          return pin === undefined || isExpired(pin, readMonotonicMillis(clock))
            ? undefined
            : pin.candidate
        },
        countUnderWay: (key) => underWay.get(key) ?? 0,
        begin: (key) => {
          underWay.set(key, (underWay.get(key) ?? 0) + 1)
        },
        end: (key) => {
          const count = (underWay.get(key) ?? 0) - 1
          if (count > 0) underWay.set(key, count)
          else underWay.delete(key)
        },
        pin: (key, candidate) => {
          if (candidate === undefined) {
            pins.delete(key)
            return
          }
          const now = readMonotonicMillis(clock)
          forgetExpired(now)
          setMostRecent(pins, key, { candidate, expiresAt: now + affinityMillis }, affinityKept)
        },
        size: () => pins.size
      }
    })
  )
}

interface Pin {
  readonly candidate: string
  /** In monotonic milliseconds. */
  readonly expiresAt: number
}
