/** Rate limits, and a cache of responses, that several processes share through Redis. */
export { redisRateLimits, type RedisRateLimitsOptions } from "./redisRateLimits.ts"
export { redisResponseCache, type RedisResponseCacheOptions } from "./redisResponseCache.ts"
