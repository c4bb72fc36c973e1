import { inspect } from "node:util"
import { defaultAccountId } from "@signalbox/core"
import { CredentialStore } from "@signalbox/core/stores"
import type { BYOKProviderSlug } from "@openrouter/sdk/models"
import { fault, reply } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { send } from "../support/send.ts"
import { keys, questions, TestServer, toUpstreamKey } from "../support/TestServer.ts"

const hosts = pickHosts(import.meta.filename)

const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
const cent = { price: { prompt: "0", completion: "0", request: "0.01" } }

const makeSecret = (name: string) => `sk-customer-${name}-5d0f1c9e7b`

const decisionsRequest = {
  model: "proof/model",
  state: "I was charged twice!",
  questions,
  provider: { order: ["second", "first"] }
}

const ask = (server: TestServer, key: string = keys.member) =>
  makeClient(server, key).systemOne.create({ decisionsRequest })

/** The secrets that the calls to an upstream carried, in order. */
const listSecretsSent = ({ upstreams }: TestServer, slug: "first" | "second") =>
  upstreams[slug].requests.map(({ headers }) => headers["authorization"])

const toBearer = (secret: string) => `Bearer ${secret}`

/** The client's provider type is an open enum that does not list the providers of this server. */
const createCredential = (server: TestServer, provider: string, name: string, rest: object = {}) =>
  makeClient(server, keys.management)
    .byok.create({
      createBYOKKeyRequest: {
        provider: provider as BYOKProviderSlug,
        key: makeSecret(name),
        name,
        ...rest
      }
    })
    .then(({ data }) => data)

/** Sends a management request that the reference client does not support. */
const manage = ({ root }: TestServer, method: string, path: string, body?: object) =>
  send(`${root}/api/v1/${path}`, {
    method,
    headers: { authorization: toBearer(keys.management), "content-type": "application/json" },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })

const getStatus = (failed: unknown) => (failed as { readonly statusCode?: number }).statusCode

describe.each(hosts)("BYOK credentials in the reference client, against $name", (host) => {
  const serverOptions = { host, mount: "/behind/ai", sealing }

  test("are created, listed, retrieved, updated and deleted", async () => {
    await using server = await TestServer.start(serverOptions)
    const { byok } = makeClient(server, keys.management)
    const made = await createCredential(server, "first", "one", { allowedModels: ["proof/model"] })
    expect(made).toMatchObject({
      name: "one",
      label: "sk-c...7b",
      provider: "first",
      workspaceId: "00000000-0000-4000-8000-000000000000",
      allowedModels: ["proof/model"],
      allowedUserIds: null,
      allowedApiKeyHashes: null,
      declaredZdr: null,
      disabled: false,
      isByokOnly: false,
      isFallback: false,
      isRequired: false,
      sortOrder: 0
    })
    const other = await createCredential(server, "second", "two")
    const pages = await byok.list()
    expect(pages.result).toEqual({ data: [made, other], totalCount: 2 })
    const ofSecond = await byok.list({ provider: "second" as BYOKProviderSlug, limit: 1 })
    expect(ofSecond.result).toEqual({ data: [other], totalCount: 1 })
    expect((await byok.get({ id: made.id })).data).toEqual(made)
    const { data: changed } = await byok.update({
      id: made.id,
      updateBYOKKeyRequest: { name: null, key: "sk-another-secret-0123456789", isFallback: true }
    })
    expect(changed).toEqual({ ...made, name: "", label: "sk-an...89", isFallback: true })
    expect(await byok.delete({ id: made.id })).toEqual({ deleted: true })
    expect(getStatus(await byok.get({ id: made.id }).catch((error: unknown) => error))).toBe(404)
    expect((await byok.list()).result.data).toEqual([other])
  })

  test("are tried in their order before the host's credential, each with its own secret", async () => {
    await using server = await TestServer.start(serverOptions)
    const { first, second } = server.upstreams
    await createCredential(server, "first", "last", { isFallback: true })
    await createCredential(server, "first", "one")
    await createCredential(server, "first", "two")
    first.script(
      fault.status(401),
      fault.status(429),
      fault.status(500),
      fault.status(403),
      reply.decision()
    )
    second.script(fault.status(500))
    expect(getStatus(await ask(server).catch((error: unknown) => error))).toBe(502)
    expect(listSecretsSent(server, "first")).toEqual([
      toBearer(makeSecret("one")),
      toBearer(makeSecret("two")),
      toBearer(toUpstreamKey("first")),
      toBearer(makeSecret("last"))
    ])
    expect(listSecretsSent(server, "second")).toEqual([toBearer(toUpstreamKey("second"))])
  })

  test("require a management key", async () => {
    await using server = await TestServer.start(serverOptions)
    for (const key of [keys.member, keys.organization]) {
      const { byok } = makeClient(server, key)
      for (const refused of [byok.list(), byok.get({ id: "x" }), byok.delete({ id: "x" })]) {
        expect(getStatus(await refused.catch((error: unknown) => error))).toBe(403)
      }
    }
  })
})

test("a rejected credential is skipped, reported to its owner, and not counted against the budget", async () => {
  await using server = await TestServer.start({
    ...cent,
    sealing,
    credits: { default: "0.01" },
    settings: { maxAttempts: 1 }
  })
  server.upstreams.first.script(fault.status(401), fault.status(402), reply.decision())
  const one = await createCredential(server, "first", "one")
  await createCredential(server, "first", "two")
  const three = await createCredential(server, "first", "three")
  const answer = await server.ask(
    { ...decisionsRequest, provider: {} },
    { headers: { "x-openrouter-metadata": "enabled" } }
  )
  expect(answer.status).toBe(200)
  expect(listSecretsSent(server, "first")).toEqual(
    ["one", "two", "three"].map((n) => toBearer(makeSecret(n)))
  )
  const body = JSON.parse(answer.text)
  expect(body.usage.cost).toBe(0)
  expect(body.openrouter_metadata).toMatchObject({ is_byok: true, attempt: 3 })
  expect(await server.generation(body.id)).toMatchObject({
    isByok: true,
    cost: 0n,
    upstreamCost: 10_000_000n,
    attempts: [
      { outcome: "credential_refused", status: 401, isByok: true, credential: one.id },
      { outcome: "credential_refused", status: 402, isByok: true },
      { outcome: "served", isByok: true, credential: three.id, cost: 0n, upstreamCost: 10_000_000n }
    ]
  })
  const states = async () => (await manage(server, "GET", "signalbox/byok")).body
  await expect.poll(states).toMatchObject({
    total_count: 3,
    data: [
      {
        id: one.id,
        sealed_under: "k1",
        last_error: { at: expect.any(String), kind: "credential_refused", status: 401 }
      },
      { last_error: { status: 402 } },
      { id: three.id, last_error: null }
    ]
  })
})

test("the record of a request states which credential served it and what the provider charges", async () => {
  await using server = await TestServer.start({ ...cent, sealing })
  await createCredential(server, "first", "one")
  const { generations } = makeClient(server, keys.member)
  const recordOf = async (order: ReadonlyArray<string>) => {
    const answer = await server.ask({ ...decisionsRequest, provider: { order } })
    const { data } = await generations.getGeneration({ id: JSON.parse(answer.text).id })
    return data
  }

  expect(await recordOf(["first"])).toMatchObject({
    isByok: true,
    totalCost: 0,
    usage: 0,
    upstreamInferenceCost: 0.01,
    providerResponses: [{ providerName: "First", isByok: true, status: 200 }]
  })

  // After the rejection, the host's credential serves the request, so it no longer counts as BYOK.
  server.upstreams.first.script(fault.status(401), reply.decision())
  expect(await recordOf(["first"])).toMatchObject({
    isByok: false,
    totalCost: 0.01,
    usage: 0.01,
    upstreamInferenceCost: null,
    providerResponses: [
      { isByok: true, status: 401 },
      { isByok: false, status: 200 }
    ]
  })
})

test("a model reserved to customer credentials is never called with the host's credential", async () => {
  await using server = await TestServer.start({ sealing })
  await createCredential(server, "first", "one", {
    isByokOnly: true,
    allowedModels: ["proof/other"]
  })
  await createCredential(server, "second", "two", { isRequired: true })
  server.upstreams.second.always(fault.status(401))
  expect((await server.ask(decisionsRequest)).status).toBe(502)
  expect(listSecretsSent(server, "first")).toEqual([])
  expect(listSecretsSent(server, "second")).toEqual([toBearer(makeSecret("two"))])
})

test("a credential serves only its allowed keys and users", async () => {
  await using server = await TestServer.start({ sealing })
  await createCredential(server, "second", "one", { allowedUserIds: ["mem-1"] })
  await ask(server, keys.organization)
  await ask(server, keys.member)
  expect(listSecretsSent(server, "second")).toEqual([
    toBearer(toUpstreamKey("second")),
    toBearer(makeSecret("one"))
  ])
})

test("the order of credentials can be changed at /signalbox/byok", async () => {
  await using server = await TestServer.start({ sealing })
  const made = [
    await createCredential(server, "first", "one"),
    await createCredential(server, "first", "two")
  ]
  const ids = made.map(({ id }) => id).toReversed()
  const put = (ids: ReadonlyArray<string>) => manage(server, "PUT", "signalbox/byok/order", { ids })
  expect((await put(["nobody"])).status).toBe(400)
  expect((await put(ids)).body).toEqual({ data: { ids } })
  const listed = await makeClient(server, keys.management).byok.list()
  expect(listed.result.data.map(({ id, sortOrder }) => [id, sortOrder])).toEqual(
    ids.map((id, place) => [id, place])
  )
  await ask(server)
  expect(listSecretsSent(server, "first")).toEqual([toBearer(makeSecret("two"))])
})

test.each([
  ["an unusable mix of roles", { is_byok_only: true, is_fallback: true }],
  ["an empty list of key hashes", { allowed_api_key_hashes: [] }],
  ["a hash in capitals", { allowed_api_key_hashes: ["A".repeat(64)] }],
  ["a short hash", { allowed_api_key_hashes: ["a".repeat(63)] }],
  ["too many models", { allowed_models: Array.from({ length: 101 }, (_, i) => `a/${i}`) }],
  ["too many users", { allowed_user_ids: Array.from({ length: 101 }, String) }],
  ["a workspace there is not", { workspace_id: "nowhere" }],
  ["no secret", { key: "" }],
  ["a provider that is no slug", { provider: "First One" }]
])("%s is rejected with a 400 that does not repeat the secret", async (_, rest) => {
  await using server = await TestServer.start({ sealing })
  const answer = await manage(server, "POST", "byok", {
    provider: "first",
    key: makeSecret("planted"),
    ...rest
  })
  expect(answer.status).toBe(400)
  expect(answer.text).not.toContain(makeSecret("planted"))
})

test("a server without sealing keys stores no credential, and the error names the missing setting", async () => {
  await using server = await TestServer.start()
  const answer = await manage(server, "POST", "byok", { provider: "first", key: makeSecret("one") })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain("`sealing`")
  expect((await makeClient(server, keys.management).byok.list()).result.totalCount).toBe(0)
})

test("a secret appears in no response, log, record or row", async () => {
  await using server = await TestServer.start({ sealing })
  const secret = makeSecret("planted")
  server.upstreams.first.script(
    fault.status(401, { message: `Incorrect API key provided: ${secret}` }),
    reply.decision()
  )
  const { id } = await createCredential(server, "first", "planted")
  const { byok } = makeClient(server, keys.management)
  const updateBYOKKeyRequest = { key: secret, name: "again" }
  const responses: Array<unknown> = [
    await byok.update({ id, updateBYOKKeyRequest }),
    (await byok.list()).result
  ]
  const decision = { ...decisionsRequest, provider: { order: ["first"] } }
  const answer = await server.ask(decision, { headers: { "x-openrouter-metadata": "enabled" } })
  expect(answer.status).toBe(200)
  server.upstreams.first.always(fault.status(403, { message: `No: ${secret}` }))
  server.upstreams.second.always(fault.status(403))
  responses.push(answer.text, (await server.ask(decision)).text)
  for (const path of ["signalbox/byok", "signalbox/health", "byok", `byok/${id}`]) {
    responses.push((await manage(server, "GET", path)).text)
  }
  responses.push((await manage(server, "POST", "signalbox/plan", { request: decision })).text)
  const stored = await Effect.runPromise(
    Context.get(server.instance.context, CredentialStore).listEnabled(defaultAccountId)
  )
  const record = await server.generation(JSON.parse(answer.text).id)
  expect(record?.attempts).toMatchObject([{ outcome: "credential_refused", credential: id }, {}])
  const everything = inspect([responses, stored, record, server.logs], { depth: 30 })
  expect(listSecretsSent(server, "first")).toContain(toBearer(secret))
  expect(everything).toContain(id)
  expect(everything).not.toContain(secret)
  expect(everything).not.toContain("5d0f1c9e7b")
})
