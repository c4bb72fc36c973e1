/** An answer is not given from the cache when it has been there for longer than its time. */
import type { Exchange } from "../Client.ts"
import { cacheTtlSeconds } from "../features/distantClocks.ts"
import type { World } from "../World.ts"

export const cachedAnswerExpires = ({ client, hasClockJumped }: World): ReadonlyArray<string> => {
  // By a clock that was set back by some seconds, an answer is younger by as many.
  if (hasClockJumped) return []
  const firsts = new Map<string, Exchange>()
  const found: Array<string> = []
  for (const exchange of client.exchanges) {
    const { headers, id, startedAt, text } = exchange
    const answer = /\bacme-\d+\b/.exec(text)?.[0]
    if (answer === undefined || headers?.["x-openrouter-cache-ttl"] === undefined) continue
    const first = firsts.get(answer) ?? exchange
    firsts.set(answer, first)
    const age = startedAt - (first.endedAt ?? startedAt)
    if (age > maxAgeMillis) found.push(`${id} got ${answer}, which was ${age} ms old`)
  }
  return found
}

/** A process may stand still for some seconds before it stores an answer. */
const maxAgeMillis = cacheTtlSeconds * 1_000 + 2_000
