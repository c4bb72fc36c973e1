/** How far the latest requests of a canary are from the lines at which it is rolled back. */
import { formatCount, formatMillis, formatShare } from "../../format/format.ts"
import type { Experiment } from "./Experiment.ts"
import { type Estimate, IntervalPlot } from "./IntervalPlot.tsx"

export const RollbackLines = ({ of: { match, rollback, to } }: { readonly of: Experiment }) => {
  if (rollback === null) return null
  const { control, trial } = rollback
  const sides = [
    { label: match.model, measures: control, color: "rest" as const },
    { label: to, measures: trial, color: 0 }
  ]
  const errors = sides.map(({ color, label, measures }): Estimate => ({
    label,
    color,
    value: measures.requests === 0 ? null : measures.errors / measures.requests,
    interval: measures.errors_interval
  }))
  const latencies = sides.map(({ color, label, measures }): Estimate => ({
    label,
    color,
    value: measures.latency_p95,
    interval: measures.latency_p95_interval
  }))
  return (
    <>
      <div class="charts">
        <IntervalPlot
          title="Failed requests"
          estimates={errors}
          format={formatShare}
          line={rollback.max_error_share ?? undefined}
        />
        <IntervalPlot
          title="p95 latency"
          estimates={latencies}
          format={formatMillis}
          line={rollback.max_latency_p95 ?? undefined}
        />
      </div>
      <p class="muted small">
        The latest {formatCount(control.requests)} and {formatCount(trial.requests)} requests of the
        two sides, with 95 % intervals; the canary is judged once each side has{" "}
        {formatCount(rollback.min_requests)}.
      </p>
    </>
  )
}
