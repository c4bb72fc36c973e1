/** `X-Signalbox-Ignored` names what a response ignored of its request, in every API, whole and streamed. */
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const chatMethod = decisionMethods.find(({ name }) => name === "discrete")!

const whole = reply.json({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 }
})
const streamed = reply.events([
  { data: { id: "c", choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }] } },
  { data: "[DONE]" }
])

const post = ({ root }: { readonly root: string }, path: string, body: object) =>
  send(`${root}${path}`, {
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
  })

const say = [{ role: "user", content: "hi" }]
const apis = [
  { path: "/api/v1/chat/completions", body: { messages: say, max_tokens: 5 } },
  { path: "/api/v1/messages", body: { messages: say, max_tokens: 5 } },
  { path: "/api/v1/responses", body: { input: "hi", max_output_tokens: 50 } }
]

describe.each(apis)("$path", ({ body, path }) => {
  test.each([false, true])(
    "names what the router and the endpoint ignore, streamed: %s",
    async (stream) => {
      await using server = await TestServer.start({ method: chatMethod })
      server.upstreams.first.always(stream ? streamed : whole)
      const ask = (more: object) =>
        post(server, path, {
          ...body,
          model: "proof/model",
          provider: { only: ["first"] },
          stream,
          ...more
        })
      const answer = await ask({ plugins: [{ id: "web" }], top_k: 3 })
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.headers["x-signalbox-ignored"]?.split(", ").toSorted()).toEqual([
        "plugins",
        "top_k"
      ])
      const plain = await ask({})
      expect(plain.headers["x-signalbox-ignored"]).toBeUndefined()
    }
  )
})

test.each([
  {
    path: "/api/v1/messages",
    body: {
      messages: say,
      max_tokens: 5,
      metadata: { user_id: "u" },
      service_tier: "auto",
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      output_config: { effort: "low", task_budget: { type: "tokens", total: 20_000 } },
      flavour: "dry"
    },
    names: ["context_management", "flavour", "output_config.task_budget"]
  },
  {
    path: "/api/v1/responses",
    body: {
      input: "hi",
      store: false,
      metadata: { a: "b" },
      prompt_cache_key: "p",
      truncation: "auto",
      safety_identifier: "s",
      include: ["reasoning.encrypted_content"]
    },
    names: ["truncation", "safety_identifier"]
  }
])("$path names what an endpoint with another API is not sent", async ({ body, names, path }) => {
  await using server = await TestServer.start({ method: chatMethod })
  server.upstreams.first.always(whole)
  const request = { model: "proof/model", provider: { only: ["first"] }, ...body }
  const answer = await post(server, path, request)
  expect(answer).toMatchObject({ status: 200 })
  const ignored = answer.headers["x-signalbox-ignored"]?.split(", ")
  expect(ignored?.filter((name) => name !== "reasoning")).toEqual(names)
})

test("after a fallback, what the router ignores is named once", async () => {
  await using server = await TestServer.start({ method: chatMethod })
  server.upstreams.first.always(fault.status(500))
  server.upstreams.second.always(whole)
  const answer = await post(server, "/api/v1/chat/completions", {
    model: "proof/model",
    messages: say,
    metadata: { ticket: "7" },
    provider: { order: ["first", "second"] }
  })
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, "metadata"])
})

test("a Decision names unknown fields of every name", async () => {
  await using server = await TestServer.start()
  const odd = { "a, b\r\nx-evil: 1": 1, ключ: 1, [`l${"o".repeat(500)}ng`]: 1 }
  const answer = await post(
    server,
    "/api/alpha/decisions",
    makeDecisionRequest({ temperature: 0, ...odd })
  )
  expect(answer.status).toBe(200)
  expect(answer.headers["x-evil"]).toBeUndefined()
  const names = answer.headers["x-signalbox-ignored"]?.split(", ")
  expect(names?.slice(0, 3)).toEqual([
    "temperature",
    "a%2C%20b%0D%0Ax-evil%3A%201",
    "%D0%BA%D0%BB%D1%8E%D1%87"
  ])
  expect(names?.[3]).toMatch(/^lo{99}\.\.\.$/)
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field_${at}`, 1]))
  const bounded = await post(server, "/api/alpha/decisions", makeDecisionRequest(many))
  expect(bounded.headers["x-signalbox-ignored"]).toMatch(/, \+968 more$/)
})

test("a call in process finds them in its route report", async () => {
  await using server = await TestServer.start({ method: chatMethod })
  server.upstreams.first.always(whole)
  const reports: Array<unknown> = []
  await server.instance.chat(
    {
      model: "proof/model",
      messages: [{ role: "user", content: "hi" }],
      provider: { only: ["first"] },
      top_k: 3
    },
    { onRoute: (report) => reports.push(report.ignored) }
  )
  expect(reports.at(-1)).toEqual(["top_k"])
})
