/** Counts the calls, tokens and parallel requests of keys, in one process or shared by several. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RateLimitsUnavailable } from "../AuthErrors.ts"
import type { KeyRateLimit, TokenRateLimit } from "../keys/ApiKey.ts"

/** What is left of a limit. */
export interface RateLimitWindow {
  /** Further calls that are admitted now. */
  readonly left: number
  /** Milliseconds until the window ends, so that all calls are left again; 0: none is open. */
  readonly endsInMillis: number
}

/**
 * Counts the calls, tokens and parallel requests of keys; a key belongs to one of the three. A store that need not wait may
 * act when its method is called, so call a method when its result is due.
 */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /**
     * Counts a call in the window of `key` while it has fewer than `requests`. The first call opens the window, and
     * each call extends it by `windowMillis / requests`, so a caller at a steady rate is never rejected. Returns 0, or
     * the milliseconds until the full window ends. Race: of concurrent calls for the last place, in any process, one
     * gets it.
     */
    readonly take: (
      key: string,
      limit: KeyRateLimit
    ) => Effect.Effect<number, RateLimitsUnavailable>
    /** Says what is left of the window of `key`. Counts no call. */
    readonly readWindow: (
      key: string,
      limit: KeyRateLimit
    ) => Effect.Effect<RateLimitWindow, RateLimitsUnavailable>
    /**
     * Takes `tokens` of `key` and returns 0, or takes none and returns the milliseconds until there is room for them. What
     * was taken drains evenly, `limit.tokens` in `limit.windowMillis`, and there is room while no more than that is taken.
     * Where nothing is taken there is room for any number, so that a request above the limit waits for others and not for
     * ever. Race: concurrent calls, in any process, take no more than there is room for.
     */
    readonly takeTokens: (
      key: string,
      limit: TokenRateLimit,
      tokens: number
    ) => Effect.Effect<number, RateLimitsUnavailable>
    /** Adds `tokens` to what is taken, without asking for room; a negative number gives back. */
    readonly addTokens: (
      key: string,
      limit: TokenRateLimit,
      tokens: number
    ) => Effect.Effect<void, RateLimitsUnavailable>
    /**
     * Takes one of the `slots` of `key` for `leaseMillis`, under the unique name `slot`; false when others hold all of them.
     * Race: of concurrent calls for the last slot, in any process, one gets it.
     */
    readonly takeSlot: (
      key: string,
      slot: string,
      slots: number,
      leaseMillis: number
    ) => Effect.Effect<boolean, RateLimitsUnavailable>
    /** Extends the lease of a slot to `leaseMillis` from now, and takes it anew where it has ended. */
    readonly renewSlot: (
      key: string,
      slot: string,
      leaseMillis: number
    ) => Effect.Effect<void, RateLimitsUnavailable>
    /** Gives a slot back; does nothing when its lease has ended. */
    readonly releaseSlot: (key: string, slot: string) => Effect.Effect<void, RateLimitsUnavailable>
  }
>()("@signalbox/core/tenants/auth/rateLimits/RateLimitStore") {}
