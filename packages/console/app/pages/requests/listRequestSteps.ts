/** The attempts of a request and its waits in the request queue, in order. */
import { findAttemptStarts } from "./findAttemptStarts.ts"
import type { RequestRecord } from "./RequestRecord.ts"

export type Attempt = RequestRecord["attempts"][number]

/** An attempt, or without one a wait in the request queue. */
export interface RequestStep {
  readonly attempt?: Attempt
  /** Milliseconds since the beginning of the request; undefined when unknown. */
  readonly start: number | undefined
  /** Milliseconds. */
  readonly duration: number
}

export const listRequestSteps = ({
  attempts,
  queue_wait: total
}: Pick<RequestRecord, "attempts" | "queue_wait">): ReadonlyArray<RequestStep> => {
  const starts = findAttemptStarts(attempts)
  const steps = attempts.flatMap((attempt, at): ReadonlyArray<RequestStep> => {
    const { connection_wait: connection, latency, queue_wait: queue } = attempt
    const start = starts[at]
    const waitStart = start === undefined ? undefined : start - connection - queue
    const wait = queue > 0 ? [{ start: waitStart, duration: queue }] : []
    return [...wait, { attempt, start, duration: latency }]
  })
  // It gave up, or its caller left: no attempt followed the last wait.
  const rest = total - attempts.reduce((sum, { queue_wait: queue }) => sum + queue, 0)
  return rest > 0 ? [...steps, { start: findEnd(steps), duration: rest }] : steps
}

const findEnd = (steps: ReadonlyArray<RequestStep>): number =>
  Math.max(0, ...steps.map(({ duration, start = 0 }) => start + duration))
