/** Operations of the contract, called in process. */
import { Operations } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect, onTestFinished, test } from "vitest"
import { Signalbox } from "../src/index.ts"

const start = async (): Promise<Signalbox> => {
  const instance = await Signalbox.make({
    upstreams: [],
    models: [],
    sealing: { current: "a", keys: { a: "a sealing key that is hard to guess, for tests" } }
  })
  onTestFinished(() => instance.close())
  return instance
}

test("a key is created, listed, changed and deleted", async () => {
  const { keys } = await start()
  const { data, key } = await keys.create({ name: "ci", limit: 5 })
  expect(key).toMatch(/^sk-/)
  expect((await keys.update({ hash: data.hash, disabled: true })).data.disabled).toBe(true)
  expect(await keys.list()).toEqual({ data: [], total_count: 0 })
  expect((await keys.list({ include_disabled: true, limit: 1 })).data[0]?.hash).toBe(data.hash)
  expect(await keys.delete({ hash: data.hash })).toEqual({ deleted: true })
})

test("queries and bodies are validated by the rules of requests", async () => {
  const { keys, workspaces } = await start()
  await expect(keys.list({ limit: 1000 })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^limit: /)
  })
  await expect(workspaces.create({ name: "", slug: "x" })).rejects.toMatchObject({ status: 400 })
  await expect(keys.get({ hash: "none" })).rejects.toMatchObject({ status: 404 })
})

test("rejects a caller that may not manage the account", async () => {
  const { keys } = await start()
  const caller = { kind: "member", user: "ada" } as const
  await expect(keys.list({}, { caller })).rejects.toMatchObject({ status: 403 })
  expect((await keys.getCurrent({}, { caller })).data.is_management_key).toBe(false)
})

test("lists that HTTP caches as JSON are values", async () => {
  const { guardrails, models, providers } = await start()
  expect(await models.list({ limit: 2 })).toEqual({
    data: [],
    total_count: 0,
    links: { next: null }
  })
  expect(await models.count()).toEqual({ data: { count: 0 } })
  expect(await providers.list()).toEqual({ data: [] })
  expect((await guardrails.list()).data).toEqual([])
})

test("deleting a secret returns nothing", async () => {
  const { vaults } = await start()
  await vaults.put({ name: "token", value: "secret", hosts: ["api.example.com"] })
  expect((await vaults.list()).data).toHaveLength(1)
  expect(await vaults.delete({ name: "token" })).toBeUndefined()
})

test("Effect hosts can call the same operations", async () => {
  const { context } = await start()
  const { credits, keys } = Context.get(context, Operations)
  expect(await Effect.runPromise(credits.get())).toMatchObject({ data: { total_credits: 0 } })
  expect(await Effect.runPromise(Effect.flip(keys.get({ hash: "none" })))).toMatchObject({
    _tag: "ResourceNotFound"
  })
})
