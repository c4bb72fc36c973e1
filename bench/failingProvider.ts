/**
 * Counts the calls that reach a provider while it fails, with one instance and with several on one Postgres, which share what
 * they see. Streamed chats come at a fixed rate in all, whether or not earlier ones are answered; after a healthy time one of
 * three endpoints answers 500, or takes requests and never answers. The counts of several instances compare with those of one.
 *
 * Usage: node bench/failingProvider.ts [instances] [chats a second in all] [healthy seconds] [failing seconds] [rounds]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { setTimeout as delay } from "node:timers/promises"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { postgres } from "@signalbox/sql"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { firstEvents, lastEvents, tokenEvent } from "./load/answers.ts"
import { median, quantile } from "./quantile.ts"
import { startListener } from "./startListener.ts"

const [instances = 4, perSecond = 15, healthySeconds = 35, failingSeconds = 45, rounds = 3] =
  process.argv.slice(2).map(Number)

type Failure = "500" | "hang"

/** A provider that answers after 50 to 250 ms, or fails. */
const startProvider = async () => {
  let failure: Failure | undefined
  let calls = 0
  const listener = await startListener((request, response) => {
    calls += 1
    request.resume()
    if (failure === "hang") return
    const fails = failure === "500"
    setTimeout(
      () => {
        if (fails) response.writeHead(500, { "content-type": "application/json" }).end("{}")
        else {
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.end(firstEvents + tokenEvent + lastEvents)
        }
      },
      50 + 200 * Math.random()
    )
  })
  return {
    ...listener,
    fail: (next: Failure): void => {
      failure = next
      calls = 0
    },
    getCalls: () => calls
  }
}

const postgresHere = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? postgresHere?.url ?? ""

const run = async (count: number, failure: Failure) => {
  const providers = [await startProvider(), await startProvider(), await startProvider()]
  const slugs = ["alpha", "beta", "gamma"]
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      Signalbox.make({
        stores: postgres({ url, maxConnections: 2 }),
        upstreams: slugs.map((slug, at) =>
          openai({
            slug,
            name: slug,
            apiKey: "sk-bench",

            baseUrl: `http://127.0.0.1:${providers[at]!.port}/v1`
          })
        ),
        models: [
          {
            id: "bench/talker",
            endpoints: slugs.map((provider) => ({
              provider,
              price: { prompt: "0.000001", completion: "0.000002" }
            }))
          }
        ],
        settings: { headersTimeoutMillis: 3_000, firstEventTimeoutMillis: 3_000 }
      })
    )
  )
  const answeredMillis: Array<number> = []
  let unanswered = 0
  const ask = async (at: number): Promise<void> => {
    const startedAt = performance.now()
    let isAnswered = false
    try {
      const events = made[at % count]!.streamChat({
        model: "bench/talker",
        messages: [{ role: "user", content: `Ship ${at} asks for light.` }]
      })
      for await (const _ of events) {
        if (!isAnswered) answeredMillis.push(performance.now() - startedAt)
        isAnswered = true
      }
    } catch {
      // Counted below.
    }
    if (!isAnswered) unanswered += 1
  }
  const running: Array<Promise<void>> = []
  const askFor = async (seconds: number): Promise<void> => {
    const startedAt = performance.now()
    for (let asked = 0; asked < seconds * perSecond; asked++) {
      await delay(Math.max(0, startedAt + (asked * 1_000) / perSecond - performance.now()))
      running.push(ask(running.length))
    }
  }
  await askFor(healthySeconds)
  await Promise.all(running)
  answeredMillis.length = 0
  providers[0]!.fail(failure)
  await askFor(failingSeconds)
  await Promise.all(running)
  const wasted = providers[0]!.getCalls()
  await Promise.all(made.map((instance) => instance.close()))
  for (const provider of providers) provider.stop()
  return { wasted, unanswered, p95: quantile(answeredMillis, 0.95) }
}

const rows: Array<object> = []
for (const failure of ["500", "hang"] as const) {
  for (const count of instances === 1 ? [1] : [1, instances]) {
    const measured = []
    for (let round = 0; round < rounds; round++) measured.push(await run(count, failure))
    rows.push({
      failure,
      instances: count,
      "wasted calls": measured.map(({ wasted }) => wasted).join(", "),
      median: median(measured.map(({ wasted }) => wasted)),
      "p95 to the first event, ms": Math.round(median(measured.map(({ p95 }) => p95))),
      unanswered: measured.reduce((sum, each) => sum + each.unanswered, 0)
    })
  }
}
console.table(rows)
await postgresHere?.stop()
