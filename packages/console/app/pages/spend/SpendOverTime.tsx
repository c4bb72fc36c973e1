/** The cost over time by a dimension, with what was read from caches. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useMemo } from "preact/hooks"
import { useApi } from "../../api/useApi.ts"
import { toUrl } from "../../api/request.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import type { Series, SeriesData } from "../../charts/fillBuckets.ts"
import { StackedChart } from "../../charts/StackedChart.tsx"
import { Field } from "../../components/Field.tsx"
import { Loading } from "../../components/Loading.tsx"
import { MarkedCharts } from "../../components/MarkedCharts.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { toPresetSlug } from "../../format/formatId.ts"
import { formatMoney } from "../../format/format.ts"
import { setQuery } from "../../routing/location.ts"
import { type RangeName, type TimeRange, toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import { CachedShareChart } from "./CachedShareChart.tsx"
import {
  findSpendDimension,
  isPairedWithModel,
  type SpendDimension,
  spendDimensions
} from "./SpendDimension.ts"
import { SpendFigures } from "./SpendFigures.tsx"
import { SpendTable } from "./SpendTable.tsx"
import { useCacheSavings } from "./useCacheSavings.ts"

export const SpendOverTime = ({
  firstRange,
  query
}: {
  readonly query: Readonly<Record<string, string>>
  /** The range when the address names none. */
  readonly firstRange: RangeName
}) => {
  const names = useNames()
  const range = useRange(query, firstRange)
  const dimension = findSpendDimension(query["by"])
  const time = {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    interval: pickInterval(range)
  }
  const series = useApi<"series.get">("api/v1/signalbox/series", {
    ...time,
    group_by: dimension.name
  })
  const canSplit = isPairedWithModel(dimension.name)
  const isSplit = canSplit && query["split"] === "model"
  const length = range.to - range.from
  const former = useApi<"series.get">("api/v1/signalbox/series", {
    ...time,
    from: new Date(range.from - length).toISOString(),
    to: time.from,
    group_by: dimension.name,
    limit: 200
  })
  const byModel = useApi<"series.get">(isSplit ? "api/v1/signalbox/series" : undefined, {
    ...time,
    group_by: `${dimension.name},model`,
    limit: 200
  })
  const total = useApi<"series.get">("api/v1/signalbox/series", { ...time, group_by: "total" })
  const cacheSavings = useCacheSavings(time)
  // The API ranks them by requests, too; its series for the rest stays last.
  const ranked = useMemo(() => {
    const data = series.data?.data
    return data === undefined
      ? undefined
      : { ...data, series: data.series.toSorted((one, other) => toRank(other) - toRank(one)) }
  }, [series.data])
  const toLabel = makeToLabel(dimension, names)
  return (
    <Section
      title="Spend over time"
      aside={
        <div class="row-actions">
          <RangePicker range={range} />
          <a
            href={toUrl("api/v1/signalbox/spend.csv", { ...time, group_by: dimension.name })}
            download={`spend-by-${dimension.name.replace(":", "-")}.csv`}
          >
            Download CSV
          </a>
        </div>
      }
    >
      <div class="controls" role="group" aria-label="Broken down by">
        {spendDimensions.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === dimension.name}
            onClick={() => setQuery({ by: name })}
          >
            {title}
          </button>
        ))}
        {canSplit && (
          <button
            type="button"
            aria-pressed={isSplit}
            onClick={() => setQuery({ split: isSplit ? undefined : "model" })}
          >
            With models
          </button>
        )}
        <Field label="Tag">
          <input
            placeholder="customer"
            value={dimension.name.startsWith("tag:") ? dimension.name.slice("tag:".length) : ""}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ by: value.trim() === "" ? undefined : `tag:${value.trim()}` })
            }
          />
        </Field>
      </div>
      <Loading
        loaded={total}
        isEmpty={({ data }: OperationResponse<"series.get">) => data.series.length === 0}
        empty={
          <>
            Nothing was requested in this time. Choose a longer one, or send a request, such as{" "}
            <code>POST /api/v1/chat/completions</code>.
          </>
        }
      >
        {({ data: totals }) => (
          <>
            <SpendFigures cacheSavings={cacheSavings.data} data={totals} range={range} />
            <Loading loaded={{ ...series, data: ranked }}>
              {(data) => (
                <>
                  <MarkedCharts from={range.from} to={range.to}>
                    <StackedChart
                      title={
                        dimension.name === "total"
                          ? "Cost"
                          : `Cost by ${dimension.title.toLowerCase()}`
                      }
                      data={data}
                      pick={({ cost }) => cost}
                      format={formatMoney}
                      toLabel={toLabel}
                      onSelect={(from, to) => setQuery(toRangeQuery(from, to))}
                    />
                    <CachedShareChart data={totals} />
                  </MarkedCharts>
                  {data.interval === "day" && (
                    <p class="muted small">A bar is a day, which begins at midnight UTC.</p>
                  )}
                  {dimension.name !== "total" && (
                    <>
                      {byModel.error !== undefined && (
                        <p class="text-warn small">{byModel.error.message}</p>
                      )}
                      <SpendTable
                        data={data}
                        former={former.data?.data.series}
                        byModel={byModel.data?.data.series}
                        dimension={dimension}
                        range={range}
                        toLabel={toLabel}
                      />
                    </>
                  )}
                </>
              )}
            </Loading>
          </>
        )}
      </Loading>
    </Section>
  )
}

const toRank = ({ is_other: isOther, totals }: Series): number => (isOther ? -1 : totals.cost)

const hour = 3_600_000

/** Days, unless the time has few of them. */
const pickInterval = ({ from, to }: TimeRange): SeriesData["interval"] =>
  to - from <= 2 * hour ? "minute" : to - from <= 72 * hour ? "hour" : "day"

const makeToLabel =
  ({ name, title }: SpendDimension, { toKeyName, toWorkspaceName }: Names) =>
  ({ is_other: isOther, value }: Series): string => {
    if (isOther) return "all others"
    if (name === "total") return "all"
    if (value === null) return `no ${title.toLowerCase()}`
    if (name === "key") return toKeyName(value)
    if (name === "preset") return toPresetSlug(value)
    return name === "workspace" ? toWorkspaceName(value) : value
  }
