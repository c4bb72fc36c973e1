/** Every request ends in time, and a stream says how it ended: with an error, or with `[DONE]`. */
import { maxRequestMillis } from "../commonOptions.ts"
import type { World } from "../World.ts"

export const everyRequestEnds = ({ client, timeline }: World): ReadonlyArray<string> =>
  client.exchanges.flatMap(({ endedAt, id, kind, outcome, startedAt, status, text }) => {
    const took = (endedAt ?? timeline.now) - startedAt
    if (outcome === "open") return [`${id} has not ended after ${took} ms`]
    if (took > maxRequestMillis) return [`${id} took ${took} ms`]
    if (outcome === "broken") return [`the response of ${id} broke off without an end`]
    const isEnded =
      (kind !== "stream" && kind !== "turn") || status !== 200 || endOfStream.test(text)
    return outcome === "complete" && !isEnded ? [`the stream of ${id} has no end: ${text}`] : []
  })

const endOfStream = /data: (?:\[DONE\]|\{.*"finish_reason":"error".*\})\n\n$/
