/** Rate limits that several processes share through Redis. */
export { redisRateLimits, type RedisRateLimitsOptions } from "./redisRateLimits.ts"
