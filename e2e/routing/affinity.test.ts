/** Conversations stay at one provider, also when another instance serves them, and move when it dies. */
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { fault, ScriptedUpstream } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"

const slugs = ["one", "two", "three"] as const

/** Three providers of one model, at one price. */
const startProviders = async (): Promise<ReadonlyArray<ScriptedUpstream>> => {
  const providers = await Promise.all(slugs.map(() => ScriptedUpstream.start()))
  onTestFinished(async () => {
    await Promise.all(providers.map((provider) => provider.close()))
  })
  return providers
}

const startInstance = async (providers: ReadonlyArray<ScriptedUpstream>): Promise<Signalbox> => {
  const instance = await Signalbox.make({
    upstreams: slugs.map((slug, index) =>
      openai({ slug, name: slug, baseUrl: `${providers[index]!.url}/v1`, apiKey: "sk-affinity" })
    ),
    models: [
      {
        id: "proof/talker",
        endpoints: slugs.map((provider) => ({
          provider,
          contextLength: 128_000,
          price: { prompt: "0.000001", completion: "0.000002", input_cache_read: "0.0000001" }
        }))
      }
    ]
  })
  onTestFinished(() => instance.close())
  return instance
}

const conversations = Array.from({ length: 24 }, (_, id) => id)

const makeRequest = (id: number, turn: number) => ({
  model: "proof/talker",
  messages: [
    { role: "system" as const, content: "You are a keeper." },
    { role: "user" as const, content: `Is lamp ${id} lit?` },
    ...Array.from({ length: turn }, (_, answered) => [
      { role: "assistant" as const, content: `Yes, ${answered}.` },
      { role: "user" as const, content: "And now?" }
    ]).flat()
  ]
})

/** The provider of each conversation. */
const ask = (instance: Signalbox, turn: number): Promise<ReadonlyArray<string>> =>
  Promise.all(
    conversations.map(async (id) => (await instance.chat(makeRequest(id, turn))).provider)
  )

test("two instances that share nothing place each conversation at the same provider", async () => {
  const providers = await startProviders()
  const [first, second] = [await startInstance(providers), await startInstance(providers)]
  const placed = await ask(first, 0)
  expect(new Set(placed).size).toBe(3)
  expect(await ask(second, 0)).toEqual(placed)
  expect(await ask(first, 1)).toEqual(placed)
  expect(await ask(second, 2)).toEqual(placed)
})

test("when a provider dies, no request fails, and only its conversations move, once", async () => {
  const providers = await startProviders()
  const instance = await startInstance(providers)
  const before = await ask(instance, 0)
  providers[slugs.indexOf("one")]!.always(fault.status(500))
  const after = await ask(instance, 1)
  expect(after).not.toContain("one")
  const stayed = conversations.filter((id) => before[id] !== "one")
  expect(stayed.map((id) => after[id])).toEqual(stayed.map((id) => before[id]))
  for (const turn of [2, 3, 4]) expect(await ask(instance, turn)).toEqual(after)
  const plans = await Promise.all(conversations.map((id) => instance.explain(makeRequest(id, 5))))
  expect(plans.map(({ ordered }) => ordered[0]?.provider)).toEqual(after)
  expect(plans.map(({ affinity }) => affinity?.did)).toEqual(
    before.map((provider) => (provider === "one" ? "kept" : "placed"))
  )
  // The explanation repeats its plan.
  for (const [id, { affinity, health, seed, ...plan }] of plans.entries()) {
    expect(await instance.explain(makeRequest(id, 5), { affinity, health, seed })).toEqual({
      affinity,
      health,
      seed,
      ...plan
    })
  }
})

test("the health of an endpoint has the share of the prompt that came from its cache", async () => {
  const providers = await startProviders()
  const instance = await startInstance(providers)
  await ask(instance, 0)
  const { endpoints } = await instance.health()
  expect(Object.values(endpoints).map(({ cachedShare }) => cachedShare)).toEqual([0, 0, 0])
})
