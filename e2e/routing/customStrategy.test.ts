import { balanced, leastLatency, type Options, type Strategy } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { fault, pace, ScriptedUpstream } from "@signalbox/testing"
import { expect, test, vi } from "vitest"

const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } } as const
const request = { model: "custom/model", state: "", questions }
const makeRequestFor = (provider: string) => ({ ...request, provider: { only: [provider] } })

/** Starts an instance with custom rules and two providers at the same price. */
const startInstance = async (rules: Pick<Options, "strategy" | "failureRules">) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const providers = { first, second }
  const instance = await Signalbox.make({
    upstreams: Object.entries(providers).map(([slug, { url }]) =>
      openrouter({ slug, name: slug, baseUrl: url, apiKey: "sk-custom-rules" })
    ),
    models: [
      {
        id: "custom/model",
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

test("a custom strategy chooses the first provider", async () => {
  const last: Strategy = { name: "last", first: ({ contenders }) => contenders.at(-1)! }
  await using custom = await startInstance({ strategy: last })
  const decided = await custom.instance.decide(request)
  expect(decided.provider).toBe("second")
  const { ordered, strategy } = await custom.instance.explain(request)
  expect([strategy, ...ordered.map(({ provider }) => provider)]).toEqual([
    "last",
    "second",
    "first"
  ])
})

test("least latency prefers the faster provider once both are measured", async () => {
  await using custom = await startInstance({ strategy: leastLatency({ explore: 0 }) })
  custom.first.always(pace.delay(40))
  for (let i = 0; i < 10; i++) {
    await Promise.all([
      custom.instance.decide(makeRequestFor("first")),
      custom.instance.decide(makeRequestFor("second"))
    ])
  }
  // The measurements used for plans may be one second old.
  await vi.waitFor(
    async () => {
      const { health } = await custom.instance.explain(request)
      expect(Object.values(health.endpoints).map(({ samples }) => samples)).toEqual([10, 10])
    },
    { timeout: 240_000, interval: 20 }
  )
  for (let i = 0; i < 20; i++)
    expect((await custom.instance.decide(request)).provider).toBe("second")
})

test("balanced avoids the provider with more under way, and repeats a plan from what it saw", async () => {
  await using custom = await startInstance({ strategy: balanced() })
  const gate = custom.first.gate()
  custom.first.always(pace.hold(gate))
  const held = Array.from({ length: 3 }, () => custom.instance.decide(makeRequestFor("first")))
  await custom.first.waitForRequests(3)
  const busy = await custom.instance.explain(request)
  expect(busy.health.endpoints["custom/model@first"]).toMatchObject({ inFlight: 3 })
  expect(busy).toMatchObject({ strategy: "balanced", ordered: [{ provider: "second" }, {}] })
  gate.open()
  await Promise.all(held)
  const idle = await custom.instance.explain(request)
  expect(idle.health.endpoints["custom/model@first"]?.inFlight ?? 0).toBe(0)
  const { health, seed } = busy
  expect(await custom.instance.explain(request, { health, seed })).toEqual(busy)
})

test("custom failure rules decide which failures fall back and count against health", async () => {
  const order = { ...request, provider: { order: ["first", "second"] } }
  await using plain = await startInstance({})
  plain.first.always(fault.status(422))
  await expect(plain.instance.decide(order)).rejects.toMatchObject({ status: 400 })
  expect(plain.second.requests).toEqual([])

  await using custom = await startInstance({
    failureRules: {
      bad_request: { fallback: true, health: "failure" },
      server_error: { fallback: false }
    }
  })
  custom.first.always(fault.status(422))
  expect((await custom.instance.decide(order)).provider).toBe("second")
  expect((await custom.instance.health()).endpoints["custom/model@first"]?.errors).toEqual({
    bad_request: 1
  })
  custom.first.always(fault.status(500))
  await expect(custom.instance.decide(order)).rejects.toMatchObject({ status: 502 })
  expect(custom.second.requests.length).toBe(1)

  const unknown = { upstreams: [], models: [], failureRules: JSON.parse('{"no_kind":{}}') }
  await expect(Signalbox.make(unknown)).rejects.toThrow(/no_kind/)
})
