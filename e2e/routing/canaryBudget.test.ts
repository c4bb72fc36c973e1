/** The budget of a canary, over HTTP: a burst does not exceed it, in one process or in two on one database. */
import type { Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import { expect, inject, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"

const start = async (calls: Array<string>, stores?: Options["stores"]) => {
  const upstream: Upstream = {
    slug: "one",
    name: "One",
    decisions: {
      decide: ({ model, questions }) => {
        calls.push(model)
        return Effect.delay(
          Effect.succeed({
            verdicts: new Map(
              Object.keys(questions).map((name) => [name, { weights: [0.9, 0.1] }])
            ),
            usage: { inputTokens: 1, outputTokens: 1 },
            method: "native"
          }),
          20
        )
      },
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
    }
  }
  const instance = await Signalbox.make({
    ...(stores === undefined ? undefined : { stores }),
    upstreams: [upstream],
    models: ["proof/usual", "proof/new"].map((id) => ({
      id,
      endpoints: [
        {
          provider: "one",
          model: id,
          contextLength: 1_000,
          price: { prompt: "0", completion: "0", request: "0.0066" }
        }
      ]
    })),
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    experiments: [
      {
        match: { model: "proof/usual" },
        to: "proof/new",
        mode: "canary",
        share: 0.99,
        budgetUsd: 0.02
      }
    ]
  })
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: response.status, body: await response.json() }
  }
  const decide = (session: string) =>
    ask("POST", "/alpha/decisions", keys.member, {
      model: "proof/usual",
      state: "x",
      session_id: session,
      questions: { calm: { type: "noul", instructions: "Is it calm?" } }
    })
  return { ask, decide, close: () => instance.close() }
}

const stores = {
  memory: () => [undefined],
  "two processes on one Postgres": () => {
    const url = inject("postgresUrl")
    const schema = `canary-${crypto.randomUUID()}`
    return [postgres({ url, schema }), postgres({ url, schema })]
  }
}

test.for(Object.entries(stores))("a burst does not exceed it: %s", async ([, open]) => {
  const calls: Array<string> = []
  const instances: Array<Awaited<ReturnType<typeof start>>> = []
  for (const store of open()) instances.push(await start(calls, store))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => instances[at % instances.length]!.decide(`s-${at}`))
  )
  // A request without room in the budget is answered by the requested model.
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(calls.filter((model) => model === "proof/new")).toHaveLength(3)
  expect(calls.length).toBe(20)
  let cost = 0
  for (const { ask } of instances) {
    const { body } = await ask("GET", "/v1/signalbox/experiments", keys.management)
    const [report] = Object(getProperty(body, "data"))
    cost = Math.max(cost, Number(getProperty(getProperty(report, "trial"), "cost")))
  }
  expect(cost).toBeCloseTo(0.0198, 9)
  for (const { close } of instances) await close()
})
