/** A strict request is a 400 that names what would have no effect, and no provider is called. */
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { chatApis } from "./chatApis.ts"

const answers = speak({ said: [{ text: ["Calm."] }] })

const post = (url: string, key: string, body: object, strict?: string) =>
  send(url, {
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(strict === undefined ? undefined : { "x-signalbox-strict": strict })
    }
  })

const start = (refuseIgnoredFields: boolean) =>
  DialectServer.start({
    instance: { settings: { refuseIgnoredFields } },
    answer: (request, response, dialect) => sendNative(answers[dialect], request, response)
  })

describe.each(chatApis)("$name", ({ base, path }) => {
  test.each([false, true])("by the header, streamed: %s", async (stream) => {
    await using server = await start(false)
    const ask = (dialect: string, more: object, strict?: string) =>
      post(
        `${server.root}${path}`,
        memberKey,
        { ...base, model: `proof/${dialect}`, stream, ...more },
        strict
      )
    for (const dialect of ["chat", "messages", "gemini", "responses"]) {
      const refused = await ask(
        dialect,
        { plugins: [{ id: "web" }], transforms: ["middle-out"] },
        "true"
      )
      expect(refused.status).toBe(400)
      expect(refused.text).toContain("plugins, transforms")
      const plain = await ask(dialect, {}, "true")
      expect(plain.status).toBe(200)
    }
    expect(server.requests).toHaveLength(4)
    const lost = await ask(
      "gemini",
      { parallel_tool_calls: false, metadata: {}, unknown: 1 },
      "true"
    )
    expect(lost.status).toBe(400)
    expect(lost.text).toContain("unknown")
    expect(server.requests).toHaveLength(4)
  })

  test("by the setting, unless the header says otherwise", async () => {
    await using server = await start(true)
    const ask = (strict?: string) =>
      post(
        `${server.root}${path}`,
        memberKey,
        { ...base, model: "proof/chat", plugins: [{ id: "web" }] },
        strict
      )
    const statuses = [await ask(), await ask("true"), await ask("false")].map(
      ({ status }) => status
    )
    expect(statuses).toEqual([400, 400, 200])
  })
})

test("an endpoint that takes the field serves a strict chat", async () => {
  await using server = await start(false)
  const body = {
    model: "proof/all",
    messages: [{ role: "user", content: "hi" }],
    seed: 7,
    provider: { order: ["messages", "responses", "gemini", "chat"] }
  }
  const answer = await post(`${server.root}/api/v1/chat/completions`, memberKey, body, "true")
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
  expect(server.requests.map(({ url }) => url)).toEqual([expect.stringContaining("gemini")])
})

const chatMethod = decisionMethods.find(({ path }) => path.includes("/chat/"))!

test("after a fallback, only what the endpoint that answered ignores is told", async () => {
  await using server = await TestServer.start({ method: chatMethod })
  server.upstreams.first.always(fault.status(500))
  server.upstreams.second.always(
    reply.json({
      id: "c",
      choices: [
        { index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1 }
    })
  )
  const body = {
    model: "proof/model",
    messages: [{ role: "user", content: "hi" }],
    stream_options: { include_obfuscation: true },
    provider: { order: ["first", "second"] }
  }
  const answer = await post(`${server.root}/api/v1/chat/completions`, keys.member, body)
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([
    200,
    "stream_options.include_obfuscation"
  ])
})

test("a Decision tells and refuses misspelt fields at any depth", async () => {
  await using server = await TestServer.start()
  const { questions, ...request } = makeDecisionRequest() as {
    readonly questions: Readonly<Record<string, object>>
  }
  const [name = ""] = Object.keys(questions)
  const body = {
    ...request,
    questions: { ...questions, [name]: { ...questions[name], critera: { true: "it floats" } } },
    calibration: { mode: "off", covrage: 0.9 }
  }
  const url = `${server.root}/api/alpha/decisions`
  const told = await post(url, keys.member, body)
  expect([told.status, told.headers["x-signalbox-ignored"]]).toEqual([
    200,
    `calibration.covrage, questions.${name}.critera`
  ])
  const refused = await post(url, keys.member, body, "true")
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(`questions.${name}.critera`)
})
