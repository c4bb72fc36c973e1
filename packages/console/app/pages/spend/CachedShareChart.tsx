/** The share of prompt tokens that were read from prompt caches, over time. */
import { useMemo } from "preact/hooks"
import { fillBuckets, type SeriesData } from "../../charts/fillBuckets.ts"
import { TimeChart } from "../../charts/TimeChart.tsx"
import { formatShare } from "../../format/format.ts"
import { toCachedShare } from "./SpendFigures.tsx"

export const CachedShareChart = ({ data }: { readonly data: SeriesData }) => {
  const { buckets, series } = useMemo(() => {
    const buckets = fillBuckets(data)
    const values = buckets.read(data.series[0], toCachedShare, null)
    return { buckets, series: [{ label: "from caches", color: 4, values }] }
  }, [data])
  return (
    <TimeChart
      title="Prompt tokens read from caches"
      kind="lines"
      times={buckets.times}
      from={buckets.from}
      to={buckets.to}
      unfinished={buckets.unfinished}
      series={series}
      format={formatShare}
    />
  )
}
