/**
 * Takes and renews the slots of parallel requests: a sorted set of their holders, by the time at which each lease ends, as in
 * https://app.unpkg.com/redis-semaphore@5.0.0/files/src/semaphore/refresh/lua.ts, but by the clock of Redis.
 */
import { type CommandParser, defineScript } from "@redis/client"

const readTime = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
`

/** Leases have one length, so the set lasts as long as the lease that was taken last. */
const writeLease = `
local endsAt = math.ceil(now + tonumber(ARGV[2]))
redis.call("ZADD", KEYS[1], endsAt, ARGV[1])
redis.call("PEXPIREAT", KEYS[1], endsAt)
return 1
`

/** Returns 1, or 0 when others hold all slots. */
export const takeSlotScript = defineScript({
  SCRIPT: `${readTime}
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
${writeLease}`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (
    parser: CommandParser,
    key: string,
    slot: string,
    slots: number,
    leaseMillis: number
  ) => {
    parser.pushKey(key)
    parser.push(slot, String(leaseMillis), String(slots))
  },
  transformReply: (reply: number) => reply
})

export const renewSlotScript = defineScript({
  SCRIPT: `${readTime}${writeLease}`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, key: string, slot: string, leaseMillis: number) => {
    parser.pushKey(key)
    parser.push(slot, String(leaseMillis))
  },
  transformReply: (reply: number) => reply
})
