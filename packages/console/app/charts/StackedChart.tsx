/** A figure over time, stacked by the values of a dimension. */
import { useMemo } from "preact/hooks"
import { fillBuckets, type Point, type Series, type SeriesData } from "./fillBuckets.ts"
import type { SeriesColor } from "./palette.ts"
import { TimeChart } from "./TimeChart.tsx"

export const StackedChart = ({
  data,
  format,
  onSelect,
  pick,
  title,
  toColor = (series, at) => (series.is_other ? "rest" : at),
  toLabel = ({ is_other, value }) => (is_other ? "others" : (value ?? "none"))
}: {
  readonly title: string
  readonly data: SeriesData
  readonly pick: (point: Point) => number
  readonly format: (value: number | null | undefined) => string
  readonly toLabel?: (series: Series) => string
  readonly toColor?: (series: Series, at: number) => SeriesColor
  readonly onSelect?: ((from: number, to: number) => void) | undefined
}) => {
  // Names may arrive after the figures.
  const labels = data.series.map(toLabel)
  const { buckets, series } = useMemo(() => {
    const buckets = fillBuckets(data)
    const series = data.series.map((each, at) => ({
      label: labels[at] ?? "",
      color: toColor(each, at),
      values: buckets.read(each, pick, 0)
    }))
    return { buckets, series }
  }, [data, JSON.stringify(labels)])
  return (
    <TimeChart
      title={title}
      kind="bars"
      times={buckets.times}
      from={buckets.from}
      to={buckets.to}
      unfinished={buckets.unfinished}
      series={series}
      format={format}
      onSelect={onSelect}
    />
  )
}
