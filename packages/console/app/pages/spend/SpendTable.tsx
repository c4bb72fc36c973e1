/** The spending of each value of a dimension, most important first. */
import type { ComponentChildren } from "preact"
import type { Series, SeriesData } from "../../charts/fillBuckets.ts"
import { Money } from "../../components/Money.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatCount, formatShare, formatSignedShare, unknown } from "../../format/format.ts"
import { units } from "../../format/formatUsage.ts"
import { toHash } from "../../routing/location.ts"
import { type TimeRange, toRangeLink } from "../../routing/timeRange.ts"
import { toCachedShare, toHitShare } from "./SpendFigures.tsx"
import type { SpendDimension } from "./SpendDimension.ts"

export const SpendTable = ({
  byModel,
  data,
  dimension,
  former,
  range,
  toLabel
}: {
  readonly data: SeriesData
  /** Of a time of the same length before; undefined: not known. */
  readonly former: ReadonlyArray<Series> | undefined
  /** Each value with each model; undefined: not known, or no such dimension. */
  readonly byModel: ReadonlyArray<Series> | undefined
  readonly dimension: SpendDimension
  readonly range: TimeRange
  readonly toLabel: (series: Series) => string
}) => {
  const cost = data.series.reduce((sum, { totals }) => sum + totals.cost, 0)
  const link = (
    { value }: Series,
    figure: ComponentChildren,
    filter: Readonly<Record<string, string>> = {}
  ) =>
    value === null || dimension.toFilter === undefined ? (
      figure
    ) : (
      <a
        href={toHash(["requests"], {
          ...dimension.toFilter(value),
          ...filter,
          ...toRangeLink(range)
        })}
      >
        {figure}
      </a>
    )
  const columns: ReadonlyArray<Column<Series>> = [
    {
      title: dimension.title,
      cell: (series) => <span title={series.value ?? ""}>{link(series, toLabel(series))}</span>
    },
    {
      title: "Cost",
      isNumber: true,
      cell: (series) => link(series, <Money usd={series.totals.cost} />)
    },
    {
      title: "Share",
      isNumber: true,
      cell: ({ totals }) => formatShare(cost === 0 ? null : totals.cost / cost)
    },
    {
      title: "Before",
      isNumber: true,
      cell: (series) => <Former of={series} among={former} />
    },
    ...(byModel === undefined
      ? []
      : [
          {
            title: "Mostly on",
            cell: (series: Series) => <TopModel of={series} among={byModel} />
          }
        ]),
    {
      title: dimension.name === "provider" ? "Attempts" : "Requests",
      isNumber: true,
      cell: (series) => link(series, formatCount(series.totals.requests))
    },
    {
      title: "Failed",
      isNumber: true,
      cell: (series) =>
        // What failed at a provider is an attempt; the list has the requests that it answered.
        dimension.name === "provider"
          ? formatShare(toFailedShare(series))
          : link(series, formatShare(toFailedShare(series)), { outcome: "failed" })
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
    // Most instances sell tokens alone.
    ...units
      .filter(({ count }) => data.series.some(({ totals }) => count(totals) > 0))
      .map(({ count, format, title }) => ({
        title,
        isNumber: true,
        cell: ({ totals }: Series) => format(count(totals))
      })),
    {
      title: "Own credentials",
      isNumber: true,
      cell: ({ totals }) => <Money usd={totals.upstream_inference_cost} />
    },
    // A hit has no provider.
    ...(data.series.some(({ totals }) => toHitShare(totals) !== null) ? cacheColumns : [])
  ]
  return (
    <Table
      caption={`Spend by ${dimension.title.toLowerCase()}`}
      columns={columns}
      rows={data.series}
      toKey={({ is_other, value }) => JSON.stringify([is_other, value])}
    />
  )
}

/** What the same value cost in the time before. */
const Former = ({
  among,
  of: { is_other: isOther, totals, value }
}: {
  readonly of: Series
  readonly among: ReadonlyArray<Series> | undefined
}) => {
  // The rest has other values in each time.
  if (among === undefined || isOther) return <>{unknown}</>
  const cost = among.find((each) => !each.is_other && each.value === value)?.totals.cost ?? 0
  return (
    <>
      <Money usd={cost} />{" "}
      {cost > 0 && <span class="muted small">{formatSignedShare(totals.cost / cost - 1)}</span>}
    </>
  )
}

const TopModel = ({
  among,
  of: { totals, value }
}: {
  readonly of: Series
  readonly among: ReadonlyArray<Series>
}) => {
  const [top] = among
    .filter((each) => !each.is_other && each.value === value && each.model !== null)
    .toSorted((one, other) => other.totals.cost - one.totals.cost)
  return top === undefined || totals.cost === 0 ? (
    <>{unknown}</>
  ) : (
    <>
      {top.model} <span class="muted small">{formatShare(top.totals.cost / totals.cost)}</span>
    </>
  )
}

const cacheColumns: ReadonlyArray<Column<Series>> = [
  {
    title: "Cache hits",
    isNumber: true,
    cell: ({ totals }) => formatShare(toHitShare(totals))
  },
  {
    title: "Saved",
    isNumber: true,
    cell: ({ totals }) => <Money usd={totals.response_cache_saved} />
  }
]

const toFailedShare = ({ totals }: Series): number => totals.errors / totals.requests
