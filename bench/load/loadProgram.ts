/** Puts load on a server when its parent requests it, and reports what the server achieved. */
import { once } from "node:events"
import { quantile } from "../quantile.ts"
import { type Answer, Connection } from "./Connection.ts"
import { toRequestBytes, type WorkloadName, workloads } from "./workloads.ts"

/** Keeps one request on each connection, for this long. */
export interface ClosedLoad {
  readonly port: number
  readonly workload: WorkloadName
  /** Default: the path of the workload on our servers. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly connections: number
  readonly millis: number
}

/** Requests at fixed times, whether or not the earlier ones are answered. */
export interface OpenLoad extends Omit<ClosedLoad, "connections"> {
  readonly perSecond: number
}

export interface Achieved {
  /** Answers and events within the time. */
  readonly answers: number
  readonly events: number
  readonly millis: number
  /** All of them: those under way at the end of the time, too. */
  readonly allAnswers: number
  readonly allEvents: number
  readonly p50: number
  readonly p99: number
  /** Until the first byte. */
  readonly firstP50: number
  /** The share of a core that the load took. */
  readonly cpu: number
}

const summarize = (
  all: ReadonlyArray<Answer>,
  within: Pick<Achieved, "answers" | "events" | "millis" | "cpu">
): Achieved => {
  const times = all.map(({ millis }) => millis)
  return {
    ...within,
    allAnswers: all.length,
    allEvents: all.reduce((sum, { events }) => sum + events, 0),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    firstP50: quantile(
      all.map(({ firstMillis }) => firstMillis),
      0.5
    )
  }
}

const check = (answer: Answer): Answer => {
  if (answer.status !== 200) throw new Error(`status ${answer.status}`)
  return answer
}

const toBytes = ({
  headers,
  workload,
  path = workloads[workload].path
}: Pick<ClosedLoad, "headers" | "path" | "workload">): Buffer =>
  toRequestBytes(path, workloads[workload].body, headers)

const startClock = () => {
  const started = performance.now()
  const { system, user } = process.cpuUsage()
  return () => {
    const millis = performance.now() - started
    const now = process.cpuUsage()
    return { millis, cpu: (now.system + now.user - system - user) / 1_000 / millis }
  }
}

const runClosed = async (load: ClosedLoad): Promise<Achieved> => {
  const bytes = toBytes(load)
  let events = 0
  const connections = Array.from(
    { length: load.connections },
    () => new Connection(load.port, (some) => (events += some))
  )
  const all: Array<Answer> = []
  const stop = startClock()
  const end = AbortSignal.timeout(load.millis)
  const worker = async (connection: Connection): Promise<void> => {
    while (!end.aborted) all.push(check(await connection.send(bytes)))
  }
  const workers = Promise.all(connections.map(worker))
  await Promise.race([once(end, "abort"), workers])
  const within = { answers: all.length, events, ...stop() }
  await workers
  for (const connection of connections) connection.close()
  return summarize(all, within)
}

const runOpen = async (load: OpenLoad): Promise<Achieved> => {
  const bytes = toBytes(load)
  const idle: Array<Connection> = []
  const pending: Array<Promise<unknown>> = []
  const all: Array<Answer> = []
  const stop = startClock()
  const sendOne = async (): Promise<void> => {
    const connection = idle.pop() ?? new Connection(load.port)
    all.push(check(await connection.send(bytes)))
    idle.push(connection)
  }
  const started = performance.now()
  const count = Math.round((load.millis / 1_000) * load.perSecond)
  for (let sent = 0; sent < count; sent++) {
    const wait = started + (sent * 1_000) / load.perSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    pending.push(sendOne())
  }
  await Promise.all(pending)
  const within = { answers: all.length, events: 0, ...stop() }
  for (const connection of idle) connection.close()
  return summarize(all, within)
}

process.on("message", (load: ClosedLoad | OpenLoad) => {
  void ("perSecond" in load ? runOpen(load) : runClosed(load)).then((achieved) =>
    process.send?.(achieved)
  )
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
