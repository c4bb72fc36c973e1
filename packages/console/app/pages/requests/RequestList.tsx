/** Requests over time, and the table of those that the filters match. */
import { useApi } from "../../api/useApi.ts"
import { usePages } from "../../api/usePages.ts"
import { LatencyChart } from "../../charts/LatencyChart.tsx"
import { OutcomeChart } from "../../charts/OutcomeChart.tsx"
import { StackedChart } from "../../charts/StackedChart.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { formatCount, formatMoney } from "../../format/format.ts"
import { setQuery } from "../../routing/location.ts"
import { parseTimeRange, type TimeRange, toRangeQuery } from "../../routing/timeRange.ts"
import { useNow } from "../../routing/useNow.ts"
import { FilterForm } from "./FilterForm.tsx"
import { pickFilters, toChartScope } from "./filters.ts"
import type { RequestSummary } from "./RequestRecord.ts"
import { RequestTable } from "./RequestTable.tsx"

const failures = ["bad", "warn", 5] as const

const seriesPath = "api/v1/signalbox/series"

/** Shows the time that the viewer has selected in a chart. */
const select = (from: number, to: number): void => setQuery(toRangeQuery(from, to))

export const RequestList = ({
  opened,
  query
}: {
  readonly query: Readonly<Record<string, string>>
  /** The request that was shown before the list. */
  readonly opened: string | undefined
}) => {
  const range = parseTimeRange(query, useNow(60_000), "1h")
  const { from, to } = toRangeQuery(range.from, range.to)
  const values = pickFilters(query)
  const scope = toChartScope(values)
  const countsAttempts = scope.dimension === "provider" || scope.dimension === "endpoint"
  const charted = useApi<"series.get">(seriesPath, {
    from,
    to,
    group_by: scope.dimension,
    value: scope.value
  })
  const byOutcome = useApi<"series.get">(scope.dimension === "total" ? seriesPath : undefined, {
    from,
    to,
    group_by: "outcome",
    limit: 7
  })
  const byModel = useApi<"series.get">(seriesPath, { from, to, group_by: "model", limit: 7 })
  const pages = usePages<RequestSummary>("api/v1/signalbox/generations", {
    ...values,
    from,
    to,
    limit: 50
  })
  return (
    <>
      <FilterForm values={values} />
      <Section title="Over time" aside={<RangePicker range={range} />}>
        {scope.ignored.length > 0 && (
          <p class="muted small">
            The charts show requests of every {scope.ignored.join(" and ")}; the table below shows
            those that all filters match.
          </p>
        )}
        {scope.dimension === "provider" && (
          <p class="muted small">
            The charts count every attempt at this provider; the table below shows the requests that
            it answered. The filter Endpoint finds failed attempts, too.
          </p>
        )}
        <div class="charts">
          {scope.dimension === "total" ? (
            <Loading loaded={byOutcome}>
              {({ data }) => (
                <StackedChart
                  title="Requests by outcome"
                  data={data}
                  pick={({ requests }) => requests}
                  format={formatCount}
                  toColor={({ value }, at) => (value === "answered" ? 0 : (failures[at % 3] ?? 0))}
                  onSelect={select}
                />
              )}
            </Loading>
          ) : (
            <Loading loaded={charted}>
              {({ data }) => (
                <OutcomeChart
                  title={countsAttempts ? `Attempts at this ${scope.dimension}` : "Requests"}
                  data={data}
                  onSelect={select}
                />
              )}
            </Loading>
          )}
          <Loading loaded={charted}>
            {({ data }) => <LatencyChart data={data} onSelect={select} />}
          </Loading>
          {Object.keys(values).length === 0 && (
            <Loading loaded={byModel}>
              {({ data }) => (
                <StackedChart
                  title="Cost by model"
                  data={data}
                  pick={({ cost }) => cost}
                  format={formatMoney}
                  onSelect={select}
                />
              )}
            </Loading>
          )}
        </div>
      </Section>
      <Section
        title="Requests"
        aside={
          <button type="button" onClick={pages.reload}>
            Refresh
          </button>
        }
      >
        <Loading
          loaded={pages}
          isEmpty={(rows) => rows.length === 0}
          empty={<NoRequests hasFilters={Object.keys(values).length > 0} range={range} />}
        >
          {(rows) => <RequestTable opened={opened} rows={rows} />}
        </Loading>
        <LoadMore pages={pages} />
      </Section>
    </>
  )
}

const NoRequests = ({
  hasFilters,
  range
}: {
  readonly hasFilters: boolean
  readonly range: TimeRange
}) => (
  <>
    {hasFilters
      ? "No request of this time matches the filters."
      : "No request in this time. Send one with one of your keys, or choose a longer time."}{" "}
    {range.name !== "30d" && (
      <button
        type="button"
        onClick={() => setQuery({ range: "30d", from: undefined, to: undefined })}
      >
        Show 30 days
      </button>
    )}
  </>
)
