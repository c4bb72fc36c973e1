/** The rate limits of the store, or what stands in for it while it is unavailable. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import { ThisProcess } from "../../../instance/ThisProcess.ts"
import { StoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"
import * as Step from "../../../values/Step.ts"
import type { RateLimitsUnavailable } from "../AuthErrors.ts"
import { makeLocalLimits } from "./makeLocalLimits.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

type Stored = RateLimitStore["Service"]

/** `RateLimitStore` without its failures: says once that the store is unavailable, and once that it is back. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    readonly [Name in keyof Stored]: (
      ...input: Parameters<Stored[Name]>
    ) => Effect.Effect<Effect.Success<ReturnType<Stored[Name]>>>
  } & {
    /** Whether any limit has been counted. */
    readonly isUsed: () => boolean
  }
>()("@signalbox/core/tenants/auth/rateLimits/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.suspend(() => makeRateLimits)
  )
}

const makeRateLimits = Effect.gen(function* () {
  const store = yield* RateLimitStore
  const { rateLimitFailureMode: mode } = yield* Settings
  const substitute = makeSubstitute(mode, makeLocalLimits(yield* Clock.Clock), yield* ThisProcess)
  let isDegraded = false
  let isUsed = false

  const orSubstitute = <A>(
    counting: Effect.Effect<A, RateLimitsUnavailable>,
    countOtherwise: () => Effect.Effect<A, RateLimitsUnavailable>
  ): Effect.Effect<A> => {
    isUsed = true
    return Step.catchError(
      Step.flatMap(counting, (result) => {
        if (!isDegraded) return Effect.succeed(result)
        isDegraded = false
        return Effect.as(Effect.logInfo("rate limits are counted by their store again"), result)
      }),
      ({ problem }) => {
        const counted = Effect.orDie(Effect.suspend(countOtherwise))
        if (isDegraded) return counted
        isDegraded = true
        return Effect.andThen(
          Effect.logWarning(`${consequences[mode]} until their store answers again`, problem),
          counted
        )
      }
    )
  }

  const limits: RateLimits["Service"] = {
    isUsed: () => isUsed,
    take: (...input) => orSubstitute(store.take(...input), () => substitute.take(...input)),
    readWindow: (...input) =>
      orSubstitute(store.readWindow(...input), () => substitute.readWindow(...input)),
    takeTokens: (...input) =>
      orSubstitute(store.takeTokens(...input), () => substitute.takeTokens(...input)),
    addTokens: (...input) =>
      orSubstitute(store.addTokens(...input), () => substitute.addTokens(...input)),
    takeSlot: (...input) =>
      orSubstitute(store.takeSlot(...input), () => substitute.takeSlot(...input)),
    renewSlot: (...input) =>
      orSubstitute(store.renewSlot(...input), () => substitute.renewSlot(...input)),
    releaseSlot: (...input) =>
      Step.flatMap(
        // It may have been taken here while the store was unavailable.
        Effect.orDie(substitute.releaseSlot(...input)),
        () => orSubstitute(store.releaseSlot(...input), () => Effect.void)
      )
  }
  return limits
})

const consequences: Readonly<Record<FailureMode, string>> = {
  local: "rate limits are counted in this process alone",
  divide: "this process counts its share of rate limits",
  open: "rate limits are not enforced",
  closed: "requests under rate limits are refused"
}

export type FailureMode = SettingsShape["rateLimitFailureMode"]

/** Stands in for the store of rate limits while that is unavailable. `local` counts for this process. */
const makeSubstitute = (
  mode: FailureMode,
  local: RateLimitStore["Service"],
  process: ThisProcess["Service"]
): RateLimitStore["Service"] => {
  switch (mode) {
    case "local":
      return local
    case "divide":
      return divide(local, process)
    case "open":
      return {
        ...uncounted,
        take: () => admitNow,
        readWindow: (_, { requests }) => Effect.succeed({ left: requests, endsInMillis: 0 }),
        takeTokens: () => admitNow,
        takeSlot: () => admit
      }
    case "closed":
      return {
        ...uncounted,
        take: () => refuse,
        // Dry runs tell that requests are refused, and are not refused themselves.
        readWindow: () => Effect.succeed({ left: 0, endsInMillis: 0 }),
        takeTokens: () => refuse,
        takeSlot: () => refuse
      }
  }
}

/** Each of the processes admits its part, so that all together admit no more than the limit. */
const divide = (
  local: RateLimitStore["Service"],
  process: ThisProcess["Service"]
): RateLimitStore["Service"] => {
  const share = (amount: number): number => Math.max(1, Math.floor(amount / process.fleetSize))
  return {
    ...local,
    take: (key, limit) => local.take(key, { ...limit, requests: share(limit.requests) }),
    readWindow: (key, limit) =>
      local.readWindow(key, { ...limit, requests: share(limit.requests) }),
    takeTokens: (key, limit, tokens) =>
      local.takeTokens(key, { ...limit, tokens: share(limit.tokens) }, tokens),
    addTokens: (key, limit, tokens) =>
      local.addTokens(key, { ...limit, tokens: share(limit.tokens) }, tokens),
    takeSlot: (key, slot, slots, leaseMillis) =>
      local.takeSlot(key, slot, share(slots), leaseMillis)
  }
}

/** A request that was admitted before ends as usual. */
const uncounted = {
  addTokens: () => Effect.void,
  renewSlot: () => Effect.void,
  releaseSlot: () => Effect.void
} satisfies Partial<RateLimitStore["Service"]>

const admitNow = Effect.succeed(0)
const admit = Effect.succeed(true)

/** The error is that of other storage, because a caller can do no more about it. */
const refuse = Effect.die(
  new StoreUnavailable({ cause: "the store of rate limits cannot be used", isLogged: true })
)
