import { fault, reply } from "@signalbox/testing"
import { expect, test, vi } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { toProviderName, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const interval = 300
const settings = {
  breakerMinSamples: 5,
  breakerProbeIntervalMillis: interval,
  breakerRampMillis: interval
}

const onlyFirst = makeDecisionRequest({ provider: { only: ["first"] } })

const getBreaker = async ({ instance }: TestServer) =>
  (await instance.health()).endpoints["proof/model@first"]?.breaker

/** Sends requests with the given concurrency; returns the serving providers and the duration. */
const sendConcurrently = async (server: TestServer, requests: number, concurrency: number) => {
  const started = performance.now()
  const providers: Array<unknown> = []
  let left = requests
  const worker = async () => {
    while (left-- > 0) {
      const { body, status } = await server.ask()
      providers.push(status === 200 ? getProperty(body, "provider") : status)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { providers, millis: performance.now() - started }
}

test("an outage of the first provider costs one probe per interval and no failed request", async () => {
  await using server = await TestServer.start({ settings })
  const { first } = server.upstreams
  first.always(fault.status(500))
  const before = await sendConcurrently(server, 20, 4)
  expect(new Set(before.providers)).toEqual(new Set([toProviderName("second")]))
  expect(await getBreaker(server)).toMatchObject({
    state: "open",
    cause: expect.stringMatching(/^\d+ of \d+ failed/)
  })

  const seen = first.requests.length
  const during = await sendConcurrently(server, 300, 8)
  expect(new Set(during.providers)).toEqual(new Set([toProviderName("second")]))
  expect(first.requests.length - seen).toBeLessThanOrEqual(Math.floor(during.millis / interval) + 1)

  first.always(reply.decision())
  // After a successful probe, the provider's share of the traffic grows until it is restored.
  await vi.waitFor(
    async () => {
      expect((await server.ask()).status).toBe(200)
      expect(await getBreaker(server)).toMatchObject({ state: "closed" })
    },
    { timeout: 240_000, interval: 5 }
  )
  const after = await sendConcurrently(server, 20, 4)
  expect(new Set(after.providers)).toEqual(new Set([toProviderName("first")]))
})

test("a provider is not called again before its retry-after time", async () => {
  await using server = await TestServer.start()
  const { first } = server.upstreams
  first.always(fault.status(429, { retryAfter: 3_600 }))
  expect(getProperty((await server.ask()).body, "provider")).toBe(toProviderName("second"))
  expect(await getBreaker(server)).toMatchObject({ state: "backing_off" })
  const { providers } = await sendConcurrently(server, 100, 4)
  expect(new Set(providers)).toEqual(new Set([toProviderName("second")]))
  expect(first.requests.length).toBe(1)
})

test("the only provider is called even with an open breaker and during its retry-after time", async () => {
  await using server = await TestServer.start({ settings })
  const { first } = server.upstreams
  first.script(...Array.from({ length: 20 }, () => fault.status(500)))
  for (let i = 0; i < 20; i++) expect((await server.ask(onlyFirst)).status).toBe(502)
  expect(await getBreaker(server)).toMatchObject({ state: "open" })
  first.script(...Array.from({ length: 5 }, () => fault.status(429, { retryAfter: 30 })))
  for (let i = 0; i < 5; i++) {
    const { headers, status } = await server.ask(onlyFirst)
    expect([status, headers["retry-after"]]).toEqual([429, "30"])
  }
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(first.requests.length).toBe(26)
})
