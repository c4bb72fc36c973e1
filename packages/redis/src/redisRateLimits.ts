/** Rate limits that all processes on one Redis share. */
import { hash } from "node:crypto"
import { checkOptionTypes, RateLimitStore, type TokenRateLimit } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { connectRedis, isRedisUrl } from "./connectRedis.ts"

/** Options of `redisRateLimits`. Only `url` is required. */
export interface RedisRateLimitsOptions {
  /** `redis://host:6379`, or with TLS and credentials `rediss://user:password@host:6379`. */
  readonly url: string | Redacted.Redacted
  /** The prefix of every Redis key. Instances with one prefix share their limits. Default: `signalbox:rate-limit:`. */
  readonly prefix?: string
}

/**
 * Counts requests, tokens and parallel requests in Redis, so that all instances with the same Redis and prefix share their rate limits. A
 * Redis key is a hash, so Redis learns nothing about callers. While Redis is down or slow, each process counts
 * for itself, and it reconnects by itself.
 *
 * Throws a `RangeError` for an invalid `url`, an unknown option or one of the wrong type.
 *
 * ```ts
 * const signalbox = await Signalbox.make({
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
    // The url is not repeated, since it may hold a password.
    throw new RangeError(
      "redisRateLimits: url must be like redis://host:6379 or rediss://host:6379"
    )
  }
  // Hashed, so that accounts and users stay private and every key has the same length.
  const toRedisKey = (key: string): string => prefix + hash("sha256", key, "base64url")
  return Layer.effect(
    RateLimitStore,
    Effect.map(connectRedis(address), (runCommand) => ({
      take: (key, { requests, windowMillis }) =>
        runCommand((client) => client.take(toRedisKey(key), requests, windowMillis)),
      readWindow: (key, { requests }) =>
        runCommand((client) => client.readWindow(toRedisKey(key), requests)),
      takeTokens: (key, limit, tokens) =>
        runCommand((client) =>
          client.takeTokens(toRedisKey(key), toDrainMillis(limit, tokens), limit.windowMillis)
        ),
      addTokens: (key, limit, tokens) =>
        Effect.asVoid(
          runCommand((client) => client.addTokens(toRedisKey(key), toDrainMillis(limit, tokens)))
        ),
      takeSlot: (key, slot, slots, leaseMillis) =>
        Effect.map(
          runCommand((client) => client.takeSlot(toRedisKey(key), slot, slots, leaseMillis)),
          (taken) => taken === 1
        ),
      renewSlot: (key, slot, leaseMillis) =>
        Effect.asVoid(runCommand((client) => client.renewSlot(toRedisKey(key), slot, leaseMillis))),
      releaseSlot: (key, slot) =>
        Effect.asVoid(runCommand((client) => client.zRem(toRedisKey(key), slot)))
    }))
  )
}

/** How long the tokens take to drain from a limit that they are taken from. */
const toDrainMillis = ({ tokens: limit, windowMillis }: TokenRateLimit, tokens: number): number =>
  (tokens * windowMillis) / limit
