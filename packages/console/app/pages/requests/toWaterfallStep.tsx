/** How the waterfall of a request shows one of its steps. */
import type { WaterfallStep } from "../../charts/Waterfall.tsx"
import { formatMillis } from "../../format/format.ts"
import type { Attempt, RequestStep } from "./listRequestSteps.ts"
import { Outcome } from "./Outcome.tsx"

export const toWaterfallStep = ({ attempt, duration, start }: RequestStep): WaterfallStep =>
  attempt === undefined
    ? {
        label: "Request queue",
        detail: <span class="muted">no endpoint had room</span>,
        start,
        duration,
        color: "rest"
      }
    : toAttemptStep(attempt, start)

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
