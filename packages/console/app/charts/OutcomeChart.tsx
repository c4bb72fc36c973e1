/** Requests over time, answered and failed. */
import { useMemo } from "preact/hooks"
import { formatCount } from "../format/format.ts"
import { fillBuckets, type SeriesData } from "./fillBuckets.ts"
import { TimeChart } from "./TimeChart.tsx"

export const OutcomeChart = ({
  data,
  onSelect,
  title = "Requests"
}: {
  /** One series, or none. */
  readonly data: SeriesData
  readonly title?: string
  readonly onSelect?: ((from: number, to: number) => void) | undefined
}) => {
  const { buckets, series } = useMemo(() => {
    const buckets = fillBuckets(data)
    const [total] = data.series
    const series = [
      {
        label: "failed",
        color: "bad" as const,
        values: buckets.read(total, ({ errors }) => errors, 0)
      },
      {
        label: "answered",
        color: 0,
        values: buckets.read(total, ({ errors, requests }) => requests - errors, 0)
      }
    ]
    return { buckets, series }
  }, [data])
  return (
    <TimeChart
      title={title}
      kind="bars"
      times={buckets.times}
      from={buckets.from}
      to={buckets.to}
      unfinished={buckets.unfinished}
      series={series}
      format={formatCount}
      onSelect={onSelect}
    />
  )
}
