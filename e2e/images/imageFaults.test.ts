/** The failures of providers, for images: another endpoint serves, and nobody pays for what failed. */
import { fault, reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import {
  type FailoverScenario,
  failoverScenarios,
  timeoutScenarios
} from "../routing/failoverScenarios.ts"
import { getProperty } from "../support/getProperty.ts"
import { startImageServer } from "./startImageServer.ts"

/** Those of chats and Decisions alone are left out. */
const scenarios = failoverScenarios
  .filter(({ name }) => !/^(?:13. answer cut|15)/.test(name))
  .concat({
    name: "15. refusal",
    step: fault.refusal("filter"),
    kind: "content_refused",
    answered: 400,
    alone: 400,
    isFinal: true
  })

type Server = Awaited<ReturnType<typeof start>>

const start = async ({ server, step }: FailoverScenario, imageTimeoutMillis?: number) => {
  const started = await startImageServer({
    ...(server?.tls === undefined ? undefined : { tls: server.tls }),
    ...(server?.toFirstUrl === undefined ? undefined : { toFirstUrl: server.toFirstUrl }),
    ...(imageTimeoutMillis === undefined ? undefined : { settings: { imageTimeoutMillis } }),
    credits: { default: "1" }
  })
  if (step !== undefined) started.first.always(step)
  return started
}

const getRecord = async ({ get }: Server, id: string | undefined) =>
  getProperty((await get(`/generation?id=${id}`)).body, "data")

const expectPassed = async (server: Server, { alone, isFinal = false }: FailoverScenario) => {
  const passed = await server.paint()
  expect(passed).toMatchObject(
    isFinal
      ? { status: alone }
      : { status: 200, body: { provider: "second", usage: { cost: 0.05 } } }
  )
  const record = await getRecord(server, passed.headers["x-generation-id"])
  expect(record).toMatchObject({ total_cost: isFinal ? 0 : 0.05 })
}

const expectStopped = async (server: Server, { alone, kind, retryAfter }: FailoverScenario) => {
  const stopped = await server.paint({ provider: { only: ["first"] } })
  expect(stopped.status).toBe(alone)
  expect(stopped.headers["retry-after"]).toBe(retryAfter)
  expect(stopped.text).toContain(kind)
  const failed = await getRecord(server, stopped.headers["x-generation-id"])
  expect(failed).toMatchObject({ total_cost: 0 })
}

test.each(scenarios)(
  "$name is answered by another endpoint, unless the request is at fault",
  async (scenario) => {
    const server = await start(scenario)
    await expectPassed(server, scenario)
    await expectStopped(server, scenario)
  }
)

/** The timeouts pass in real time, so all trials run at once. Half of the time is for the second provider. */
test("4, 5 and 6: a silent provider times out", () =>
  Promise.all(
    timeoutScenarios.flatMap((scenario) => [
      start(scenario, 6_000).then((server) => expectPassed(server, scenario)),
      start(scenario, 1_000).then((server) => expectStopped(server, scenario))
    ])
  ))

test("16. a client that leaves a stream ends the call at the provider", async () => {
  const { first, post } = await startImageServer({ credits: { default: "1" } })
  first.always(reply.images({ beforeImages: first.gate() }))
  const leaving = new AbortController()
  const left = post(
    "/images/generations",
    { model: "proof/paint", prompt: "A lighthouse", stream: true, provider: { only: ["first"] } },
    { signal: leaving.signal }
  )
  await first.waitForRequests(1)
  leaving.abort()
  await expect(left).rejects.toThrow(/abort/i)
  await first.waitForAborts(1)
})
