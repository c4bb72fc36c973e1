/** Mixed traffic at fixed times: answers of every kind, errors, clients that leave, and management calls. */
import { Pool } from "undici"
import { type WorkloadName, workloads } from "./workloads.ts"

export interface SoakLoad {
  readonly port: number
  readonly perSecond: number
  readonly millis: number
}

/** How many answers of a kind had a status, or how many requests an error. */
export type Tally = Record<string, Record<string, number>>

interface Sent {
  readonly status: number
  readonly text: string
}

type Kind = (pool: Pool) => Promise<number | string>

const send = async (
  pool: Pool,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  { body, key = "sk-bench", leaveAfter }: { body?: string; key?: string; leaveAfter?: number } = {}
): Promise<Sent> => {
  const response = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? undefined : { body }),
    ...(leaveAfter === undefined ? undefined : { signal: AbortSignal.timeout(leaveAfter) })
  })
  return { status: response.statusCode, text: await response.body.text() }
}

const answered =
  (workload: WorkloadName): Kind =>
  async (pool) => {
    const { body, path } = workloads[workload]
    const { status, text } = await send(pool, "POST", path, { body })
    const isWhole = !body.includes('"stream":true') || text.endsWith("[DONE]\n\n")
    return isWhole ? status : `${status}, cut off`
  }

const left =
  (workload: WorkloadName, leaveAfter: number): Kind =>
  async (pool) => {
    const { body, path } = workloads[workload]
    const sent = send(pool, "POST", path, { body, leaveAfter })
    return sent.then(
      ({ status }) => status,
      () => "the client left"
    )
  }

const rejected =
  (workload: WorkloadName, change: (body: string) => string, key?: string): Kind =>
  async (pool) => {
    const { body, path } = workloads[workload]
    const options = { body: change(body), ...(key === undefined ? undefined : { key }) }
    return (await send(pool, "POST", path, options)).status
  }

const key = "sk-bench-management"
const manage: Kind = async (pool) => {
  const created = await send(pool, "POST", "/api/v1/keys", { key, body: '{"name":"soak"}' })
  if (created.status !== 201) return created.status
  const { data } = JSON.parse(created.text) as { readonly data: { readonly hash: string } }
  const path = `/api/v1/keys/${data.hash}`
  const changed = await send(pool, "PATCH", path, { key, body: '{"limit":5}' })
  if (changed.status !== 200) return changed.status
  return (await send(pool, "DELETE", path, { key })).status
}

/** Each with its share of the traffic, in parts of a hundred. */
const kinds: Readonly<Record<string, readonly [number, Kind]>> = {
  Decision: [32, answered("decision")],
  chat: [24, answered("chat")],
  "stream, apart": [8, answered("apart")],
  "stream, together": [8, answered("together")],
  "invalid JSON": [3, rejected("decision", (body) => body.slice(0, -5))],
  "unknown model": [3, rejected("chat", (body) => body.replace("bench/whole", "bench/none"))],
  "unknown key": [3, rejected("chat", (body) => body, "sk-unknown")],
  "provider fails": [4, rejected("chat", (body) => body.replace("bench/whole", "bench/failing"))],
  "client leaves a stream": [4, left("apart", 30)],
  "client leaves at once": [3, left("decision", 1)],
  "manage keys": [5, manage],
  "list keys": [1, async (pool) => (await send(pool, "GET", "/api/v1/keys", { key })).status],
  "list models": [2, async (pool) => (await send(pool, "GET", "/api/v1/models")).status]
}
const schedule = Object.entries(kinds).flatMap(([name, [share, kind]]) =>
  Array.from({ length: share }, () => ({ name, kind }))
)

/** On a busy machine, requests would otherwise come in ever larger bursts, and each has a connection on either side. */
const maxConnections = 256

/** A server that does not keep up would fill the memory with waiting requests. */
const maxPending = 1_000

const toErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

const run = async ({ millis, perSecond, port }: SoakLoad): Promise<Tally> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: maxConnections,
    connect: { timeout: 60_000 }
  })
  const tally: Tally = {}
  const count = (name: string, status: number | string): void => {
    const statuses = (tally[name] ??= {})
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const sendOne = async ({ kind, name }: (typeof schedule)[number]): Promise<void> => {
    count(name, await kind(pool).catch(toErrorCode))
  }
  const pending = new Set<Promise<void>>()
  const started = performance.now()
  const total = Math.round((millis / 1_000) * perSecond)
  for (let sent = 0; sent < total; sent++) {
    const wait = started + (sent * 1_000) / perSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    // 37 has no common divisor with the length of the schedule, so that the kinds alternate.
    const each = schedule[(sent * 37) % schedule.length]
    if (each === undefined) continue
    if (pending.size >= maxPending) {
      count(each.name, "not sent, too many wait")
      continue
    }
    const answer = sendOne(each)
    pending.add(answer)
    void answer.finally(() => pending.delete(answer))
  }
  await Promise.all(pending)
  await pool.close()
  return tally
}

process.on("message", (load: SoakLoad) => {
  void run(load).then((tally) => process.send?.(tally))
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
