/** Charts of the requests that the list has, under all of its filters. */
import { useMemo } from "preact/hooks"
import { TimeChart } from "../../charts/TimeChart.tsx"
import { formatCount, formatMillis } from "../../format/format.ts"
import type { TimeRange } from "../../routing/timeRange.ts"
import type { RequestSummary } from "./RequestRecord.ts"
import { toMatchingBuckets } from "./toMatchingBuckets.ts"

export const MatchingCharts = ({
  isComplete,
  onSelect,
  range: { from, to },
  rows
}: {
  readonly rows: ReadonlyArray<RequestSummary>
  readonly range: TimeRange
  /** Whether the list has all that match. */
  readonly isComplete: boolean
  readonly onSelect: (from: number, to: number) => void
}) => {
  const { answered, failed, latency, ...buckets } = useMemo(
    () => toMatchingBuckets(rows, { from, to }, isComplete, Date.now()),
    [rows, from, to, isComplete]
  )
  return (
    <>
      <TimeChart
        {...buckets}
        title="Requests that match"
        kind="bars"
        series={[
          { label: "failed", color: "bad", values: failed },
          { label: "answered", color: 0, values: answered }
        ]}
        format={formatCount}
        onSelect={onSelect}
      />
      <TimeChart
        {...buckets}
        title="Their latency"
        kind="lines"
        series={[{ label: "median", color: 0, values: latency }]}
        format={formatMillis}
        onSelect={onSelect}
      />
    </>
  )
}
