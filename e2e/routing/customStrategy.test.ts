import { leastLatency, type Options, type Strategy } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { fault, pace, ScriptedUpstream } from "@signalbox/testing"
import { expect, test, vi } from "vitest"

const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } } as const
const request = { model: "own/model", state: "", questions }
const makeRequestFor = (provider: string) => ({ ...request, provider: { only: [provider] } })

/** An instance with its own rules and two providers at one price. */
const startInstance = async (rules: Pick<Options, "strategy" | "failureRules">) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const providers = { first, second }
  const instance = await Signalbox.make({
    upstreams: Object.entries(providers).map(([slug, { url }]) =>
      openrouter({ slug, name: slug, baseUrl: url, apiKey: "sk-own-rules" })
    ),
    models: [
      {
        id: "own/model",
        endpoints: Object.keys(providers).map((provider) => ({
          provider,
          price: { prompt: "0.000001", completion: "0" }
        }))
      }
    ],
    ...rules
  })
  return {
    instance,
    ...providers,
    [Symbol.asyncDispose]: async () => {
      await instance.close()
      await Promise.all([first.close(), second.close()])
    }
  }
}

test("a host's own strategy chooses who goes first", async () => {
  const last: Strategy = { name: "last", first: ({ contenders }) => contenders.at(-1)! }
  await using own = await startInstance({ strategy: last })
  const decided = await own.instance.decide(request)
  expect(decided.provider).toBe("second")
  const { ordered, strategy } = await own.instance.explain(request)
  expect([strategy, ...ordered.map(({ provider }) => provider)]).toEqual([
    "last",
    "second",
    "first"
  ])
})

test("least latency leaves the slow provider for the fast one once both are measured", async () => {
  await using own = await startInstance({ strategy: leastLatency({ explore: 0 }) })
  own.first.always(pace.delay(40))
  for (let i = 0; i < 10; i++) {
    await Promise.all([
      own.instance.decide(makeRequestFor("first")),
      own.instance.decide(makeRequestFor("second"))
    ])
  }
  // What plans are made by may be a second old.
  await vi.waitFor(
    async () => {
      const { health } = await own.instance.explain(request)
      expect(Object.values(health.endpoints).map(({ samples }) => samples)).toEqual([10, 10])
    },
    { timeout: 60_000, interval: 20 }
  )
  for (let i = 0; i < 20; i++) expect((await own.instance.decide(request)).provider).toBe("second")
})

test("a host's own rules say which failures fall back, and which count", async () => {
  const order = { ...request, provider: { order: ["first", "second"] } }
  await using plain = await startInstance({})
  plain.first.always(fault.status(422))
  await expect(plain.instance.decide(order)).rejects.toMatchObject({ status: 400 })
  expect(plain.second.requests).toEqual([])

  await using own = await startInstance({
    failureRules: {
      bad_request: { fallback: true, health: "failure" },
      server_error: { fallback: false }
    }
  })
  own.first.always(fault.status(422))
  expect((await own.instance.decide(order)).provider).toBe("second")
  expect((await own.instance.health()).endpoints["own/model@first"]?.errors).toEqual({
    bad_request: 1
  })
  own.first.always(fault.status(500))
  await expect(own.instance.decide(order)).rejects.toMatchObject({ status: 502 })
  expect(own.second.requests.length).toBe(1)

  const unknown = { upstreams: [], models: [], failureRules: JSON.parse('{"no_kind":{}}') }
  await expect(Signalbox.make(unknown)).rejects.toThrow(/no_kind/)
})
