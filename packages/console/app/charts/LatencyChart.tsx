/** Latency over time, as bands between percentiles. */
import { useMemo } from "preact/hooks"
import { formatMillis } from "../format/format.ts"
import { fillBuckets, type Point, type SeriesData } from "./fillBuckets.ts"
import { TimeChart } from "./TimeChart.tsx"

type Percentiles = NonNullable<Point["latency"]>

const percentiles: ReadonlyArray<readonly [keyof Percentiles, number]> = [
  ["p50", 0],
  ["p90", 1],
  ["p99", 5]
]

export const LatencyChart = ({
  data,
  onSelect,
  pick = ({ latency }) => latency,
  title = "Latency"
}: {
  /** One series, or none. */
  readonly data: SeriesData
  readonly title?: string
  readonly pick?: (point: Point) => Percentiles | null
  readonly onSelect?: ((from: number, to: number) => void) | undefined
}) => {
  const { buckets, series } = useMemo(() => {
    const buckets = fillBuckets(data)
    const series = percentiles.map(([label, color]) => ({
      label,
      color,
      values: buckets.read(data.series[0], (point) => pick(point)?.[label], null)
    }))
    return { buckets, series }
  }, [data])
  return (
    <TimeChart
      title={title}
      kind="bands"
      times={buckets.times}
      from={buckets.from}
      to={buckets.to}
      unfinished={buckets.unfinished}
      series={series}
      format={formatMillis}
      onSelect={onSelect}
    />
  )
}
