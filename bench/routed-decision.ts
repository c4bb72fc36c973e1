/**
 * Compares a Decision over HTTP on each host with a hand-written pass-through that makes the same upstream call. Prints
 * ratios, because absolute times depend on the machine.
 *
 * Usage: pnpm bench [rounds] [seconds per round] [connections]
 */
import { decisionRequest } from "./decisionRequest.ts"
import { quantile } from "./quantile.ts"
import { type Cost, ServerProcess } from "./ServerProcess.ts"
import { startUpstream } from "./startUpstream.ts"

const [rounds = 5, seconds = 2, connections = 32] = process.argv.slice(2).map(Number)
// Enough to warm up V8.
const warmUpMillis = 6_000
const names = (process.env["BENCH_SERVERS"] ?? "baseline,node,express,fastify").split(",")

const body = JSON.stringify(decisionRequest)
const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }
const request = { method: "POST", path: "/api/alpha/decisions", headers, body } as const

interface Measured extends Cost {
  readonly server: ServerProcess
  readonly latencies: Array<number>
}

const load = async ({ pool }: ServerProcess, millis: number, latencies: Array<number>) => {
  const end = performance.now() + millis
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now()
      const response = await pool.request(request)
      await response.body.text()
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
      latencies.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

const upstream = await startUpstream()
const env = { UPSTREAM_PORT: String(upstream.port) }
const measured: Array<Measured> = []
for (const name of names) {
  const server = await ServerProcess.start(name, connections, env)
  await load(server, warmUpMillis, [])
  measured.push({ server, latencies: [], wallMillis: 0, cpuMicros: 0 })
}
for (let round = 0; round < rounds; round++) {
  for (const each of measured) {
    const { latencies, server } = each
    await server.measure(each, () => load(server, seconds * 1000, latencies))
  }
}

const rows = measured.map(({ cpuMicros, latencies, server, wallMillis }) => ({
  server: server.name,
  rate: (latencies.length / wallMillis) * 1000,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  cpu: cpuMicros / latencies.length
}))
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
for (const { server } of measured) await server.stop()
upstream.stop()
