/** Requests over time, and the table of those that the filters match. */
import { useState } from "preact/hooks"
import type { Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { usePages } from "../../api/usePages.ts"
import { LatencyChart } from "../../charts/LatencyChart.tsx"
import { OutcomeChart } from "../../charts/OutcomeChart.tsx"
import { StackedChart } from "../../charts/StackedChart.tsx"
import { Loading } from "../../components/Loading.tsx"
import { MarkedCharts } from "../../components/MarkedCharts.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { formatCount, formatMoney } from "../../format/format.ts"
import { setQuery, toHash } from "../../routing/location.ts"
import { parseTimeRange, type TimeRange, toRangeQuery } from "../../routing/timeRange.ts"
import { useNow } from "../../routing/useNow.ts"
import { SessionSentence } from "../sessions/SessionSentence.tsx"
import { CsvButton } from "./CsvButton.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { pickFilters, toChartScope } from "./filters.ts"
import { MatchingCharts } from "./MatchingCharts.tsx"
import type { RequestSummary } from "./RequestRecord.ts"
import { RequestTable } from "./RequestTable.tsx"
import { SavedViews } from "./SavedViews.tsx"

const sorts = ["latency", "cost", "tokens"] as const
const sortLabels = { latency: "slowest", cost: "most expensive", tokens: "most tokens" }

const failures = ["bad", "warn", 5] as const

const seriesPath = "api/v1/signalbox/series"

/** Shows the time that the viewer has selected in a chart. */
const select = (from: number, to: number): void => setQuery(toRangeQuery(from, to))

export const RequestList = ({
  opened,
  query,
  session
}: {
  readonly session: Session
  readonly query: Readonly<Record<string, string>>
  /** The request that was shown before the list. */
  readonly opened: string | undefined
}) => {
  const range = parseTimeRange(query, useNow(60_000), "1h")
  const { from, to } = toRangeQuery(range.from, range.to)
  const values = pickFilters(query)
  const scope = toChartScope(values)
  const countsAttempts = scope.dimension === "provider" || scope.dimension === "endpoint"
  // Series know one filter at a time.
  const isCharted = scope.ignored.length === 0
  const charted = useApi<"series.get">(isCharted ? seriesPath : undefined, {
    from,
    to,
    group_by: scope.dimension,
    value: scope.value
  })
  const isUnfiltered = Object.keys(values).length === 0
  const byOutcome = useApi<"series.get">(isUnfiltered ? seriesPath : undefined, {
    from,
    to,
    group_by: "outcome",
    limit: 7
  })
  const byModel = useApi<"series.get">(isUnfiltered ? seriesPath : undefined, {
    from,
    to,
    group_by: "model",
    limit: 7
  })
  const [selected, setSelected] = useState<ReadonlyArray<string>>([])
  const sort = findState(sorts, query["sort"])
  const listed = { ...values, from, to, sort }
  const pages = usePages<RequestSummary>("api/v1/signalbox/generations", {
    ...listed,
    limit: isCharted ? 50 : 100
  })
  const { session_id: sessionId } = values
  // What a session did is read from its beginning, once that is here.
  const isInOrder =
    sessionId !== undefined &&
    sort === undefined &&
    pages.loadMore === undefined &&
    !pages.isLoadingMore
  return (
    <>
      <FilterBar values={values} />
      {sessionId !== undefined && (
        <SessionSentence id={sessionId} from={from} to={to} query={values} />
      )}
      <SavedViews session={session} values={values} sort={sort} />
      <Section title="Over time" aside={<RangePicker range={range} />}>
        {!isCharted && pages.loadMore !== undefined && (
          <p class="muted small">
            {sort === undefined
              ? "The charts begin at the oldest request that the table below has. Load more of them to see earlier ones."
              : "There are more requests than the table below has. To see them over time, show the latest first."}
          </p>
        )}
        {countsAttempts && isCharted && (
          <p class="muted small">
            The charts count every attempt at this {scope.dimension}; the table below has each
            request once.
          </p>
        )}
        <MarkedCharts from={range.from} to={range.to}>
          {!isCharted && (sort === undefined || pages.loadMore === undefined) && (
            <Loading loaded={pages}>
              {(rows) => (
                <MatchingCharts
                  rows={rows}
                  range={range}
                  isComplete={pages.loadMore === undefined && !pages.isLoadingMore}
                  onSelect={select}
                />
              )}
            </Loading>
          )}
          {isUnfiltered && (
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
          )}
          {isCharted && !isUnfiltered && (
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
          {isCharted && (
            <Loading loaded={charted}>
              {({ data }) => <LatencyChart data={data} onSelect={select} />}
            </Loading>
          )}
          {isUnfiltered && (
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
        </MarkedCharts>
      </Section>
      <Section
        title="Requests"
        aside={
          <div class="row-actions">
            <a href={toHash(["requests"], { list: "refused" })}>Refused before routing</a>
            <CsvButton query={listed} />
            <button type="button" onClick={pages.reload}>
              Refresh
            </button>
          </div>
        }
      >
        <StateFilter
          label="Order"
          name="sort"
          states={sorts}
          value={sort}
          all={isInOrder ? "in order" : "latest first"}
          toLabel={(figure) => sortLabels[figure]}
        />
        <Loading
          loaded={pages}
          isEmpty={(rows) => rows.length === 0}
          empty={<NoRequests hasFilters={Object.keys(values).length > 0} range={range} />}
        >
          {(rows) => (
            <RequestTable
              opened={opened}
              rows={isInOrder ? rows.toReversed() : rows}
              selection={{ ids: selected, onChange: setSelected }}
            />
          )}
        </Loading>
        {selected.length > 0 && (
          <p class="compare" role="status">
            {selected.length === 1 ? (
              "Select another request to compare both."
            ) : (
              <a href={toHash(["requests", ...selected])}>Compare the two selected requests</a>
            )}
          </p>
        )}
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
