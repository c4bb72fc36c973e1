/** One row per endpoint: breaker, traffic, latency. */
import { Sparkline } from "../../charts/Sparkline.tsx"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import {
  formatDecimal,
  formatCount,
  formatMillis,
  formatShare,
  unknown
} from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { describeBreaker } from "./describeBreaker.ts"
import type { EndpointRow } from "./toEndpointRows.ts"
import type { LiveEndpoint } from "./useEndpoints.ts"

export const EndpointTable = ({
  now,
  rows
}: {
  readonly rows: ReadonlyArray<EndpointRow>
  /** Milliseconds since the epoch. */
  readonly now: number
}) => <Table caption="Endpoints" columns={makeColumns(now)} rows={rows} toKey={({ id }) => id} />

const makeColumns = (now: number): ReadonlyArray<Column<EndpointRow>> => [
  {
    title: "Endpoint",
    cell: ({ id, live }) => (
      <>
        <a href={toHash(["requests"], { endpoint: id, range: "1h" })}>{id}</a>
        {live !== undefined && (
          <>
            {" "}
            <a
              class="small"
              href={toHash(["providers", live.provider])}
              aria-label={`Provider of ${id}`}
            >
              provider
            </a>
          </>
        )}
      </>
    )
  },
  {
    title: "Breaker",
    cell: ({ id, live }) =>
      live === undefined ? (
        unknown
      ) : (
        <>
          <Breaker breaker={live.breaker} now={now} />
          {live.breaker.state === "open" && (
            <>
              {" "}
              <a class="small" href={toHash(["incidents"], { endpoint: id })}>
                incident
              </a>
            </>
          )}
        </>
      )
  },
  {
    title: "Attempts a minute",
    isNumber: true,
    cell: ({ attempts, attemptsPerMinute }) => (
      <span class="with-line">
        {formatRate(attemptsPerMinute)}
        <Sparkline label="Attempts in each of the last minutes" values={attempts} />
      </span>
    )
  },
  {
    title: "Errors",
    isNumber: true,
    cell: ({ errorShare, live }) => (
      <span
        class={errorShare !== null && errorShare > 0.05 ? "text-bad" : ""}
        title={listFailures(live)}
      >
        {formatShare(errorShare)}
      </span>
    )
  },
  {
    title: "Latency, p50 / p90 / p99",
    isNumber: true,
    cell: ({ figures }) => formatPercentiles(figures.latency)
  },
  {
    title: "First token, p50 / p90 / p99",
    isNumber: true,
    cell: ({ figures }) => formatPercentiles(figures.time_to_first_token)
  },
  {
    title: "Throughput",
    isNumber: true,
    cell: ({ live }) =>
      live?.throughput == null ? unknown : `${formatCount(live.throughput.p50)} tok/s`
  },
  {
    title: "Uptime",
    isNumber: true,
    cell: ({ live }) => {
      const uptime = live?.uptime.d1 ?? live?.uptime.m30 ?? live?.uptime.m5
      return formatShare(uptime == null ? null : uptime / 100)
    }
  }
]

const formatRate = (perMinute: number): string =>
  perMinute > 0 && perMinute < 10 ? formatDecimal(perMinute, 1) : formatCount(perMinute)

const formatPercentiles = (percentiles: EndpointRow["figures"]["latency"]): string =>
  percentiles === null
    ? unknown
    : [percentiles.p50, percentiles.p90, percentiles.p99].map(formatMillis).join(" / ")

const listFailures = (live: LiveEndpoint | undefined): string =>
  Object.entries(live?.failures ?? {})
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ")

const tones: Readonly<Record<LiveEndpoint["breaker"]["state"], Tone>> = {
  closed: "good",
  ramping: "warn",
  backing_off: "warn",
  open: "bad"
}

type BreakerReport = LiveEndpoint["breaker"]

const Breaker = ({ breaker, now }: { readonly breaker: BreakerReport; readonly now: number }) => (
  <>
    <Badge tone={tones[breaker.state]}>{breaker.state.replace("_", " ")}</Badge>{" "}
    <span class="muted small">{describeBreaker(breaker, now)}</span>
  </>
)
