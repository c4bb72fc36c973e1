/**
 * Takes tokens from a limit and corrects them, atomically (https://redis.io/topics/eval-intro) and by the clock of Redis, so
 * that clocks of processes may differ.
 */
import { type CommandParser, defineScript } from "@redis/client"

/**
 * Reads when the taken tokens will have drained, as the in-memory limits of the core keep it: in milliseconds with
 * fractions, except for `PEXPIREAT`, which takes integers.
 */
const readBucket = `
local drainMillis = tonumber(ARGV[1])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local emptyAt = math.max(tonumber(redis.call("GET", KEYS[1]) or 0), now)
`

const writeBucket = `
emptyAt = emptyAt + drainMillis
if emptyAt <= now then
  redis.call("DEL", KEYS[1])
else
  redis.call("SET", KEYS[1], string.format("%.17g", emptyAt))
  redis.call("PEXPIREAT", KEYS[1], math.ceil(emptyAt))
end
return 0
`

/** Returns 0, or how many milliseconds to wait. */
export const takeTokensScript = defineScript({
  SCRIPT: `${readBucket}
local excess = emptyAt + drainMillis - now - tonumber(ARGV[2])
if emptyAt > now and excess > 0 then return math.ceil(math.min(emptyAt - now, excess)) end
${writeBucket}`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, key: string, drainMillis: number, windowMillis: number) => {
    parser.pushKey(key)
    parser.push(String(drainMillis), String(windowMillis))
  },
  transformReply: (reply: number) => reply
})

export const addTokensScript = defineScript({
  SCRIPT: `${readBucket}${writeBucket}`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, key: string, drainMillis: number) => {
    parser.pushKey(key)
    parser.push(String(drainMillis))
  },
  transformReply: (reply: number) => reply
})
