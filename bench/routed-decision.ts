/**
 * A routed Decision over HTTP on each host, against a hand-written pass-through that makes the same
 * upstream call, in one run. Prints ratios: absolute times say more about the machine.
 *
 * Usage: pnpm bench [rounds] [seconds per round] [connections]
 */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Pool } from "undici"
import { decisionRequest } from "./decisionRequest.ts"
import { startUpstream } from "./upstream.ts"

const [rounds = 5, seconds = 2, connections = 32] = process.argv.slice(2).map(Number)
// Enough for V8 to have optimised what there is to optimise.
const warmUpMillis = 6_000
const names = (process.env["BENCH_SERVERS"] ?? "baseline,node,express,fastify").split(",")

const body = JSON.stringify(decisionRequest)
const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }
const request = { method: "POST", path: "/api/alpha/decisions", headers, body } as const

interface Measured {
  readonly name: string
  readonly child: ChildProcess
  readonly pool: Pool
  readonly latencies: Array<number>
  requests: number
  wallMillis: number
  cpuMicros: number
}

const next = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))

const cpuOf = async (child: ChildProcess): Promise<number> => {
  const answer = next<{ readonly cpuMicros: number }>(child)
  child.send("cpu")
  return (await answer).cpuMicros
}

const load = async (pool: Pool, millis: number, latencies: Array<number>): Promise<number> => {
  const end = performance.now() + millis
  let requests = 0
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now()
      const response = await pool.request(request)
      await response.body.text()
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
      latencies.push(performance.now() - started)
      requests++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return requests
}

const upstream = await startUpstream()
const env = { ...process.env, UPSTREAM_PORT: String(upstream.port), NODE_ENV: "production" }
const measured: Array<Measured> = []
for (const name of names) {
  const child = fork(join(import.meta.dirname, "servers", `${name}.ts`), { env })
  const { port } = await next<{ readonly port: number }>(child)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  await load(pool, warmUpMillis, [])
  measured.push({ name, child, pool, latencies: [], requests: 0, wallMillis: 0, cpuMicros: 0 })
}
for (let round = 0; round < rounds; round++) {
  for (const server of measured) {
    const cpu = await cpuOf(server.child)
    const started = performance.now()
    server.requests += await load(server.pool, seconds * 1000, server.latencies)
    server.wallMillis += performance.now() - started
    server.cpuMicros += (await cpuOf(server.child)) - cpu
  }
}
const percentile = (sorted: ReadonlyArray<number>, p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN

const rows = measured.map(({ cpuMicros, latencies, name, requests, wallMillis }) => {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    server: name,
    rate: (requests / wallMillis) * 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpu: cpuMicros / requests
  }
})
const base = rows.find(({ server }) => server === "baseline") ?? rows[0]
if (base !== undefined) {
  console.table(
    rows.map(({ cpu, p50, p99, rate, server }) => ({
      server,
      "throughput (baseline = 1)": (rate / base.rate).toFixed(2),
      "requests/s": Math.round(rate),
      "CPU us/request": Math.round(cpu),
      "added p50 ms": (p50 - base.p50).toFixed(2),
      "added p99 ms": (p99 - base.p99).toFixed(2)
    }))
  )
}
for (const { child, pool } of measured) {
  await pool.close()
  child.kill()
}
upstream.stop()
