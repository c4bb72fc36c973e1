/**
 * Compares three ways to send requests to one origin with undici: a pool of HTTP/1.1 connections with one request each, which
 * is what Signalbox does, HTTP/1.1 pipelining, and HTTP/2. Ratios relate to the pool; CPU is that of the client.
 *
 * Usage: node bench/transport.ts [rounds] [requests per round]
 */
import { Agent, Client } from "undici"
import { Program } from "./Program.ts"
import { median, quantile } from "./quantile.ts"

const [rounds = 7, requests = 4_000] = process.argv.slice(2).map(Number)

const upstream = await Program.start<{ readonly ports: readonly [number, number] }>(
  "servers/transport-upstream.ts"
)
const [http1, http2] = upstream.hello.ports

const body = JSON.stringify({
  model: "bench/talker",
  messages: [{ role: "user", content: "What is a lighthouse for? ".repeat(10) }]
})
const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }

interface Way {
  readonly name: string
  readonly origin: string
  readonly agent: Agent
}

const makeWays = (concurrency: number): ReadonlyArray<Way> => [
  {
    name: "pool",
    origin: `http://127.0.0.1:${http1}`,
    agent: new Agent({ connections: concurrency })
  },
  {
    name: "pipelining",
    origin: `http://127.0.0.1:${http1}`,
    agent: new Agent({ connections: Math.ceil(concurrency / 8), pipelining: 8 })
  },
  {
    name: "HTTP/2",
    origin: `http://127.0.0.1:${http2}`,
    agent: new Agent({
      factory: (origin) =>
        new Client(origin, {
          h2Options: { maxConcurrentStreams: 128, useH2c: true },
          pipelining: 128
        })
    })
  }
]

/** Sends one request, as the transport of `@signalbox/node` does. */
const send = ({ agent, origin }: Way, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let size = 0
    agent.dispatch(
      { origin, path, method: "POST", headers, body, idempotent: true, blocking: false },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => void (size += chunk.length),
        onResponseEnd: () => (size > 0 ? resolve() : reject(new Error("the answer is empty"))),
        onResponseError: (_, error) => reject(error)
      }
    )
  })

interface Round {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly p50: number
  readonly p99: number
}

const run = async (
  way: Way,
  concurrency: number,
  count: number,
  pickPath: (index: number) => string
): Promise<Round> => {
  const latencies: Array<number> = []
  let next = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  const work = async (): Promise<void> => {
    while (next < count) {
      const path = pickPath(next++)
      const sent = performance.now()
      await send(way, path)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const millis = performance.now() - started
  const { system, user } = process.cpuUsage(cpu)
  return {
    perSecond: (count / millis) * 1_000,
    cpuMicros: (system + user) / count,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99)
  }
}

const compare = async (
  load: string,
  concurrency: number,
  count: number,
  pickPath: (index: number) => string
): Promise<ReadonlyArray<Record<string, string>>> => {
  const ways = makeWays(concurrency)
  const results = ways.map((): Array<Round> => [])
  for (const way of ways) await run(way, concurrency, count, pickPath)
  for (let round = 0; round < rounds; round++) {
    for (const [i, way] of ways.entries()) {
      results[i]?.push(await run(way, concurrency, count, pickPath))
    }
  }
  await Promise.all(ways.map(({ agent }) => agent.close()))
  const ratio = (i: number, measure: keyof Round): string =>
    median(
      (results[i] ?? []).map(
        (round, at) => round[measure] / (results[0]?.[at]?.[measure] ?? Number.NaN)
      )
    ).toFixed(2)
  return ways.map(({ name }, i) => ({
    load,
    "at once": String(concurrency),
    way: name,
    throughput: ratio(i, "perSecond"),
    CPU: ratio(i, "cpuMicros"),
    p50: ratio(i, "p50"),
    p99: ratio(i, "p99")
  }))
}

const rows = [
  ...(await compare("at once", 8, requests, () => "/0")),
  ...(await compare("at once", 64, requests, () => "/0")),
  // Models answer after very different times.
  ...(await compare("after 5 ms, one in ten after 50", 64, requests, (i) =>
    i % 10 === 0 ? "/50" : "/5"
  ))
]
console.table(rows)
await upstream.stop()
process.exit(0)
