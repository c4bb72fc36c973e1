/** Takes a place in a window, in one step of Redis and by its clock, so that processes need not agree on the time. */
import { type CommandParser, defineScript } from "@redis/client"

/** What `RateLimitWindows` of the core does in memory. Milliseconds have fractions here; an expiry has none. */
const luaSource = `
local requests, windowMillis = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call("HMGET", KEYS[1], "count", "endsAt")
local count, endsAt = tonumber(kept[1] or 0), tonumber(kept[2] or 0)
if endsAt <= now then count, endsAt = 0, now end
if count >= requests then return math.ceil(endsAt - now) end
endsAt = endsAt + windowMillis / requests
redis.call("HSET", KEYS[1], "count", count + 1, "endsAt", string.format("%.17g", endsAt))
redis.call("PEXPIREAT", KEYS[1], math.ceil(endsAt))
return 0
`

export const takeScript = defineScript({
  SCRIPT: luaSource,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, key: string, requests: number, windowMillis: number) => {
    parser.pushKey(key)
    parser.push(String(requests), String(windowMillis))
  },
  transformReply: (reply: number) => reply
})
