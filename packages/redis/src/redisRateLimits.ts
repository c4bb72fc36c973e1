/** Rate limits that all processes on one Redis share. */
import { hash } from "node:crypto"
import { checkOptionTypes, RateLimitStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { connectRedis, isRedisUrl } from "./connectRedis.ts"

/** Which Redis, and where in it. */
export interface RedisRateLimitsOptions {
  /** `redis://` or, with TLS, `rediss://`; user and password may be in it: `rediss://user:password@host:6379`. */
  readonly url: string | Redacted.Redacted
  /** What the name of each key begins with; default: `signalbox:rate-limit:`. */
  readonly prefix?: string
}

/**
 * Counts in Redis how often each key calls, for all boxes that are given the same Redis and prefix. While
 * it is away or slow, each process counts by itself; it comes back by itself. Throws a `RangeError` when
 * `url` is none.
 *
 * ```ts
 * const box = await Signalbox.make({
 *   rateLimits: redisRateLimits({ url: "redis://localhost:6379" }),
 *   settings: { rateLimit: { requests: 600, windowMillis: 60_000 } }
 * })
 * ```
 */
export const redisRateLimits = (options: RedisRateLimitsOptions): Layer.Layer<RateLimitStore> => {
  checkOptionTypes("redisRateLimits", options, { url: ["string", "object"], prefix: ["string"] })
  const { prefix = "signalbox:rate-limit:", url } = options
  const address = Redacted.isRedacted(url) ? Redacted.value(url) : url
  if (typeof address !== "string" || !isRedisUrl(address)) {
    // It may hold a password, so it is not repeated.
    throw new RangeError(
      "redisRateLimits: url must be like redis://host:6379 or rediss://host:6379"
    )
  }
  return Layer.effect(
    RateLimitStore,
    Effect.map(connectRedis(address), (use) => ({
      take: (key, { requests, windowMillis }) => {
        // Names of accounts and users stay here; all keys are of one length.
        const name = prefix + hash("sha256", key, "base64url")
        return use((client) => client.take(name, requests, windowMillis))
      }
    }))
  )
}
