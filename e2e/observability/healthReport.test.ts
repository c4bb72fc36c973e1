/** What an instance says of its endpoints: all, those that fail, or none, where it has tried many. */
import { fault, reply } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const start = async () => {
  const server = await TestServer.start({ method: decisionMethods[0]! })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { first, second } = server.upstreams
  first.always(fault.status(503))
  second.always(reply.decision())
  // Ten failures open the breaker.
  for (let at = 0; at < 12; at++) {
    await server.instance.decide({
      ...makeDecisionRequest(),
      provider: { order: ["first", "second"] }
    })
  }
  const read = async (query: string) => {
    const { status, text } = await send(`${server.root}/api/v1/signalbox/health${query}`, {
      method: "GET",
      headers: { authorization: `Bearer ${keys.management}` }
    })
    return { status, ...JSON.parse(text) }
  }
  return { instance: server.instance, read }
}

test("the health report has all endpoints that were tried, those that fail, or none", async () => {
  const { instance, read } = await start()
  const all = await read("")
  expect(Object.keys(all.data.endpoints)).toHaveLength(2)
  expect((await read("?endpoints=all")).data.endpoints).toEqual(all.data.endpoints)
  const unhealthy = await read("?endpoints=unhealthy")
  expect(Object.keys(unhealthy.data.endpoints)).toEqual([expect.stringContaining("@first")])
  const none = await read("?endpoints=none")
  expect(none.data).toMatchObject({ endpoints: {}, status: "ready" })
  expect((await instance.health({ endpoints: "unhealthy" })).endpoints).toEqual(
    expect.objectContaining({ [Object.keys(unhealthy.data.endpoints)[0] ?? ""]: expect.anything() })
  )
  expect(Object.keys((await instance.health()).endpoints)).toHaveLength(2)
})

test("a wrong choice of endpoints is a 400 that names the choices", async () => {
  const { read } = await start()
  const wrong = await read("?endpoints=some")
  expect(wrong.status).toBe(400)
  expect(wrong.error.message).toContain("unhealthy")
})
