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

/** What the caller of a request learns, and what its record says. */
const run = async ({ get, paint }: Server, changes?: object) => {
  const answer = await paint({ ...changes })
  const record = await get(`/generation?id=${answer.headers["x-generation-id"]}`)
  const data = getProperty(record.body, "data")
  return {
    status: answer.status,
    error: answer.status === 200 ? undefined : answer.text,
    retryAfter: answer.headers["retry-after"],
    provider: getProperty(data, "provider_name"),
    cost: getProperty(data, "total_cost")
  }
}

const onlyFirst = { provider: { only: ["first"] } }

const passed = { status: 200, provider: "second", cost: 0.05 }

const toStopped = ({ alone, kind, retryAfter }: FailoverScenario) => ({
  status: alone,
  error: expect.stringContaining(kind),
  retryAfter,
  cost: 0
})

test.each(scenarios)(
  "$name is answered by another endpoint, unless the request is at fault",
  async (scenario) => {
    const server = await start(scenario)
    const stopped = toStopped(scenario)
    expect(await run(server)).toMatchObject(scenario.isFinal === true ? stopped : passed)
    expect(await run(server, onlyFirst)).toMatchObject(stopped)
  }
)

/** The timeouts pass in real time, so all trials run at once. Half of the time is for the second provider. */
test("4, 5 and 6: a silent provider times out", async () => {
  const trials = timeoutScenarios.map(async (scenario) =>
    Promise.all([
      start(scenario, 6_000).then((server) => run(server)),
      start(scenario, 1_000).then((server) => run(server, onlyFirst))
    ])
  )
  expect(await Promise.all(trials)).toMatchObject(
    timeoutScenarios.map((scenario) => [passed, toStopped(scenario)])
  )
})

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
