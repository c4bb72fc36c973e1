/** Rate limits on Redis. Exports are listed one by one. */
export { redisRateLimits, type RedisRateLimitsOptions } from "./redisRateLimits.ts"
