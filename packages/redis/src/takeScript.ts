/**
 * Takes one request from a rate limit, or reads what is left of it, atomically (https://redis.io/topics/eval-intro) and by the clock of Redis, so that
 * clocks of processes may differ.
 */
import { type CommandParser, defineScript } from "@redis/client"

const readSource = `
local requests = tonumber(ARGV[1])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local stored = redis.call("HMGET", KEYS[1], "count", "endsAt")
local count, endsAt = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
if endsAt <= now then count, endsAt = 0, now end
`

/**
 * Does what the in-memory rate limits of the core do. Returns 0, or how many milliseconds to wait. Times have
 * fractions of a millisecond, except for `PEXPIREAT`, which takes integers.
 */
const takeSource = `${readSource}
local windowMillis = tonumber(ARGV[2])
if count >= requests then return math.ceil(endsAt - now) end
endsAt = endsAt + windowMillis / requests
redis.call("HSET", KEYS[1], "count", count + 1, "endsAt", string.format("%.17g", endsAt))
redis.call("PEXPIREAT", KEYS[1], math.ceil(endsAt))
return 0
`

export const takeScript = defineScript({
  SCRIPT: takeSource,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, key: string, requests: number, windowMillis: number) => {
    parser.pushKey(key)
    parser.push(String(requests), String(windowMillis))
  },
  transformReply: (reply: number) => reply
})

/** Returns how many requests are left, and how many milliseconds until all are. */
export const readWindowScript = defineScript({
  SCRIPT: `${readSource}
return { math.max(0, requests - count), math.ceil(endsAt - now) }`,
  NUMBER_OF_KEYS: 1,
  IS_READ_ONLY: true,
  parseCommand: (parser: CommandParser, key: string, requests: number) => {
    parser.pushKey(key)
    parser.push(String(requests))
  },
  transformReply: ([left, endsInMillis]: readonly [number, number]) => ({ left, endsInMillis })
})
