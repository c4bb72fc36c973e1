/** The attempts of a request and its waits in the request queue, as steps of a waterfall. */
import type { WaterfallStep } from "../../charts/Waterfall.tsx"
import { formatMillis } from "../../format/format.ts"
import { findAttemptStarts } from "./findAttemptStarts.ts"
import { Outcome } from "./Outcome.tsx"
import type { RequestRecord } from "./RequestRecord.ts"

type Attempt = RequestRecord["attempts"][number]

export const toWaterfallSteps = ({
  attempts,
  queue_wait: total
}: Pick<RequestRecord, "attempts" | "queue_wait">): ReadonlyArray<WaterfallStep> => {
  const starts = findAttemptStarts(attempts)
  const steps = attempts.flatMap((attempt, at) => {
    const { connection_wait: connection, queue_wait: queue } = attempt
    const start = starts[at]
    const wait = toWaitStep(start === undefined ? undefined : start - connection - queue, queue)
    return [...(queue > 0 ? [wait] : []), toAttemptStep(attempt, start)]
  })
  // It gave up, or its caller left: no attempt followed the last wait.
  const rest = total - attempts.reduce((sum, { queue_wait: queue }) => sum + queue, 0)
  return rest > 0 ? [...steps, toWaitStep(findEnd(steps), rest)] : steps
}

const findEnd = (steps: ReadonlyArray<WaterfallStep>): number =>
  Math.max(0, ...steps.map(({ duration, start = 0 }) => start + duration))

const toWaitStep = (start: number | undefined, duration: number): WaterfallStep => ({
  label: "Request queue",
  detail: <span class="muted">no endpoint had room</span>,
  start,
  duration,
  color: "rest"
})

const toAttemptStep = (attempt: Attempt, start: number | undefined): WaterfallStep => ({
  label: (
    <>
      {attempt.endpoint_id} <span class="muted">{attempt.provider_name}</span>
      {attempt.credential_id !== null && (
        <div class="muted small">credential {attempt.credential_id}</div>
      )}
    </>
  ),
  detail: (
    <>
      <Outcome outcome={attempt.outcome} /> {attempt.status !== null && attempt.status}
      {attempt.connection_wait > 0 && (
        <div class="muted small">
          waited {formatMillis(attempt.connection_wait)} for a connection
        </div>
      )}
      {attempt.hedge && <div class="muted small">beside another attempt that was late</div>}
      {attempt.dropped_parameters.length > 0 && (
        <div class="muted small">not sent: {attempt.dropped_parameters.join(", ")}</div>
      )}
    </>
  ),
  start,
  duration: attempt.latency,
  mark: attempt.time_to_first_token ?? undefined,
  color: attempt.outcome === "served" ? "good" : attempt.lost ? "rest" : "bad"
})
