/** Requests over time, and the table of those that the filters match. */
import { useEffect, useState } from "preact/hooks"
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
import { type TimeRange, toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import { SessionSentence } from "../sessions/SessionSentence.tsx"
import { ColumnChooser } from "./ColumnChooser.tsx"
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

/** How often a live list is read, and the charts above it, in milliseconds. */
const listEvery = 2_000
const chartsEvery = 10_000

export const RequestList = ({
  onOpen,
  onRows,
  opened,
  query,
  session,
  shown
}: {
  readonly session: Session
  readonly query: Readonly<Record<string, string>>
  /** The request that was shown last. */
  readonly opened: string | undefined
  /** The request that is shown beside the list. */
  readonly shown: string | undefined
  readonly onOpen: (id: string) => void
  /** Called with the ids of the rows, in their order. */
  readonly onRows: (ids: ReadonlyArray<string>) => void
}) => {
  const range = useRange(query, "1h")
  const { from, to } = toRangeQuery(range.from, range.to)
  const values = pickFilters(query)
  const scope = toChartScope(values)
  const sort = findState(sorts, query["sort"])
  // The latest come first, and there is no end.
  const canFollow = sort === undefined && range.name !== undefined
  const isLive = canFollow && query["live"] === "on"
  const slides = range.name
  const charts = { slides, every: isLive ? chartsEvery : undefined }
  const countsAttempts = scope.dimension === "provider" || scope.dimension === "endpoint"
  // Series know one filter at a time.
  const isCharted = scope.ignored.length === 0
  const charted = useApi<"series.get">(
    isCharted ? seriesPath : undefined,
    { from, to, group_by: scope.dimension, value: scope.value },
    charts
  )
  const isUnfiltered = Object.keys(values).length === 0
  const byOutcome = useApi<"series.get">(
    isUnfiltered ? seriesPath : undefined,
    { from, to, group_by: "outcome", limit: 7 },
    charts
  )
  const byModel = useApi<"series.get">(
    isUnfiltered ? seriesPath : undefined,
    { from, to, group_by: "model", limit: 7 },
    charts
  )
  const [selected, setSelected] = useState<ReadonlyArray<string>>([])
  // The end of a time that goes on would leave out those of its last seconds.
  const listed = { ...values, from, to: range.name === undefined ? to : undefined, sort }
  const pages = usePages<RequestSummary>(
    "api/v1/signalbox/generations",
    { ...listed, limit: isCharted ? 50 : 100 },
    { slides, every: isLive ? listEvery : undefined }
  )
  const { session_id: sessionId } = values
  // What a session did is read from its beginning, once that is here.
  const isInOrder =
    sessionId !== undefined &&
    sort === undefined &&
    pages.loadMore === undefined &&
    !pages.isLoadingMore
  const rows = isInOrder ? pages.data?.toReversed() : pages.data
  const ids = rows?.map(({ id }) => id).join(" ") ?? ""
  useEffect(() => onRows(ids === "" ? [] : ids.split(" ")), [ids])
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
            <button
              type="button"
              aria-pressed={isLive}
              disabled={!canFollow}
              title={
                canFollow
                  ? "Show requests as they come"
                  : "Only a time that ends now, with the latest first, goes on"
              }
              onClick={() => setQuery({ live: isLive ? undefined : "on" })}
            >
              Live
            </button>
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
        <ColumnChooser />
        <Loading
          loaded={pages}
          isEmpty={(rows) => rows.length === 0}
          empty={<NoRequests hasFilters={Object.keys(values).length > 0} range={range} />}
        >
          {() => (
            <RequestTable
              opened={opened}
              shown={shown}
              rows={rows ?? []}
              onOpen={onOpen}
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
