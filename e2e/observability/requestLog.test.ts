/** `log: true` as an operator sees it on standard output. */
import type { ChatEvent } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test, vi } from "vitest"
import { nodeHost } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import {
  makeDecisionRequest,
  AccountTestServer,
  accountKeys
} from "../support/AccountTestServer.ts"
import { send } from "../support/send.ts"

const hosts = pickHosts(import.meta.filename)

/** What was written to standard output, line by line. */
const captureOutput = () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return () => log.mock.calls.map((parts) => parts.join(" "))
}

test.each(hosts)("is a line of JSON for each request, from $name", async (host) => {
  const lines = captureOutput()
  const server = await AccountTestServer.start({ host, log: true })
  const headers = {
    authorization: `Bearer ${accountKeys.member}`,
    "content-type": "application/json",
    "x-request-id": "r-1"
  }
  const chat = { model: "proof/model", messages: [{ role: "user", content: "charged" }] }
  const requests = [
    [
      "/api/alpha/decisions?secret=1",
      { body: JSON.stringify(makeDecisionRequest({ user: "u-1" })), headers }
    ],
    ["/api/v1/chat/completions", { body: JSON.stringify(chat), headers }],
    ["/api/v1/chat/completions", { body: "{", headers }],
    ["/api/v1/generation?id=charged", { method: "GET", headers }],
    ["/api/v1/charged", { method: "GET" }]
  ] as const
  for (const [path, sending] of requests) await send(server.root + path, sending)
  await server[Symbol.asyncDispose]()
  const records = lines().map((line): unknown => JSON.parse(line))
  expect(records).toEqual(
    [
      {
        method: "POST",
        path: "/api/alpha/decisions",
        status: 200,
        model: "proof/model",
        provider: "First",
        costUsd: 26e-6
      },
      {
        method: "POST",
        path: "/api/v1/chat/completions",
        status: 200,
        operation: "chat",
        outcome: "answered"
      },
      { method: "POST", path: "/api/v1/chat/completions", status: 400 },
      { method: "GET", path: "/api/v1/generation", status: 404 },
      { method: "GET", path: "unknown", status: 404, requestId: expect.stringMatching(/^req-/) }
    ].map((line) =>
      expect.objectContaining({
        level: "INFO",
        message: "request",
        requestId: "r-1",
        durationMillis: expect.any(Number),
        ...line
      })
    )
  )
  const all = lines().join("")
  for (const secret of [...Object.values(accountKeys), "charged", "urgent", "u-1", "secret"]) {
    expect(all).not.toContain(secret)
  }
})

test("is one readable line where people read it", async () => {
  const { isTTY } = process.stdout
  process.stdout.isTTY = true
  onTestFinished(() => {
    process.stdout.isTTY = isTTY
  })
  const lines = captureOutput()
  await using server = await AccountTestServer.start({ log: true })
  await server.decide()
  await vi.waitFor(() => expect(lines()).toHaveLength(1))
  expect(lines()[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} POST \/api\/alpha\/decisions 200 \d+ ms proof\/model First 0.000026 USD req-\S+$/
  )
})

test("is a line for what the application asks in process", async () => {
  const lines = captureOutput()
  const server = await AccountTestServer.start({ log: true })
  await server.instance.decide({
    model: "proof/model",
    state: "x",
    questions: { urgent: { type: "noul", instructions: "?" } }
  })
  await server[Symbol.asyncDispose]()
  expect(lines().map((line): unknown => JSON.parse(line))).toMatchObject([
    { message: "generation", operation: "decisions", provider: "First" }
  ])
})

const makeChunk = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

test("comes when the last piece of a stream is out, and tells what it was", async () => {
  const lines = captureOutput()
  const release = Promise.withResolvers<void>()
  const instance = await Signalbox.make({
    upstreams: [
      {
        slug: "first",
        name: "First",
        chat: {
          estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
          complete: () => Effect.die("unexpected call"),
          stream: () =>
            Stream.make(makeChunk("charged")).pipe(
              Stream.concat(Stream.fromEffectDrain(Effect.promise(() => release.promise))),
              Stream.concat(
                Stream.make<[ChatEvent]>({
                  type: "end",
                  usage: { inputTokens: 3, outputTokens: 2 }
                })
              )
            )
        }
      }
    ],
    models: [
      {
        id: "proof/talk",
        endpoints: [{ provider: "first", price: { prompt: "1e-6" }, contextLength: 8_192 }]
      }
    ],
    keys: [{ key: "sk-talk", kind: "member", user: "ada" }],
    log: true
  })
  const host = await nodeHost.start(instance, "")
  const response = await fetch(`${host.origin}/api/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-talk", "content-type": "application/json" },
    body: JSON.stringify({
      model: "proof/talk",
      stream: true,
      messages: [{ role: "user", content: "?" }]
    })
  })
  expect(response.headers.get("x-request-id")).toMatch(/^req-/)
  expect(lines()).toEqual([])
  release.resolve()
  expect(await response.text()).toContain("[DONE]")
  await instance.close()
  await host.close()
  expect(lines().map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      message: "request",
      path: "/api/v1/chat/completions",
      status: 200,
      outcome: "answered",
      provider: "First",
      outputTokens: 2,
      requestId: response.headers.get("x-request-id")
    }
  ])
})
