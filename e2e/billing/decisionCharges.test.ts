/** What Decisions cost whose model searches by itself, or is served at another price than was asked for. */
import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import {
  memberKey,
  price,
  ServerToolsServer,
  type ServerToolsOptions
} from "./ServerToolsServer.ts"

const start = (served: object, options: ServerToolsOptions) =>
  ServerToolsServer.start({
    ...options,
    script: (response) => {
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify({
          id: "c1",
          object: "chat.completion",
          created: 1,
          model: "at-chat",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: '{"q0":0.5}' },
              finish_reason: "stop"
            }
          ],
          ...served
        })
      )
    }
  })

const decide = ({ root }: ServerToolsServer) =>
  send(`${root}/api/alpha/decisions`, {
    body: JSON.stringify({
      model: "proof/chat",
      state: "Rain.",
      questions: { wet: { type: "noul", instructions: "Is it wet?" } }
    }),
    headers: { "content-type": "application/json", authorization: `Bearer ${memberKey}` }
  })

const usage = { prompt_tokens: 1_500, completion_tokens: 10, total_tokens: 1_510 }

test("20 Decisions at once of a model that searches unasked do not exceed a limit", async () => {
  await using server = await start(
    { usage: { ...usage, num_search_queries: 5 } },
    {
      memberKey: { limit: 0.2 },
      endpoint: { serverTools: { unasked: true, maxInputTokens: 2_000, maxCalls: 5 } }
    }
  )
  const answers = await Promise.all(Array.from({ length: 20 }, () => decide(server)))
  const served = answers.filter(({ status }) => status === 200)
  expect(served.length).toBeGreaterThan(0)
  for (const { body } of served) expect(Object(body).usage.cost).toBe(0.0516)
  expect(served.length * 0.0516).toBeLessThanOrEqual(0.2)
  expect(server.requests.length).toBe(served.length)
})

test("what a search read for a Decision is charged as reported", async () => {
  await using server = await start(
    { usage: { ...usage, prompt_tokens: 60_000, total_tokens: 60_010, num_search_queries: 1 } },
    {}
  )
  expect(Object((await decide(server)).body).usage.cost).toBe(0.0701)
})

test.each([
  { served: {}, cost: 0.0016 },
  { served: { service_tier: "default" }, cost: 0.0016 },
  { served: { service_tier: "priority" }, cost: 0.016 },
  { served: { model: "at-messages" }, cost: 0.0016 }
])("a Decision is charged at the price of what served: $served", async ({ cost, served }) => {
  const dear = { prompt: "0.00001", completion: "0.0001" }
  await using server = await start(
    { usage, ...served },
    { endpoint: { price: { ...price, overrides: [{ service_tier: "priority", ...dear }] } } }
  )
  expect(Object((await decide(server)).body).usage.cost).toBe(cost)
})
