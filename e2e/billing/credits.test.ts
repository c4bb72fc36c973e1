import { defaultAccountId } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { fault, pace, reply, type Step } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import { pickSample, scaleRuns } from "../../vitest.scope.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

/** A request reserves and costs one cent; the credits suffice for fifty. */
const cent = { prompt: "0", completion: "0", request: "0.01" }
const fiftyCents = { price: cent, credits: { default: "0.5" } }
const onlyFirst = makeDecisionRequest({ provider: { only: ["first"] } })

const toCents = (nanoUsd: bigint | undefined): number => Number(nanoUsd) / 1e7

/** The settled and reserved amounts, in cents. */
const getCredits = async ({ instance }: TestServer) => {
  const credits = await Effect.runPromise(
    Context.get(instance.context, Ledger).findCredits(defaultAccountId)
  )
  return { settled: toCents(credits?.settled), reserved: toCents(credits?.reserved) }
}

/** Sends `count` requests concurrently; `refused` resolves when that many of them got a 402. */
const sendConcurrently = (server: TestServer, count: number, refusals: number) => {
  const refused = Promise.withResolvers<void>()
  let left = refusals
  const all = Promise.all(
    Array.from({ length: count }, async () => {
      const { status } = await server.ask(onlyFirst)
      if (status === 402 && --left === 0) refused.resolve()
      return status
    })
  )
  return { all, refused: refused.promise }
}

const countByStatus = (statuses: ReadonlyArray<number>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [
      status,
      statuses.filter((each) => each === status).length
    ])
  )

const repeatStep = (count: number, step: Step): ReadonlyArray<Step> =>
  Array.from({ length: count }, () => step)

test("credits for fifty requests serve fifty of two hundred concurrent ones", async () => {
  await using server = await TestServer.start(fiftyCents)
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(pace.hold(gate))
  const { all, refused } = sendConcurrently(server, 200, 150)
  await Promise.all([first.waitForRequests(50), refused])
  expect(await getCredits(server)).toEqual({ settled: 0, reserved: 50 })
  expect(server.calls).toEqual({ first: 50, second: 0 })
  gate.open()
  expect(countByStatus(await all)).toEqual({ 200: 50, 402: 150 })
  expect(await getCredits(server)).toEqual({ settled: 50, reserved: 0 })
  expect((await server.ask(onlyFirst)).status).toBe(402)
  await server.instance.grantCredits("0.02")
  expect(countByStatus(await sendConcurrently(server, 20, 18).all)).toEqual({ 200: 2, 402: 18 })
  expect(first.requests.length).toBe(52)
})

test("reservations of failed requests are released", async () => {
  await using server = await TestServer.start(fiftyCents)
  const { first } = server.upstreams
  const gate = first.gate()
  first.script(...repeatStep(30, pace.hold(gate, "request_body", fault.status(500))))
  first.always(pace.hold(gate))
  const wave = sendConcurrently(server, 200, 150)
  await Promise.all([first.waitForRequests(50), wave.refused])
  gate.open()
  expect(countByStatus(await wave.all)).toEqual({ 200: 20, 402: 150, 502: 30 })
  expect(await getCredits(server)).toEqual({ settled: 20, reserved: 0 })
  expect(countByStatus(await sendConcurrently(server, 200, 170).all)).toEqual({ 200: 30, 402: 170 })
  expect(await getCredits(server)).toEqual({ settled: 50, reserved: 0 })
})

test("callers who disconnect pay for the provider calls made, and their reservations are released", async () => {
  await using server = await TestServer.start(fiftyCents)
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(pace.hold(gate))
  const leaving = new AbortController()
  const gone = Array.from({ length: 20 }, () =>
    server.ask(onlyFirst, { signal: leaving.signal }).catch(() => "gone")
  )
  await first.waitForRequests(20)
  const staying = sendConcurrently(server, 30, 0)
  await first.waitForRequests(50)
  expect((await server.ask(onlyFirst)).status).toBe(402)
  leaving.abort()
  await first.waitForAborts(20)
  expect(await Promise.all(gone)).toEqual(gone.map(() => "gone"))
  await vi.waitFor(
    async () => expect(await getCredits(server)).toEqual({ settled: 20, reserved: 30 }),
    { timeout: 240_000, interval: 5 }
  )
  expect((await server.ask(onlyFirst)).status).toBe(402)
  await server.instance.grantCredits("0.2")
  const next = sendConcurrently(server, 200, 180)
  await Promise.all([first.waitForRequests(70), next.refused])
  gate.open()
  expect(countByStatus(await staying.all)).toEqual({ 200: 30 })
  expect(countByStatus(await next.all)).toEqual({ 200: 20, 402: 180 })
  expect(await getCredits(server)).toEqual({ settled: 70, reserved: 0 })
})

describe.each(pickSample(decisionMethods, 2))("with the method $name", (method) => {
  const byToken = { method, price: { prompt: "0.001", completion: "0.001", request: "0.01" } }

  test("the excess of a reservation is released when the cost is settled", async () => {
    // A request reserves dollars and costs a few cents.
    await using server = await TestServer.start({ ...byToken, credits: { default: "20" } })
    const usage = { inputTokens: 5, outputTokens: 5 }
    server.upstreams.first.always(reply.decision({}, { usage }))
    // A call costs one cent for its tokens and one cent per request.
    const each = method.name === "logprobs" ? 6 : 2
    for (const served of Array.from({ length: 10 }, (_, i) => i + 1)) {
      const answer = await server.ask(onlyFirst)
      expect(getProperty(getProperty(answer.body, "usage"), "cost")).toBe(each / 100)
      expect(await getCredits(server)).toEqual({ settled: served * each, reserved: 0 })
    }
  })

  test("the ledger balances and every response states its cost, whether requests succeed or fail", async () => {
    const steps: ReadonlyArray<Step> = [
      reply.decision(),
      fault.status(500),
      fault.status(429),
      fault.drop("request_body"),
      fault.truncated(),
      fault.notJson(),
      fault.flawed("wrong_type"),
      fault.refusal()
    ]
    const script = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(script, script, async (first, second) => {
        await using server = await TestServer.start({ ...byToken, credits: { default: "30" } })
        server.upstreams.first.script(...first)
        server.upstreams.second.script(...second)
        const costs = await Promise.all(
          Array.from({ length: 12 }, async () => {
            const { body, status } = await server.ask()
            const { reserved, settled } = await getCredits(server)
            expect(settled + reserved).toBeLessThanOrEqual(3_000)
            if (status !== 200) return 0
            return (
              Math.round(Number(getProperty(getProperty(body, "usage"), "cost")) * 100_000) / 1_000
            )
          })
        )
        const { reserved, settled } = await getCredits(server)
        expect(reserved).toBe(0)
        // Failed requests may have cost something as well.
        expect(settled).toBeGreaterThanOrEqual(costs.reduce((sum, cost) => sum + cost, 0) - 1e-6)
      }),
      { numRuns: scaleRuns(10) }
    )
  })

  test("a failed attempt that the provider charges for is billed and included in the cost", async () => {
    await using server = await TestServer.start({ method, ...fiftyCents })
    const { first } = server.upstreams
    first.always(fault.flawed("wrong_type"))
    const answer = await server.ask()
    expect(answer.status).toBe(200)
    // With logprobs, four calls fail, including the fallback to another method, and three succeed.
    const paid = method.name === "logprobs" ? 7 : 2
    expect(getProperty(getProperty(answer.body, "usage"), "cost")).toBe(paid / 100)
    expect(await getCredits(server)).toEqual({ settled: paid, reserved: 0 })
  })
})
