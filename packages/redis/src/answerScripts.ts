/**
 * Stores and removes an answer with its place in the list of its workspace, atomically. The list is a sorted set by the time of
 * expiry, whose members begin with the bytes and the key of an answer; its sum of bytes is a counter beside it.
 */
import { type CommandParser, defineScript } from "@redis/client"

/** Forgets the answer of a member of the list. */
const dropMember = `
local function drop(list, member)
  local bytes, key = string.match(member, "^(%d+):([^:]*):")
  redis.call("ZREM", list, member)
  redis.call("DECRBY", list .. ":bytes", bytes)
  redis.call("DEL", ARGV[1] .. key)
end
local function forget(answer)
  local known = redis.call("HMGET", answer, "list", "member")
  if not known[1] then return 0 end
  drop(known[1], known[2])
  return 1
end
`

/** An answer to store. */
export interface AnswerRecord {
  readonly answer: string
  readonly list: string
  readonly lists: string
  /** The prefix of the Redis keys of answers. */
  readonly prefix: string
  readonly text: string
  readonly member: string
  readonly bytes: number
  readonly now: number
  readonly expiresAt: number
  readonly maxBytes: number
}

export const putAnswerScript = defineScript({
  SCRIPT: `${dropMember}
local text, member, bytes = ARGV[2], ARGV[3], tonumber(ARGV[4])
local now, expiresAt, maxBytes = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
forget(KEYS[1])
if bytes > maxBytes or expiresAt <= now then return 0 end
for _, expired in ipairs(redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", now, "LIMIT", 0, 1000)) do
  drop(KEYS[2], expired)
end
while tonumber(redis.call("GET", KEYS[2] .. ":bytes") or 0) + bytes > maxBytes do
  local first = redis.call("ZRANGE", KEYS[2], 0, 0)[1]
  if not first then break end
  drop(KEYS[2], first)
end
redis.call("HSET", KEYS[1], "text", text, "expiresAt", ARGV[6], "list", KEYS[2], "member", member)
redis.call("PEXPIRE", KEYS[1], expiresAt - now)
redis.call("ZADD", KEYS[2], expiresAt, member)
redis.call("INCRBY", KEYS[2] .. ":bytes", bytes)
redis.call("SADD", KEYS[3], KEYS[2])
for _, key in ipairs({ KEYS[2], KEYS[2] .. ":bytes", KEYS[3] }) do
  redis.call("PEXPIRE", key, 172800000)
end
return 1
`,
  NUMBER_OF_KEYS: 3,
  parseCommand: (parser: CommandParser, record: AnswerRecord) => {
    parser.pushKey(record.answer)
    parser.pushKey(record.list)
    parser.pushKey(record.lists)
    parser.push(record.prefix, record.text, record.member, String(record.bytes))
    parser.push(String(record.now), String(record.expiresAt), String(record.maxBytes))
  },
  transformReply: (reply: number) => reply
})

/** Returns how many it removed, 0 or 1. */
export const removeAnswerScript = defineScript({
  SCRIPT: `${dropMember} return forget(KEYS[1])`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, answer: string, prefix: string) => {
    parser.pushKey(answer)
    parser.push(prefix)
  },
  transformReply: (reply: number) => reply
})
