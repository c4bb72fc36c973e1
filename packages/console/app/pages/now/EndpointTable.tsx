/** One row per endpoint: breaker, traffic, latency. */
import { Sparkline } from "../../charts/Sparkline.tsx"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import {
  formatCount,
  formatMillis,
  formatRelative,
  formatShare,
  unknown
} from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { type EndpointRow, getErrorShare } from "./toEndpointRows.ts"
import type { EndpointReport } from "./useHealth.ts"

export const EndpointTable = ({
  now,
  rows
}: {
  readonly rows: ReadonlyArray<EndpointRow>
  readonly now: number
}) => <Table caption="Endpoints" columns={makeColumns(now)} rows={rows} toKey={({ id }) => id} />

const makeColumns = (now: number): ReadonlyArray<Column<EndpointRow>> => [
  {
    title: "Endpoint",
    cell: ({ id }) => <a href={toHash(["requests"], { endpoint: id, range: "1h" })}>{id}</a>
  },
  {
    title: "Breaker",
    cell: ({ report }) => (report === undefined ? unknown : <Breaker report={report} now={now} />)
  },
  {
    title: "Attempts a minute",
    isNumber: true,
    cell: ({ attempts, figures }) => (
      <span class="with-line">
        {figures === undefined ? "0" : formatRate(figures.requests / Math.max(1, attempts.length))}
        <Sparkline label="Attempts in each minute of the last hour" values={attempts} />
      </span>
    )
  },
  {
    title: "Errors",
    isNumber: true,
    cell: (row) => {
      const share = getErrorShare(row)
      return (
        <span class={share !== undefined && share > 0.05 ? "text-bad" : ""} title={listErrors(row)}>
          {formatShare(share)}
        </span>
      )
    }
  },
  {
    title: "p50 / p90 / p99",
    isNumber: true,
    cell: ({ figures, report }) => formatPercentiles(report?.latency ?? figures?.latency)
  },
  {
    title: "First token",
    isNumber: true,
    cell: ({ figures }) => formatMillis(figures?.time_to_first_token?.p50)
  },
  {
    title: "Throughput",
    isNumber: true,
    cell: ({ report }) =>
      report?.throughput === undefined ? unknown : `${formatCount(report.throughput.p50)} tok/s`
  },
  {
    title: "Uptime",
    isNumber: true,
    cell: ({ report }) => {
      const uptime = report?.uptime.d1 ?? report?.uptime.m30 ?? report?.uptime.m5
      return formatShare(uptime === undefined ? undefined : uptime / 100)
    }
  }
]

const formatRate = (perMinute: number): string =>
  perMinute > 0 && perMinute < 10 ? perMinute.toFixed(1) : formatCount(perMinute)

const formatPercentiles = (
  latency: { readonly p50: number; readonly p90: number; readonly p99: number } | null | undefined
): string =>
  latency === null || latency === undefined
    ? unknown
    : [latency.p50, latency.p90, latency.p99].map(formatMillis).join(" / ")

const listErrors = ({ report }: EndpointRow): string =>
  Object.entries(report?.errors ?? {})
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ")

const tones: Readonly<Record<EndpointReport["breaker"]["state"], Tone>> = {
  closed: "good",
  ramping: "warn",
  backing_off: "warn",
  open: "bad"
}

const Breaker = ({ now, report }: { readonly report: EndpointReport; readonly now: number }) => {
  const { breaker } = report
  return (
    <>
      <Badge tone={tones[breaker.state]}>{breaker.state.replace("_", " ")}</Badge>{" "}
      <span class="muted small">{describeBreaker(breaker, now)}</span>
    </>
  )
}

const describeBreaker = (breaker: EndpointReport["breaker"], now: number): string => {
  switch (breaker.state) {
    case "closed":
      return ""
    case "open":
      return `${breaker.cause}; next probe ${breaker.nextProbeAt <= now ? "now" : formatRelative(breaker.nextProbeAt, now)}`
    case "backing_off":
      return `${breaker.cause}; for another ${formatMillis(Math.max(0, breaker.until - now))}`
    case "ramping":
      return `${formatShare(breaker.share)} of its traffic`
  }
}
