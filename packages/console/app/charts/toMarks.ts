/** Makes marks of the processes of a fleet and of incidents. Pure. */
import type { OperationResponse } from "@signalbox/core/contract"
import { formatCount, formatSpan } from "../format/format.ts"
import type { Mark } from "./Mark.ts"

type Process = Pick<
  OperationResponse<"live.listProcesses">["data"]["processes"][number],
  "started_at" | "version"
> & {
  readonly configuration: {
    readonly fingerprint: string
    readonly made_at: string
    readonly models: number
  }
}
type Incident = Pick<
  OperationResponse<"incidents.list">["data"][number],
  "ended_at" | "provider_name" | "started_at"
>

/** What a range, in milliseconds since the epoch, has of them, the oldest first; of many the latest. */
export const toMarks = (
  processes: ReadonlyArray<Process>,
  incidents: ReadonlyArray<Incident>,
  { from, to }: { readonly from: number; readonly to: number }
): ReadonlyArray<Mark> =>
  [
    ...toStarts(processes),
    ...toConfigurations(processes),
    ...incidents.map((each) => toOutage(each, to))
  ]
    .filter(({ at, until = at }) => at <= to && until >= from)
    .toSorted((one, other) => one.at - other.at)
    .slice(-maxMarks)

const maxMarks = 12

/** A roll-out replaces one process after the other. */
const rollOutMillis = 600_000

interface Change {
  readonly at: number
  /** Changes of one roll-out have the same. */
  readonly what: string
  readonly toText: (processes: number) => string
}

const toStarts = (processes: ReadonlyArray<Process>): ReadonlyArray<Mark> =>
  joinChanges(
    processes.map(({ started_at: at, version }) => ({
      at: Date.parse(at),
      what: version,
      toText: (count) => `${describeProcesses(count)} started with version ${version}`
    }))
  )

/** Those that came after the start of their process. */
const toConfigurations = (processes: ReadonlyArray<Process>): ReadonlyArray<Mark> =>
  joinChanges(
    processes
      .filter(
        ({ configuration, started_at: start }) =>
          Date.parse(configuration.made_at) > Date.parse(start) + settleMillis
      )
      .map(({ configuration: { fingerprint, made_at: at, models } }) => ({
        at: Date.parse(at),
        what: fingerprint,
        toText: (count) =>
          `new configuration of ${formatCount(models)} models in ${describeProcesses(count)}`
      }))
  )

/** A process makes its first configuration while it starts. */
const settleMillis = 60_000

const joinChanges = (changes: ReadonlyArray<Change>): ReadonlyArray<Mark> => {
  const joined: Array<{ readonly first: Change; last: number; count: number }> = []
  for (const change of changes.toSorted((one, other) => one.at - other.at)) {
    const known = joined.findLast(({ first }) => first.what === change.what)
    if (known === undefined || change.at - known.last > rollOutMillis) {
      joined.push({ first: change, last: change.at, count: 1 })
    } else {
      known.last = change.at
      known.count += 1
    }
  }
  return joined.map(({ count, first: { at, toText } }) => ({
    kind: "deployment",
    at,
    text: toText(count)
  }))
}

const describeProcesses = (count: number): string =>
  count === 1 ? "a process" : `${formatCount(count)} processes`

const toOutage = (
  { ended_at: ended, provider_name: provider, started_at: started }: Incident,
  to: number
): Mark => {
  const at = Date.parse(started)
  return ended === null
    ? { kind: "incident", at, until: to, text: `${provider} fails` }
    : {
        kind: "incident",
        at,
        until: Date.parse(ended),
        text: `${provider} failed for ${formatSpan(Date.parse(ended) - at)}`
      }
}
