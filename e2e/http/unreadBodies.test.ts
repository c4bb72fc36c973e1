/** Operations that take no body do not read one: they say so, and the connection serves the next request. */
import { Agent, type IncomingMessage, request as sendRequest } from "node:http"
import { text } from "node:stream/consumers"
import { operations } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import { describe, expect, onTestFinished, test } from "vitest"
import { hosts, nodeHost } from "../support/hosts.ts"

const key = "sk-unread-bodies-management-4d1c"
const id = "00000000-0000-4000-8000-000000000000"

const start = async (host: (typeof hosts)[number]) => {
  const instance = await Signalbox.make({
    upstreams: [],
    models: [],
    keys: [{ key, kind: "management" }]
  })
  const { close, origin } = await host.start(instance, "")
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(async () => {
    agent.destroy()
    await close()
    await instance.close()
  })
  const send = async (
    method: string,
    path: string,
    { body = "", isChunked = false }: { readonly body?: string; readonly isChunked?: boolean } = {}
  ) => {
    const sent = sendRequest(`${origin}/api/v1${path}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === "" ? undefined : { "content-type": "application/json" }),
        ...(isChunked ? { "transfer-encoding": "chunked" } : { "content-length": body.length })
      }
    })
    // After the answer, an error while sending the rest of the body does not count.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve).on("error", reject).end(body)
    })
    return {
      status: response.statusCode,
      ignored: response.headers["x-signalbox-ignored"],
      connection: sent.socket?.localPort,
      text: await text(response)
    }
  }
  return { send }
}

/** What would be answered as a request of its own, if the connection were read on behind the headers. */
const smuggled = (bytes: number): string => {
  const line = "DELETE /api/v1/keys/smuggled HTTP/1.1\r\nhost: a\r\n\r\n"
  return line.repeat(Math.ceil(bytes / line.length))
}

const requests: ReadonlyArray<readonly [method: string, path: string, status: number]> = [
  ["GET", "/keys", 200],
  ["DELETE", `/keys/${id}`, 404],
  ["POST", `/signalbox/deliveries/${id}/redeliver`, 404]
]

/** The fourth is a server of the tests themselves. */
describe.each(hosts.filter(({ name }) => name !== "web handler"))("behind $name", (host) => {
  test.each(requests)(
    "%s %s names a body, and the connection stays usable",
    async (method, path, status) => {
      const { send } = await start(host)
      for (const isChunked of [false, true]) {
        for (const bytes of [1_000, 1_000_000]) {
          const answer = await send(method, path, { body: smuggled(bytes), isChunked })
          expect([answer.status, answer.ignored]).toEqual([status, "body"])
          const next = await send("GET", "/signalbox/live")
          expect([next.status, next.ignored]).toEqual([200, undefined])
          // A short rest is read and dropped; a long one, or one of unknown length, ends the connection.
          const isReusable = bytes === 1_000 && !isChunked
          expect(!isReusable || next.connection === answer.connection).toBe(true)
        }
      }
    }
  )

  test.each(requests)("%s %s takes no body and {} alike", async (method, path, status) => {
    const { send } = await start(host)
    const answers = [await send(method, path), await send(method, path, { body: "{}" })]
    for (const answer of answers)
      expect([answer.status, answer.ignored]).toEqual([status, undefined])
    expect(answers[1]?.connection).toBe(answers[0]?.connection)
  })
})

/** Answered before anything of a request is looked at. */
const fixed = new Set([
  "/api/v1/docs",
  "/api/v1/openapi.json",
  "/api/v1/signalbox/live",
  "/api/v1/signalbox/ready"
])

test("every GET and DELETE names a body that it does not read", async () => {
  const { send } = await start(nodeHost)
  const silent = []
  for (const { method, path } of operations) {
    if ((method !== "GET" && method !== "DELETE") || path.endsWith("/events")) continue
    const { ignored, status } = await send(method, path.replace("/api/v1", ""), {
      body: smuggled(99)
    })
    // Others are refused before their input is read.
    if ((status === 200 || status === 404) && ignored !== "body") silent.push(path)
  }
  expect(new Set(silent)).toEqual(fixed)
})
