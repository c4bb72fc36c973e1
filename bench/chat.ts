/**
 * Streamed chats through Signalbox against a hand-written pass-through, and one that reads and rewrites each
 * event, in one run. Events come one by one, and eight together. Prints ratios: absolute figures say more about
 * the machine.
 *
 * Usage: node bench/chat.ts [rounds] [seconds per round] [connections] [events per answer]
 */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Pool } from "undici"
import { startChatUpstream } from "./chatUpstream.ts"

const [rounds = 5, seconds = 2, connections = 16, events = 200] = process.argv.slice(2).map(Number)
// Enough for V8 to have optimised what there is to optimise.
const warmUpMillis = 4_000
const names = (process.env["BENCH_SERVERS"] ?? "chat-baseline,chat-parsing,chat-node").split(",")

const asking = (model: string) =>
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
const quick = asking("bench/talker")
/** Its second event comes 20 ms after the first. */
const slow = asking("bench/slow")

interface Measured {
  readonly name: string
  readonly child: ChildProcess
  readonly pool: Pool
  /** Milliseconds to the first event. */
  readonly firsts: Array<number>
  answers: number
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

/** Reads one answer to its end; how long its first event took. */
const readOne = async (pool: Pool, request: ReturnType<typeof asking> = quick): Promise<number> => {
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

const load = async (pool: Pool, millis: number, firsts: Array<number>): Promise<number> => {
  const end = performance.now() + millis
  let answers = 0
  const worker = async () => {
    while (performance.now() < end) {
      firsts.push(await readOne(pool))
      answers++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return answers
}

const percentile = (values: ReadonlyArray<number>, p: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

const measure = async (together: number): Promise<void> => {
  const upstream = await startChatUpstream(events, together)
  const env = { ...process.env, UPSTREAM_PORT: String(upstream.port), NODE_ENV: "production" }
  const measured: Array<Measured> = []
  for (const name of names) {
    const child = fork(join(import.meta.dirname, "servers", `${name}.ts`), { env })
    const { port } = await next<{ readonly port: number }>(child)
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
    await load(pool, warmUpMillis, [])
    measured.push({ name, child, pool, firsts: [], answers: 0, wallMillis: 0, cpuMicros: 0 })
  }
  for (let round = 0; round < rounds; round++) {
    for (const server of measured) {
      const cpu = await cpuOf(server.child)
      const started = performance.now()
      server.answers += await load(server.pool, seconds * 1000, server.firsts)
      server.wallMillis += performance.now() - started
      server.cpuMicros += (await cpuOf(server.child)) - cpu
    }
  }
  // On a server that has nothing else to do.
  const alone = new Map<string, number>()
  for (const { name, pool } of measured) {
    const firsts: Array<number> = []
    for (let each = 0; each < 100; each++) firsts.push(await readOne(pool, slow))
    alone.set(name, percentile(firsts, 0.5))
  }
  const rows = measured.map(({ answers, cpuMicros, firsts, name, wallMillis }) => ({
    server: name,
    rate: ((answers * events) / wallMillis) * 1000,
    cpu: cpuMicros / (answers * events),
    p50: percentile(firsts, 0.5),
    p99: percentile(firsts, 0.99),
    alone: alone.get(name) ?? Number.NaN
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
  for (const { child, pool } of measured) {
    await pool.close()
    child.kill()
  }
  upstream.stop()
}

for (const together of [1, 8]) await measure(together)
