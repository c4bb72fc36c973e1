/** The columns that a table of requests can have, in their order. */
import type { Column } from "../../components/Table.tsx"
import { Money } from "../../components/Money.tsx"
import { formatCount, formatMillis, unknown } from "../../format/format.ts"
import { formatId } from "../../format/formatId.ts"
import { formatUsage } from "../../format/formatUsage.ts"
import { Outcome } from "./Outcome.tsx"
import type { RequestSummary } from "./RequestRecord.ts"

interface RequestColumn extends Column<RequestSummary> {
  /** Whether it is left out until a viewer wants it. */
  readonly isExtra?: boolean
}

/** Those after the time of the request, which leads to it. */
export const requestColumns: ReadonlyArray<RequestColumn> = [
  { title: "Outcome", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { title: "Operation", cell: ({ operation }) => operation },
  { title: "Model", cell: ({ model, requested_model: requested }) => model ?? requested },
  { title: "Requested", isExtra: true, cell: (row) => row.requested_model },
  { title: "Provider", cell: ({ provider_name: provider }) => provider ?? unknown },
  { title: "User", cell: ({ external_user: external, user }) => user ?? external ?? unknown },
  {
    title: "Key",
    isExtra: true,
    cell: ({ key_hash: hash }) =>
      hash === null ? unknown : <span title={hash}>{formatId(hash)}</span>
  },
  { title: "Workspace", isExtra: true, cell: (row) => formatId(row.workspace_id) },
  {
    title: "Tags",
    isExtra: true,
    cell: ({ tags }) =>
      Object.entries(tags)
        .map((tag) => tag.join(":"))
        .join(", ") || unknown
  },
  { title: "Session", isExtra: true, cell: (row) => row.session_id ?? unknown },
  { title: "Preset", isExtra: true, cell: (row) => row.preset_id ?? unknown },
  { title: "Request id", isExtra: true, cell: (row) => row.request_id ?? unknown },
  { title: "Streamed", isExtra: true, cell: ({ streamed }) => (streamed ? "yes" : "no") },
  { title: "Cache", isExtra: true, cell: ({ cache }) => cache?.status ?? unknown },
  {
    title: "Attempts",
    isNumber: true,
    cell: ({ attempt_count: attempts }) => formatCount(attempts)
  },
  { title: "Latency", isNumber: true, cell: ({ latency }) => formatMillis(latency) },
  {
    title: "Queued",
    isExtra: true,
    isNumber: true,
    cell: ({ queue_wait: millis }) => (millis === 0 ? unknown : formatMillis(millis))
  },
  {
    title: "Used",
    isNumber: true,
    cell: ({ usage }) => (
      <span title="Tokens in and out, and other units">{formatUsage(usage)}</span>
    )
  },
  {
    title: "Cost",
    isNumber: true,
    cell: ({ cost, upstream_inference_cost: upstream }) => <Money usd={cost ?? upstream} />
  }
]

/** `chosen` undefined: those that are shown at first. Names that are none are left out. */
export const pickColumns = (
  chosen: ReadonlyArray<string> | undefined
): ReadonlyArray<RequestColumn> =>
  requestColumns.filter(({ isExtra, title }) =>
    chosen === undefined ? isExtra !== true : chosen.includes(title)
  )
