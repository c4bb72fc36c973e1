/** One row per process: its version, what it runs, and what waits in it. */
import { Badge, type Tone } from "../../components/Badge.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import {
  formatCount,
  formatMillis,
  formatRelative,
  formatSpan,
  unknown
} from "../../format/format.ts"
import type { FleetProcess } from "./FleetProcess.ts"

export const ProcessTable = ({
  now,
  processes
}: {
  /** Milliseconds since the epoch, on the clock of the server. */
  readonly now: number
  readonly processes: ReadonlyArray<FleetProcess>
}) => (
  <Table caption="Processes" columns={makeColumns(now)} rows={processes} toKey={({ id }) => id} />
)

const makeColumns = (now: number): ReadonlyArray<Column<FleetProcess>> => [
  {
    title: "Process",
    cell: ({ id, is_self: isSelf }) => (
      <>
        {id} {isSelf && <Badge title="It read what this page shows">answers this page</Badge>}
      </>
    )
  },
  { title: "State", cell: (process) => <State process={process} now={now} /> },
  {
    title: "Version",
    cell: ({ configuration, version }) => (
      <>
        {version}{" "}
        <span class="muted small">
          {formatCount(configuration.models)} models, configuration {configuration.fingerprint}
        </span>
      </>
    )
  },
  {
    title: "Since",
    cell: ({ started_at: startedAt }) => (
      <>
        <Time at={startedAt} />{" "}
        <span class="muted small">{formatSpan(now - Date.parse(startedAt))}</span>
      </>
    )
  },
  { title: "Requests", isNumber: true, cell: ({ running }) => formatCount(running) },
  {
    title: "Attempts under way",
    isNumber: true,
    cell: ({ endpoints }) =>
      formatCount(endpoints.reduce((sum, { in_flight: inFlight }) => sum + inFlight, 0))
  },
  {
    title: "Event loop delay",
    isNumber: true,
    cell: ({ event_loop_delay: delay }) => (
      <span class={delay !== undefined && delay >= busyMillis ? "text-bad" : ""}>
        {formatMillis(delay)}
      </span>
    )
  },
  { title: "Waiting", cell: (process) => <Waiting process={process} /> }
]

/** A process whose timers are so late answers late, too. */
const busyMillis = 500

const tones: Readonly<Record<FleetProcess["status"], Tone>> = {
  ready: "good",
  draining: "warn",
  storage_unavailable: "bad"
}

const State = ({
  now,
  process: { is_lost: isLost, seen_at: seenAt, status }
}: {
  readonly now: number
  readonly process: FleetProcess
}) =>
  isLost ? (
    <>
      <Badge tone="bad" title="It was killed, is suspended, or cannot reach the store">
        lost
      </Badge>{" "}
      <span class="muted small">last heard {formatRelative(seenAt, now)}</span>
    </>
  ) : (
    <Badge tone={tones[status]}>{status.replace("_", " ")}</Badge>
  )

const Waiting = ({
  process: { connection_waits: connections, queues }
}: {
  readonly process: FleetProcess
}) => {
  const waiting = [
    ...queues.flatMap(({ name, waiting: count }) =>
      count > 0 ? [`${formatCount(count)} ${name}`] : []
    ),
    ...connections.map(
      ({ provider, waiting: count }) => `${formatCount(count)} for connections to ${provider}`
    )
  ]
  const losses = queues.flatMap(({ dropped, failed, name }) =>
    dropped + failed > 0 ? [`${formatCount(dropped + failed)} ${name}`] : []
  )
  return (
    <>
      {waiting.length === 0 ? unknown : waiting.join(", ")}
      {losses.length > 0 && (
        <div class="text-bad small">lost since its start: {losses.join(", ")}</div>
      )}
    </>
  )
}
