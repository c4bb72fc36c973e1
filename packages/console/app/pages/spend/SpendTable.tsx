/** The spending of each value of a dimension, most important first. */
import type { Series, SeriesData } from "../../charts/fillBuckets.ts"
import { Money } from "../../components/Money.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatCount, formatShare } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { TimeRange } from "../../routing/timeRange.ts"
import { toCachedShare, toRangeLink } from "./SpendFigures.tsx"
import { type SpendDimension, spendDimensions } from "./SpendDimension.ts"

export const SpendTable = ({
  data,
  dimension,
  range,
  toLabel
}: {
  readonly data: SeriesData
  readonly dimension: Exclude<SpendDimension, "total">
  readonly range: TimeRange
  readonly toLabel: (series: Series) => string
}) => {
  const cost = data.series.reduce((sum, { totals }) => sum + totals.cost, 0)
  const columns: ReadonlyArray<Column<Series>> = [
    {
      title: spendDimensions[dimension].title,
      cell: (series) => {
        const label = toLabel(series)
        return series.value === null ? (
          <span class="muted">{label}</span>
        ) : (
          <a
            href={toHash(["requests"], {
              [spendDimensions[dimension].filter]: series.value,
              ...toRangeLink(range)
            })}
            title={`Requests: ${series.value}`}
          >
            {label}
          </a>
        )
      }
    },
    { title: "Cost", isNumber: true, cell: ({ totals }) => <Money usd={totals.cost} /> },
    {
      title: "Share",
      isNumber: true,
      cell: ({ totals }) => formatShare(cost === 0 ? null : totals.cost / cost)
    },
    {
      title: dimension === "provider" ? "Attempts" : "Requests",
      isNumber: true,
      cell: ({ totals }) => formatCount(totals.requests)
    },
    {
      title: "Failed",
      isNumber: true,
      cell: ({ totals }) => formatShare(totals.errors / totals.requests)
    },
    {
      title: "Prompt tokens",
      isNumber: true,
      cell: ({ totals }) => formatCount(totals.tokens_prompt)
    },
    {
      title: "From caches",
      isNumber: true,
      cell: ({ totals }) => formatShare(toCachedShare(totals))
    },
    {
      title: "Completion tokens",
      isNumber: true,
      cell: ({ totals }) => formatCount(totals.tokens_completion)
    },
    {
      title: "Own credentials",
      isNumber: true,
      cell: ({ totals }) => <Money usd={totals.upstream_inference_cost} />
    }
  ]
  return (
    <Table
      caption={`Spend by ${dimension}`}
      columns={columns}
      rows={data.series}
      toKey={({ is_other, value }) => JSON.stringify([is_other, value])}
    />
  )
}
