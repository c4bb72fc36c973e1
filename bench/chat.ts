/**
 * Compares streamed chats through Signalbox with a hand-written pass-through, and with one that parses and rewrites each
 * event. The provider sends events one by one, or eight together. Prints ratios, because absolute figures depend on the
 * machine.
 *
 * Usage: node bench/chat.ts [rounds] [seconds per round] [connections] [events per answer]
 */
import { startChatUpstream } from "./startChatUpstream.ts"
import { quantile } from "./quantile.ts"
import { type Cost, ServerProcess } from "./ServerProcess.ts"

const [rounds = 5, seconds = 2, connections = 16, events = 200] = process.argv.slice(2).map(Number)
// Enough to warm up V8.
const warmUpMillis = 4_000
const names = (process.env["BENCH_SERVERS"] ?? "chat-baseline,chat-parsing,chat-node").split(",")

const makeRequest = (model: string) =>
  ({
    method: "POST",
    path: "/api/v1/chat/completions",
    headers: { "content-type": "application/json", authorization: "Bearer sk-bench" },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: "Tell me everything there is to know of lighthouses." }],
      stream: true
    })
  }) as const
const unpacedRequest = makeRequest("bench/talker")
/** Its second event comes 20 ms after the first. */
const pacedRequest = makeRequest("bench/slow")

interface Measured extends Cost {
  readonly server: ServerProcess
  /** Milliseconds to the first event of each answer. */
  readonly firsts: Array<number>
}

/** Reads one answer to its end, and returns the milliseconds to its first event. */
const readOne = async (
  { pool }: ServerProcess,
  request: ReturnType<typeof makeRequest> = unpacedRequest
): Promise<number> => {
  const started = performance.now()
  const response = await pool.request(request)
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  let first = 0
  let tail = ""
  for await (const chunk of response.body) {
    if (first === 0) first = performance.now() - started
    tail = chunk.subarray(-20).toString()
  }
  if (!tail.endsWith("[DONE]\n\n")) throw new Error(`the answer ends with ${tail}`)
  return first
}

const load = async (server: ServerProcess, millis: number, firsts: Array<number>) => {
  const end = performance.now() + millis
  const worker = async () => {
    while (performance.now() < end) firsts.push(await readOne(server))
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

const measure = async (together: number): Promise<void> => {
  const upstream = await startChatUpstream(events, together)
  const env = { UPSTREAM_PORT: String(upstream.port) }
  const measured: Array<Measured> = []
  for (const name of names) {
    const server = await ServerProcess.start(name, connections, env)
    await load(server, warmUpMillis, [])
    measured.push({ server, firsts: [], wallMillis: 0, cpuMicros: 0 })
  }
  for (let round = 0; round < rounds; round++) {
    for (const each of measured) {
      const { firsts, server } = each
      await server.measure(each, () => load(server, seconds * 1000, firsts))
    }
  }
  // On an idle server.
  const alone = new Map<string, number>()
  for (const { server } of measured) {
    const firsts: Array<number> = []
    for (let each = 0; each < 100; each++) firsts.push(await readOne(server, pacedRequest))
    alone.set(server.name, quantile(firsts, 0.5))
  }
  const rows = measured.map(({ cpuMicros, firsts, server, wallMillis }) => ({
    server: server.name,
    rate: ((firsts.length * events) / wallMillis) * 1000,
    cpu: cpuMicros / (firsts.length * events),
    p50: quantile(firsts, 0.5),
    p99: quantile(firsts, 0.99),
    alone: alone.get(server.name) ?? Number.NaN
  }))
  const [base] = rows
  console.log(`\n${events} events an answer, ${together} together, ${connections} answers at once`)
  console.table(
    rows.map(({ alone, cpu, p50, p99, rate, server }) => ({
      server,
      "throughput (baseline = 1)": (rate / (base?.rate ?? rate)).toFixed(2),
      "events/s": Math.round(rate),
      "CPU us/event": cpu.toFixed(2),
      "first event alone, p50 ms": alone.toFixed(2),
      "first event under load, p50 ms": p50.toFixed(1),
      "p99 ms": p99.toFixed(1)
    }))
  )
  for (const { server } of measured) await server.stop()
  upstream.stop()
}

for (const together of [1, 8]) await measure(together)
