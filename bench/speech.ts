/**
 * Measures how much later the first byte of speech comes than through a pass-through on the same host. Each gets one request at a
 * time, in turns.
 *
 * Usage: node bench/speech.ts [requests to each] [requests of warm-up]
 */
import { Pool } from "undici"
import { report } from "./goals.ts"
import { startLoadBench, startServer } from "./load/compareServers.ts"
import { speech } from "./load/workloads.ts"
import { median, quantile } from "./quantile.ts"

const [requests = 3_000, warmUp = 10_000] = process.argv.slice(2).map(Number)

const bench = await startLoadBench()
const servers = [
  await startServer("pass-through-node", bench),
  await startServer("signalbox-node", bench)
].map(({ name, program }) => ({
  name,
  program,
  pool: new Pool(`http://127.0.0.1:${program.hello.port}`),
  millis: new Array<number>()
}))

const headers = { authorization: "Bearer sk-bench", "content-type": "application/json" }

/** Milliseconds to the first byte. */
const ask = async (pool: Pool): Promise<number> => {
  const startedAt = performance.now()
  const { body, statusCode } = await pool.request({ ...speech, method: "POST", headers })
  if (statusCode !== 200) throw new Error(`status ${statusCode}: ${await body.text()}`)
  let first: number | undefined
  for await (const _ of body) first ??= performance.now() - startedAt
  if (first === undefined) throw new Error("there was no audio")
  return first
}

for (const { pool } of servers) for (let at = 0; at < warmUp; at++) await ask(pool)
for (let at = 0; at < requests; at++) {
  const order = at % 2 === 0 ? servers : servers.toReversed()
  for (const { millis, pool } of order) millis.push(await ask(pool))
}
for (const { pool, program } of servers) {
  await pool.close()
  await program.stop()
}
await bench.stop()

console.table(
  servers.map(({ millis, name }) => ({
    server: name,
    "first byte p50 ms": median(millis).toFixed(2),
    "p99 ms": quantile(millis, 0.99).toFixed(2)
  }))
)
const [base = Number.NaN, measured = Number.NaN] = servers.map(({ millis }) => median(millis))
report({ goal: "addedFirstByte", value: measured - base })
