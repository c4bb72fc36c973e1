/** What is happening now: one row per endpoint. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { Badge, type Tone } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import {
  formatCount,
  formatMillis,
  formatRelative,
  formatShare,
  unknown
} from "../../format/format.ts"

type Report = OperationResponse<"reports.health">["data"]
type EndpointReport = Report["endpoints"][string]

interface Row extends EndpointReport {
  readonly id: string
}

export const NowPage = () => {
  const health = useApi<"reports.health">("api/v1/signalbox/health", {}, { every: 5_000 })
  return (
    <Loading
      loaded={health}
      isEmpty={({ data }) => Object.keys(data.endpoints).length === 0}
      empty="No endpoint has been tried yet. Send a request, and its endpoints appear here."
    >
      {({ data }) => (
        <>
          <Instance report={data} />
          <Table
            caption="Endpoints"
            columns={makeColumns(data.at)}
            rows={Object.entries(data.endpoints)
              .map(([id, report]) => ({ ...report, id }))
              .toSorted((a, b) => severity(b) - severity(a) || a.id.localeCompare(b.id))}
            toKey={({ id }) => id}
          />
        </>
      )}
    </Loading>
  )
}

const Instance = ({ report }: { readonly report: Report }) => (
  <dl class="figures">
    <div>
      <dt>Instance</dt>
      <dd>{report.status}</dd>
    </div>
    <div>
      <dt>Requests in progress</dt>
      <dd>{formatCount(report.running)}</dd>
    </div>
    <div>
      <dt>Models</dt>
      <dd>{formatCount(report.models)}</dd>
    </div>
    <div>
      <dt>Catalog version</dt>
      <dd>{formatCount(report.catalog.version)}</dd>
    </div>
  </dl>
)

const makeColumns = (now: number): ReadonlyArray<Column<Row>> => [
  { title: "Endpoint", cell: ({ id }) => id },
  { title: "Breaker", cell: (row) => <Breaker report={row} now={now} /> },
  { title: "Attempts", isNumber: true, cell: (row) => formatCount(countAttempts(row)) },
  {
    title: "Errors",
    isNumber: true,
    cell: (row) => formatShare(countErrors(row) / countAttempts(row))
  },
  { title: "p50", isNumber: true, cell: ({ latency }) => formatMillis(latency?.p50) },
  { title: "p90", isNumber: true, cell: ({ latency }) => formatMillis(latency?.p90) },
  { title: "p99", isNumber: true, cell: ({ latency }) => formatMillis(latency?.p99) },
  {
    title: "Throughput",
    isNumber: true,
    cell: ({ throughput }) =>
      throughput === undefined ? unknown : `${formatCount(throughput.p50)} tok/s`
  },
  {
    title: "Uptime",
    isNumber: true,
    cell: ({ uptime }) => formatShare(uptime.m30 === undefined ? undefined : uptime.m30 / 100)
  }
]

const countErrors = ({ errors }: EndpointReport): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0)

const countAttempts = (report: EndpointReport): number => report.samples + countErrors(report)

const tones: Readonly<Record<EndpointReport["breaker"]["state"], Tone>> = {
  closed: "good",
  ramping: "warn",
  backing_off: "warn",
  open: "bad"
}

const severity = ({ breaker }: EndpointReport): number =>
  ["closed", "ramping", "backing_off", "open"].indexOf(breaker.state)

const Breaker = ({ now, report }: { readonly report: EndpointReport; readonly now: number }) => {
  const { breaker } = report
  return (
    <>
      <Badge tone={tones[breaker.state]}>{breaker.state.replace("_", " ")}</Badge>{" "}
      <span class="muted small">
        {breaker.state === "open" &&
          `${breaker.cause}; next probe ${formatRelative(breaker.nextProbeAt, now)}`}
        {breaker.state === "backing_off" &&
          `${breaker.cause}; until ${formatRelative(breaker.until, now)}`}
        {breaker.state === "ramping" && `${formatShare(breaker.share)} of its traffic`}
      </span>
    </>
  )
}
