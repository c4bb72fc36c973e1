/** The system clock jumps: endpoints are avoided, tried and judged as if it had not. */
import { fault } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { jumpClock } from "../support/jumpClock.ts"
import { TestServer, toProviderName } from "../support/TestServer.ts"

const hourMillis = 3_600_000
const settings = { breakerMinSamples: 5, breakerProbeIntervalMillis: hourMillis }

const getReport = async ({ instance }: TestServer) => {
  const { at, endpoints } = await instance.health()
  return { at, first: endpoints["proof/model@first"] }
}

const expectSecond = async (server: TestServer, count: number) => {
  for (let n = 0; n < count; n++) {
    expect(getProperty((await server.ask()).body, "provider")).toBe(toProviderName("second"))
  }
}

describe.each([
  ["a day forward", 24 * hourMillis],
  ["a day back", -24 * hourMillis],
  ["half an hour back", -hourMillis / 2]
])("a clock that jumps %s", (_, jump) => {
  test("lets no probe through an open breaker before its time, nor moves that away", async () => {
    await using server = await TestServer.start({ settings })
    const { first } = server.upstreams
    first.always(fault.status(500))
    await expectSecond(server, 20)
    const before = await getReport(server)
    expect(before.first?.breaker.state).toBe("open")
    const seen = first.requests.length

    jumpClock(jump)
    await expectSecond(server, 5)
    expect(first.requests).toHaveLength(seen)
    const { at, first: after } = await getReport(server)
    const { breaker } = after ?? {}
    if (breaker?.state !== "open") throw new Error(`the breaker is ${breaker?.state}`)
    expect(breaker.nextProbeAt - breaker.since).toBe(hourMillis)
    expect(breaker.since).toBeLessThanOrEqual(at)
    // What failed in the last minutes is known.
    expect(after?.errors).toEqual(before.first?.errors)
  })

  test("neither ends nor extends the time that a provider asked for", async () => {
    await using server = await TestServer.start({ settings })
    const { first } = server.upstreams
    first.always(fault.status(429, { retryAfter: 300 }))
    await expectSecond(server, 1)
    jumpClock(jump)
    await expectSecond(server, 5)
    expect(first.requests).toHaveLength(1)
    const { at, first: report } = await getReport(server)
    const { breaker } = report ?? {}
    if (breaker?.state !== "backing_off") throw new Error(`the breaker is ${breaker?.state}`)
    expect(breaker.until - breaker.since).toBe(300_000)
    expect(breaker.since).toBeLessThanOrEqual(at)
  })
})
