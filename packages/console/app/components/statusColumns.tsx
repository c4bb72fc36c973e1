/** The columns that lists of providers and of models share. */
import type { OperationResponse } from "@signalbox/core/contract"
import { Sparkline } from "../charts/Sparkline.tsx"
import { formatCount, formatMillis, formatShare } from "../format/format.ts"
import { Badge } from "./Badge.tsx"
import { Money } from "./Money.tsx"
import type { Column } from "./Table.tsx"
import { Time } from "./Time.tsx"

/** The state of a provider or of a model. */
export type Status = Pick<
  OperationResponse<"live.listProviders">["data"][number],
  | "cause"
  | "endpoints"
  | "endpoints_failing"
  | "endpoints_in_service"
  | "failing_since"
  | "figures"
  | "hours"
  | "latency_p95"
  | "share"
>

export const StatusBadge = ({ status }: { readonly status: Status }) => {
  const { cause, endpoints, endpoints_failing: failing, failing_since: since } = status
  const outOfService = endpoints - status.endpoints_in_service
  return (
    <>
      {since === null ? (
        <Badge tone="good">healthy</Badge>
      ) : (
        <>
          <Badge tone="bad">failing</Badge>{" "}
          <span class="small" title={cause ?? ""}>
            {failing} of {endpoints} since <Time at={since} />
          </span>
        </>
      )}
      {outOfService > 0 && (
        <span class="muted small"> {formatCount(outOfService)} out of service</span>
      )}
    </>
  )
}

const hourMillis = 3_600_000

/** The share of failures in each of the last 24 hours, oldest first; an hour without traffic is left out of the line. */
const listFailureShares = (hours: Status["hours"]): ReadonlyArray<number | null> => {
  const last = Math.floor(Date.now() / hourMillis) * hourMillis
  const byTime = new Map(hours.map((hour) => [Date.parse(hour.at), hour]))
  return Array.from({ length: 24 }, (_, at) => {
    const hour = byTime.get(last - (23 - at) * hourMillis)
    return hour === undefined || hour.requests === 0 ? null : hour.errors / hour.requests
  })
}

export const statusColumns: ReadonlyArray<Column<Status>> = [
  { title: "State", cell: (status) => <StatusBadge status={status} /> },
  {
    title: "Failures, 24 h",
    isNumber: true,
    cell: ({ figures: { errors, requests }, hours }) => (
      <span class="with-line">
        {formatShare(requests === 0 ? null : errors / requests)}
        <Sparkline label="Failures in each of the last hours" values={listFailureShares(hours)} />
      </span>
    )
  },
  { title: "Share of traffic", isNumber: true, cell: ({ share }) => formatShare(share) },
  { title: "p95", isNumber: true, cell: ({ latency_p95: p95 }) => formatMillis(p95) },
  { title: "Cost, 24 h", isNumber: true, cell: ({ figures }) => <Money usd={figures.cost} /> }
]
