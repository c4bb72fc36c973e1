/** Replays against budgets that are used up, customers, and persons and workspaces that go away meanwhile. */
import { Signalbox } from "@signalbox/node"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { sqlite } from "@signalbox/sql"
import { describe, expect, onTestFinished, test } from "vitest"

/** A chat costs exactly 0.0012 USD, and reserves as much. */
const start = async (options: Partial<Parameters<typeof Signalbox.make>[0]> = {}) => {
  let asked = Promise.withResolvers<void>()
  let gate: Promise<void> = Promise.resolve()
  const upstream: Upstream = {
    slug: "first",
    name: "First",
    chat: {
      complete: () =>
        Effect.promise(async () => {
          asked.resolve()
          await gate
          return {
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "It is." }], end: { reason: "stop" } }
              }
            ],
            usage: { inputTokens: 100, outputTokens: 10 }
          }
        }),
      stream: () => Stream.empty,
      estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
    }
  }
  const price = { prompt: "0.00001", completion: "0.00002" }
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: ["proof/model", "proof/dear"].map((id) => ({
      id,
      endpoints: [{ provider: "first", price }]
    })),
    sealing: { current: "k1", keys: { k1: "a key that seals what customers write" } },
    workspaceDefaults: { keepContent: true },
    ...options
  })
  onTestFinished(() => instance.close())
  return {
    instance,
    chat: async (caller: Parameters<typeof instance.chat>[1], more: object = {}) =>
      (await instance.chat({ ...chat, ...more }, caller)).id,
    /** Providers answer only when the result is called; `asked` ends when the next is asked. */
    hold: () => {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      asked = Promise.withResolvers()
      return { asked: asked.promise, release: held.resolve }
    }
  }
}

const chat = {
  model: "proof/model",
  messages: [{ role: "user" as const, content: "I am Ada." }],
  max_tokens: 10
}

const ada = { caller: { kind: "member", user: "ada" } } as const

const operator = { caller: { kind: "management", user: "otto" } } as const

const bundles = { small: { budget: { monthly: 0.003 } }, dear: { models: ["proof/dear"] } }

const adaOfAcme = { caller: { kind: "member", user: "ada", workspace: "acme" } } as const

describe.each([
  ["memory", () => ({})],
  ["SQLite", () => ({ stores: sqlite({ path: ":memory:" }) })]
])("on %s", (_, makeOptions) => {
  const startWithCustomer = async () => {
    const started = await start({ bundles, ...makeOptions() })
    await started.instance.customers.create({ slug: "acme", bundle: "small" })
    return { ...started, id: await started.chat(adaOfAcme) }
  }

  test("replays are billed exactly to the budget of a workspace, and refused when it is used up", async () => {
    const { chat, instance } = await start(makeOptions())
    const id = await chat(ada)
    await instance.workspaces.setBudget({
      workspace_ref: "default",
      interval: "monthly",
      limit_usd: 0.003
    })
    const replay = () => instance.generations.replay({ id }, operator)
    const replays = await Promise.allSettled([replay(), replay(), replay()])
    expect(replays.map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
      "rejected"
    ])
    await expect(replay()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("Workspace budget exceeded")
    })
    const { data } = await instance.limits.list({})
    expect(data).toMatchObject([{ settled: 0.0024, reserved: 0 }])
  })

  test("the budget of a customer did not hold for replays of its requests", async () => {
    const { id, instance } = await startWithCustomer()
    await instance.generations.replay({ id }, operator)
    await expect(instance.generations.replay({ id }, operator)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("Workspace budget exceeded")
    })
    const { data } = await instance.customers.usage({ slug: "acme" })
    expect(data).toMatchObject({ spent: 0.0024, budgets: [{ settled: 0.0024, reserved: 0 }] })
  })

  test("the models of a customer's bundle did not hold for replays, nor its suspension", async () => {
    const { id, instance } = await startWithCustomer()
    await instance.customers.update({ slug: "acme", bundle: "dear" })
    const { data } = await instance.generations.previewReplay({ id }, operator)
    expect(data.endpoints).toEqual([])
    await expect(instance.generations.replay({ id }, operator)).rejects.toMatchObject({
      status: 404
    })
    await instance.generations.replay({ id, model: "proof/dear" }, operator)
    await instance.customers.suspend({ slug: "acme" })
    for (const method of ["previewReplay", "replay"] as const) {
      await expect(
        instance.generations[method]({ id, model: "proof/dear" }, operator)
      ).rejects.toMatchObject({ status: 403, message: expect.stringContaining("suspended") })
    }
  })

  test("what replays repeat of a person outlived the erasure of the person", async () => {
    for (const person of [{ user: "ada" }, { external_user: "her customer" }]) {
      const { chat, hold, instance } = await start(makeOptions())
      const id = await chat(ada, { user: "her customer" })
      const { data: first } = await instance.generations.replay({ id }, operator)
      const { data: again } = await instance.generations.replay({ id: first.id }, operator)
      const read = (of: string) => instance.generations.getContent({ id: of }, operator)
      expect(JSON.stringify(await read(again.id))).toContain("I am Ada.")
      const { asked, release } = hold()
      const running = instance.generations.replay({ id }, operator)
      await asked
      await instance.people.erase(person)
      release()
      for (const each of [id, first.id, again.id, (await running).data.id]) {
        await expect(read(each)).rejects.toMatchObject({ status: 404 })
      }
    }
  })

  test("the content of a replay outlived the key of the request that it repeats", async () => {
    const { instance } = await start(makeOptions())
    const { data: key, key: secret } = await instance.keys.create({ name: "a device" })
    const response = await instance.fetch(
      new Request("http://replay.test/api/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(chat)
      })
    )
    const id = response.headers.get("x-generation-id") ?? ""
    const { data } = await instance.generations.replay({ id }, operator)
    await instance.generations.getContent({ id: data.id }, operator)
    await instance.keys.delete({ hash: key.hash })
    await expect(instance.generations.getContent({ id: data.id }, operator)).rejects.toMatchObject({
      status: 404
    })
  })

  test("nothing is kept of a replay whose workspace is deleted while it runs", async () => {
    const { chat, hold, instance } = await start(makeOptions())
    await instance.workspaces.create({ slug: "gone", name: "Gone", keep_content: true })
    const id = await chat({ caller: { kind: "member", user: "ada", workspace: "gone" } })
    const { asked, release } = hold()
    const running = instance.generations.replay({ id }, operator)
    await asked
    await instance.workspaces.delete({ id: "gone" })
    release()
    const { data } = await running
    for (const each of [id, data.id]) {
      await expect(instance.generations.getContent({ id: each }, operator)).rejects.toMatchObject({
        status: 404
      })
    }
    await expect(instance.generations.replay({ id }, operator)).rejects.toMatchObject({
      status: 404
    })
  })
})
