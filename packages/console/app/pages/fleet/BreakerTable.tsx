/** The breakers of all processes that are not closed: each process opens its own. */
import { Badge } from "../../components/Badge.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { toHash } from "../../routing/location.ts"
import { describeBreaker } from "../now/describeBreaker.ts"
import type { FleetProcess } from "./FleetProcess.ts"

type Row = FleetProcess["endpoints"][number] & { readonly process: string }

export const BreakerTable = ({
  now,
  processes
}: {
  /** Milliseconds since the epoch, on the clock of the server. */
  readonly now: number
  readonly processes: ReadonlyArray<FleetProcess>
}) => {
  const rows = listBreakers(processes)
  return rows.length === 0 ? (
    <div class="empty">Every breaker is closed, in every process.</div>
  ) : (
    <Table
      caption="Breakers that are not closed"
      columns={makeColumns(now)}
      rows={rows}
      toKey={({ endpoint_id: endpoint, process }) => `${endpoint} ${process}`}
    />
  )
}

/** Those of one endpoint beside each other; a lost process holds nothing back. */
const listBreakers = (processes: ReadonlyArray<FleetProcess>): ReadonlyArray<Row> =>
  processes
    .flatMap(({ endpoints, id: process, is_lost: isLost }) =>
      isLost ? [] : endpoints.map((endpoint) => ({ ...endpoint, process }))
    )
    .filter(({ breaker }) => breaker.state !== "closed")
    .toSorted((one, other) => (one.endpoint_id < other.endpoint_id ? -1 : 1))

const makeColumns = (now: number): ReadonlyArray<Column<Row>> => [
  {
    title: "Endpoint",
    cell: ({ endpoint_id: endpoint }) => (
      <a href={toHash(["incidents"], { endpoint })}>{endpoint}</a>
    )
  },
  {
    title: "Breaker",
    cell: ({ breaker }) => (
      <>
        <Badge tone={breaker.state === "open" ? "bad" : "warn"}>
          {breaker.state.replace("_", " ")}
        </Badge>{" "}
        <span class="muted small">{describeBreaker(breaker, now)}</span>
      </>
    )
  },
  { title: "Process", cell: ({ process }) => process }
]
