/**
 * Measures how soon every process stops using an endpoint that an operator drains at one of them: over the listening
 * connection, and with that connection dead, when processes confirm what they know after `stalenessMillis` (1 s).
 *
 * Usage: node bench/controls.ts [instances] [changes]
 * Starts the Postgres of the tests.
 */
import { setTimeout as delay } from "node:timers/promises"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { postgres } from "@signalbox/sql"
import { startListenProxy } from "../packages/sql/test/ListenProxy.ts"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { quantile } from "./quantile.ts"
import { startListener } from "./startListener.ts"

const [instances = 4, changes = 50] = process.argv.slice(2).map(Number)

const answer = JSON.stringify({
  id: "answer",
  model: "talker",
  choices: [{ index: 0, message: { role: "assistant", content: "Aye" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
})
const providers = await Promise.all(
  ["drained", "steady"].map(async (slug) => ({
    slug,
    ...(await startListener((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "application/json" }).end(answer)
    }))
  }))
)
const server = await startPostgres()
const proxy = await startListenProxy(server.url)

const fleet = await Promise.all(
  Array.from({ length: instances }, () =>
    Signalbox.make({
      stores: postgres({ url: proxy.url, maxConnections: 2 }),
      upstreams: providers.map(({ port, slug }) =>
        openai({ slug, name: slug, apiKey: "sk-bench", baseUrl: `http://127.0.0.1:${port}/v1` })
      ),
      models: [
        {
          id: "bench/talker",
          endpoints: providers.map(({ slug }) => ({ provider: slug }))
        }
      ]
    })
  )
)

/** The time until every instance sends its requests where the control wants them. */
const measureChange = async (state: "active" | "drained"): Promise<number> => {
  const startedAt = performance.now()
  await fleet[0]!.traffic.setControl({ kind: "provider", id: "drained", state })
  const expected = state === "drained" ? "steady" : "drained"
  await Promise.all(
    fleet.map(async (instance) => {
      while (
        (
          await instance.chat({
            model: "bench/talker",
            messages: [{ role: "user", content: "Is it calm?" }],
            provider: { order: ["drained", "steady"] }
          })
        ).provider !== expected
      ) {
        await delay(1)
      }
    })
  )
  return performance.now() - startedAt
}

const measure = async (
  channel: string,
  count: number,
  prepare: () => Promise<void>
): Promise<object> => {
  const millis: Array<number> = []
  for (let change = 0; change < count; change++) {
    await prepare()
    millis.push(await measureChange(change % 2 === 0 ? "drained" : "active"))
  }
  return {
    channel,
    changes: count,
    "median, ms": Math.round(quantile(millis, 0.5)),
    "p95, ms": Math.round(quantile(millis, 0.95)),
    "longest, ms": Math.round(Math.max(...millis))
  }
}

for (const state of ["drained", "active"] as const) await measureChange(state)
const rows = [
  await measure("listening", changes, () => delay(20)),
  // A silent connection is replaced after a while, so each change needs new silence.
  await measure("silent", changes / 5, async () => {
    await delay(3_000)
    proxy.silence()
  })
]
console.table(rows)
await Promise.all(fleet.map((instance) => instance.close()))
for (const provider of providers) provider.stop()
proxy.close()
await server.stop()
