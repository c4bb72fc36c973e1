/** The figures of a time, each with its change from the time before and a line. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { ComponentChildren } from "preact"
import { useApi } from "../../api/useApi.ts"
import { fillBuckets, type SeriesData } from "../../charts/fillBuckets.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { formatCount, formatMillis } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { type TimeRange, toRangeLink } from "../../routing/timeRange.ts"
import type { Incident } from "../incidents/describeIncident.ts"
import {
  describeChange,
  describePoints,
  formatSuccess,
  sumBetween,
  toSuccessShare
} from "./compareFigures.ts"
import { Figure } from "./Figure.tsx"
import { IncidentFigure } from "./IncidentFigure.tsx"
import { SpendToday } from "./SpendToday.tsx"
import type { Periods } from "./toPeriods.ts"

type SeriesResponse = OperationResponse<"series.get">

const weekMillis = 604_800_000
const path = "api/v1/signalbox/series"
const toIso = (at: number): string => new Date(at).toISOString()

export const Figures = ({
  aside,
  incidents,
  now,
  periods,
  range
}: {
  readonly aside: ComponentChildren
  /** Undefined where they are not known, or not shown to this account. */
  readonly incidents: ReadonlyArray<Incident> | undefined
  readonly now: number
  readonly periods: Periods
  readonly range: TimeRange
}) => {
  const { beforeFrom, from, interval, to } = periods
  const current = useApi<"series.get">(
    path,
    { from: toIso(from), to: toIso(to), interval },
    { every: 15_000, slides: range.name }
  )
  const before = useApi<"series.get">(
    path,
    { from: toIso(beforeFrom), to: toIso(from), interval },
    { slides: range.name }
  )
  return (
    <Section title="What happened" aside={aside}>
      <Loading loaded={current}>
        {({ data }: SeriesResponse) => (
          <dl class="figures overview-figures">
            <RequestFigures
              before={before.data?.data}
              data={data}
              periods={periods}
              range={range}
            />
            <SpendToday now={now} />
            {incidents !== undefined && <IncidentFigure incidents={incidents} periods={periods} />}
          </dl>
        )}
      </Loading>
    </Section>
  )
}

const count = ({ requests }: { readonly requests: number }): number => requests

const RequestFigures = ({
  before,
  data,
  periods: { beforeFrom, from, wholeUntil },
  range
}: {
  readonly before: SeriesData | undefined
  readonly data: SeriesData
  readonly periods: Periods
  readonly range: TimeRange
}) => {
  const [series] = data.series
  const totals = series?.totals
  const former = before?.series[0]?.totals
  const buckets = fillBuckets(data)
  const link = toRangeLink(range)
  const [share, formerShare] = [toSuccessShare(totals), toSuccessShare(former)]
  return (
    <>
      <Figure
        title="Success rate"
        change={describePoints(share, formerShare)}
        isBad={share !== null && formerShare !== null && share < formerShare - 0.01}
        values={buckets.read(series, toSuccessShare, null)}
      >
        <a href={toHash(["requests"], { ...link, outcome: "failed" })}>{formatSuccess(share)}</a>
      </Figure>
      <Figure
        title="Requests"
        change={describeChange(
          sumBetween(data, count, from, wholeUntil),
          sumBetween(before, count, beforeFrom, from)
        )}
        values={buckets.read(series, count, 0)}
      >
        <a href={toHash(["requests"], link)}>{formatCount(totals?.requests ?? 0)}</a>
      </Figure>
      <Figure
        title="p95 latency"
        change={describeChange(totals?.latency?.p95, former?.latency?.p95)}
        values={buckets.read(series, ({ latency }) => latency?.p95, null)}
      >
        <a
          href={toHash(["requests"], {
            ...link,
            // The server sorts at most seven days.
            sort: range.to - range.from > weekMillis ? undefined : "latency"
          })}
        >
          {formatMillis(totals?.latency?.p95)}
        </a>
      </Figure>
    </>
  )
}
