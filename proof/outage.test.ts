import { fault, reply } from "@signalbox/testing"
import { expect, test, vi } from "vitest"
import { property } from "./property.ts"
import { nameOf, request, Stage } from "./Stage.ts"

const interval = 300
const settings = {
  breakerMinSamples: 5,
  breakerProbeIntervalMillis: interval,
  breakerRampMillis: interval
}

const onlyFirst = request({ provider: { only: ["first"] } })

const breakerOf = async ({ box }: Stage) =>
  (await box.health()).endpoints["proof/model@first"]?.breaker

/** So many requests, so many at once; who answered them, and how long all of it took. */
const crowd = async (stage: Stage, requests: number, atOnce: number) => {
  const started = performance.now()
  const providers: Array<unknown> = []
  let left = requests
  const worker = async () => {
    while (left-- > 0) {
      const { body, status } = await stage.ask()
      providers.push(status === 200 ? property(body, "provider") : status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { providers, millis: performance.now() - started }
}

test("an outage of the first provider costs one attempt in an interval, and no caller an answer", async () => {
  await using stage = await Stage.open({ settings })
  const { first } = stage.upstreams
  first.always(fault.status(500))
  const before = await crowd(stage, 20, 4)
  expect(new Set(before.providers)).toEqual(new Set([nameOf("second")]))
  expect(await breakerOf(stage)).toMatchObject({
    state: "open",
    cause: expect.stringMatching(/^\d+ of \d+ failed/)
  })

  const seen = first.requests.length
  const during = await crowd(stage, 300, 8)
  expect(new Set(during.providers)).toEqual(new Set([nameOf("second")]))
  expect(first.requests.length - seen).toBeLessThanOrEqual(Math.floor(during.millis / interval) + 1)

  first.always(reply.decision())
  // The next probe succeeds, then its share grows until it has all of its traffic again.
  await vi.waitFor(
    async () => {
      expect((await stage.ask()).status).toBe(200)
      expect(await breakerOf(stage)).toMatchObject({ state: "closed" })
    },
    { timeout: 60_000, interval: 5 }
  )
  const after = await crowd(stage, 20, 4)
  expect(new Set(after.providers)).toEqual(new Set([nameOf("first")]))
})

test("a provider that asks for time gets it", async () => {
  await using stage = await Stage.open()
  const { first } = stage.upstreams
  first.always(fault.status(429, { retryAfter: 3_600 }))
  expect(property((await stage.ask()).body, "provider")).toBe(nameOf("second"))
  expect(await breakerOf(stage)).toMatchObject({ state: "backing_off" })
  const { providers } = await crowd(stage, 100, 4)
  expect(new Set(providers)).toEqual(new Set([nameOf("second")]))
  expect(first.requests.length).toBe(1)
})

test("the only provider is asked however often it fails, and whatever it asks for", async () => {
  await using stage = await Stage.open({ settings })
  const { first } = stage.upstreams
  first.script(...Array.from({ length: 20 }, () => fault.status(500)))
  for (let i = 0; i < 20; i++) expect((await stage.ask(onlyFirst)).status).toBe(502)
  expect(await breakerOf(stage)).toMatchObject({ state: "open" })
  first.script(...Array.from({ length: 5 }, () => fault.status(429, { retryAfter: 30 })))
  for (let i = 0; i < 5; i++) {
    const { headers, status } = await stage.ask(onlyFirst)
    expect([status, headers["retry-after"]]).toEqual([429, "30"])
  }
  expect((await stage.ask(onlyFirst)).status).toBe(200)
  expect(first.requests.length).toBe(26)
})
