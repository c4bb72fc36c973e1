/** Under minutes of load with failing providers, every request is answered and memory does not grow. */
import { createServer } from "node:http"
import { once } from "node:events"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { SignalboxError } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { expect, test } from "vitest"

/** `SOAK_SECONDS` overrides the duration. */
const seconds = Number(process.env["SOAK_SECONDS"] ?? 300)

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void
const measureHeapMegabytes = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

const answer = JSON.stringify({
  model: "soak/judge",
  answers: { ok: { type: "noul", noul: 0.5 } },
  usage: { input_tokens: 10, output_tokens: 0 }
})

/** Answers seven of ten requests; the others fail, break off or are slow. */
const startProvider = async () => {
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => {
      const mood = Math.floor(Math.random() * 10)
      if (mood === 0) response.writeHead(503, { "retry-after": "1" }).end("{}")
      else if (mood === 1) response.socket?.destroy()
      else if (mood === 2) response.writeHead(200).end(answer.slice(0, 40))
      else response.writeHead(200, { "content-type": "application/json" }).end(answer)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  return { server, baseUrl: `http://127.0.0.1:${address.port}` }
}

test(`memory stays bounded during ${seconds} seconds of load with failing providers`, async () => {
  const providers = await Promise.all([startProvider(), startProvider(), startProvider()])
  const instance = await Signalbox.make({
    upstreams: providers.map(({ baseUrl }, i) =>
      openrouter({ slug: `provider-${i}`, name: `Provider ${i}`, baseUrl })
    ),
    models: [
      {
        id: "soak/judge",
        endpoints: providers.map((_, i) => ({
          provider: `provider-${i}`,
          price: { prompt: "0.000001", completion: "0" }
        }))
      }
    ],
    credits: { default: "1000000" },
    settings: { maxGenerations: 100 }
  })

  const tally = new Map<number, number>()
  const unexpected: Array<unknown> = []
  const until = Date.now() + seconds * 1000
  const caller = async () => {
    while (Date.now() < until) {
      const gone = Math.random() < 0.02 ? AbortSignal.timeout(1) : undefined
      const status = await instance
        .decide(
          {
            model: "soak/judge",
            state: "anything",
            questions: { ok: { type: "noul", instructions: "?" } }
          },
          gone === undefined ? {} : { signal: gone }
        )
        .then(
          () => 200,
          (error: unknown) => {
            if (error instanceof SignalboxError) return error.status
            if (gone?.aborted !== true) unexpected.push(error)
            return 499
          }
        )
      tally.set(status, (tally.get(status) ?? 0) + 1)
    }
  }
  const heaps: Array<number> = []
  const watching = setInterval(() => heaps.push(measureHeapMegabytes()), (seconds * 1000) / 12)
  await Promise.all(Array.from({ length: 16 }, caller))
  clearInterval(watching)
  const health = await instance.health()
  await instance.close()
  for (const { server } of providers) server.close()

  console.log({ tally: Object.fromEntries(tally), heaps: heaps.map(Math.round) })
  expect(unexpected).toEqual([])
  expect([...tally.keys()].filter((status) => ![200, 499, 502, 503].includes(status))).toEqual([])
  expect(tally.get(200)).toBeGreaterThan(seconds * 100)
  expect(health.running).toBe(0)
  // The first third warms up; after it, the heap may vary but not grow.
  const settled = heaps.slice(Math.ceil(heaps.length / 3))
  expect(Math.max(...settled)).toBeLessThan(settled[0]! * 1.25 + 5)
})
