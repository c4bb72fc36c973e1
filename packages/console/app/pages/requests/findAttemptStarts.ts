/** When each attempt of a request began, which records do not tell but imply. */
import type { RequestRecord } from "./RequestRecord.ts"

type Attempt = Pick<
  RequestRecord["attempts"][number],
  "connection_wait" | "hedge" | "latency" | "lost" | "queue_wait" | "time_to_first_token"
>

/**
 * Milliseconds since the first attempt began to wait, or to run, one for each attempt. They follow each other, except that a second attempt may start
 * beside a late one. Undefined when both failed in their own time: nothing says when the second began.
 */
export const findAttemptStarts = (
  attempts: ReadonlyArray<Attempt>
): ReadonlyArray<number | undefined> => {
  const starts: Array<number | undefined> = []
  let end = 0
  for (let at = 0; at < attempts.length; at = starts.length) {
    const [one, other] = [attempts[at]!, attempts[at + 1]]
    const begin = end
    // A second attempt that lost is recorded before the first one, because the one that answers comes last.
    const isPair = one.hedge || (other?.hedge === true && !other.lost)
    if (other === undefined || !isPair) {
      starts.push(begin + toWait(one))
      end += toEnd(one)
      continue
    }
    const [first, second] = one.hedge ? [other, one] : [one, other]
    const delay = findHedgeDelay(first, second)
    const later = delay === undefined ? undefined : begin + delay
    const firstStart = begin + toWait(first)
    const secondStart = later === undefined ? undefined : later + toWait(second)
    starts.push(...(one.hedge ? [secondStart, firstStart] : [firstStart, secondStart]))
    end = Math.max(begin + toEnd(first), (later ?? begin) + toEnd(second))
  }
  return starts
}

/** The attempt that loses ends when the other one answers: with its first event, or with the whole answer. */
const findHedgeDelay = (first: Attempt, second: Attempt): number | undefined => {
  if (first.lost) return Math.max(0, toEnd(first) - toAnswered(second))
  return second.lost ? Math.max(0, toAnswered(first) - toEnd(second)) : undefined
}

const toWait = ({ connection_wait: connection, queue_wait: queue }: Attempt): number =>
  queue + connection

const toEnd = (attempt: Attempt): number => toWait(attempt) + attempt.latency

const toAnswered = (attempt: Attempt): number =>
  toWait(attempt) + (attempt.time_to_first_token ?? attempt.latency)
