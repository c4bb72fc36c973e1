import { inspect } from "node:util"
import { defaultAccountId } from "@signalbox/core"
import { AuditLog } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { errorClasses } from "../support/decodeInClient.ts"
import { nodeHost } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { providers, catalogFixture } from "../catalog/catalogFixture.ts"
import { keys, questions, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const hosts = pickHosts(import.meta.filename)

const mount = "/behind/ai"
const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
const cent = { prompt: "0", completion: "0", request: "0.01" }

const makeKeysClient = (server: TestServer) => makeClient(server, keys.management).apiKeys

/** Sends a request directly, for operations that the client does not support. */
const call = (
  { root }: { readonly root: string },
  method: string,
  path: string,
  { body, key = keys.management }: { readonly body?: unknown; readonly key?: string } = {}
) =>
  send(`${root}/api/v1${path}`, {
    method,
    ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
  })

const captureStatus = async (failing: Promise<unknown>): Promise<unknown> =>
  getProperty(await failing.catch((error: unknown) => error), "statusCode")

const getSecret = (answer: { readonly body: unknown }) => String(getProperty(answer.body, "key"))

const omitUsage = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => /usage/i.test(name)))

const none = {
  usage: 0,
  usageDaily: 0,
  usageWeekly: 0,
  usageMonthly: 0,
  byokUsage: 0,
  byokUsageDaily: 0,
  byokUsageWeekly: 0,
  byokUsageMonthly: 0
}

describe.each(hosts)("the reference client, against $name", (host) => {
  test("creates, reads, updates, lists and deletes keys", async () => {
    await using server = await TestServer.start({ host, mount })
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { data, key } = await makeKeysClient(server).create({
      requestBody: {
        name: "ci",
        limit: 12.5,
        limitReset: "weekly",
        includeByokInLimit: true,
        expiresAt,
        creatorUserId: "mem-7",
        external: { user: "partner-1", apiKey: "partner-key-0123456789-abcdefghij" }
      }
    })
    expect(key).toMatch(/^sk-sb-v1-[0-9a-f]{64}$/)
    expect(data).toMatchObject({
      name: "ci",
      label: `sk-sb-...${key.slice(-3)}`,
      limit: 12.5,
      limitRemaining: 12.5,
      limitReset: "weekly",
      includeByokInLimit: true,
      disabled: false,
      expiresAt,
      creatorUserId: "mem-7",
      externalUser: "partner-1",
      updatedAt: null,
      ...none
    })
    expect(data.hash).toMatch(/^[0-9a-f]{64}$/)

    const { hash } = data
    expect(await makeKeysClient(server).get({ hash })).toEqual({ data })
    const changed = await makeKeysClient(server).update({
      hash,
      requestBody: { name: "nightly", disabled: true, limit: null, limitReset: null }
    })
    const { updatedAt } = changed.data
    expect(Date.parse(updatedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(data.createdAt))
    expect(changed.data).toEqual({
      ...data,
      name: "nightly",
      disabled: true,
      limit: null,
      limitRemaining: null,
      limitReset: null,
      updatedAt
    })

    const hashesOf = async (asked: Parameters<ReturnType<typeof makeKeysClient>["list"]>[0]) =>
      (await makeKeysClient(server).list(asked)).data.map((each) => each.hash)
    const all = await hashesOf({ includeDisabled: true })
    expect(all).toHaveLength(4)
    expect(all.at(-1)).toBe(hash)
    expect(await hashesOf({})).toEqual(all.slice(0, -1))
    expect(await hashesOf({ includeDisabled: true, offset: 3 })).toEqual([hash])
    expect(await hashesOf({ includeDisabled: true, workspaceId: data.workspaceId })).toEqual(all)

    expect(await makeKeysClient(server).delete({ hash })).toEqual({ deleted: true })
    expect(await hashesOf({ includeDisabled: true })).toEqual(all.slice(0, -1))
    expect(await captureStatus(makeKeysClient(server).get({ hash }))).toBe(404)
    expect(await captureStatus(makeKeysClient(server).delete({ hash }))).toBe(404)
    expect(await captureStatus(makeKeysClient(server).update({ hash, requestBody: {} }))).toBe(404)
  })

  test("shows every caller its own key", async () => {
    await using server = await TestServer.start({
      host,
      mount,
      settings: { rateLimit: { requests: 100, windowMillis: 60_000 } }
    })
    const { data } = await makeClient(server, keys.member).apiKeys.getCurrentKeyMetadata()
    expect(data).toEqual({
      ...none,
      allowedDataRegions: ["global"],
      creatorUserId: "mem-1",
      expiresAt: null,
      freeModelDailyRequests: { limit: 0, remaining: 0, used: 0 },
      includeByokInLimit: false,
      isFreeTier: false,
      isManagementKey: false,
      isProvisioningKey: false,
      label: "sk-p...c",
      limit: null,
      limitRemaining: null,
      limitReset: null,
      organizationId: "default",
      rateLimit: {
        interval: "60s",
        note: "Requests per interval that this key may make.",
        requests: 100
      },
      workspaceId: "00000000-0000-4000-8000-000000000000"
    })
    const management = await makeClient(server, keys.management).apiKeys.getCurrentKeyMetadata()
    expect(management.data).toMatchObject({
      isManagementKey: true,
      isProvisioningKey: true,
      creatorUserId: null
    })
    const unknown = await makeClient(server, "sk-unknown")
      .apiKeys.getCurrentKeyMetadata()
      .catch((error: unknown) => error)
    expect(unknown).toBeInstanceOf(errorClasses[401])
  })

  test("shows the spending and the remaining limit of a key", async () => {
    await using server = await TestServer.start({ host, mount, price: cent })
    const { data, key } = await makeKeysClient(server).create({
      requestBody: { name: "spender", limit: 0.05, limitReset: "daily" }
    })
    for (let i = 0; i < 2; i++) {
      await makeClient(server, key).alpha.decisions.create(
        { decisionsRequest: { model: "proof/model", state: "x", questions } },
        { serverURL: server.root }
      )
    }
    const seen = (await makeKeysClient(server).get({ hash: data.hash })).data
    expect(omitUsage(seen)).toEqual({
      ...none,
      usage: 0.02,
      usageDaily: 0.02,
      usageWeekly: 0.02,
      usageMonthly: 0.02
    })
    expect(seen.limitRemaining).toBe(0.03)
    const own = (await makeClient(server, key).apiKeys.getCurrentKeyMetadata()).data
    expect(own).toMatchObject({ ...omitUsage(seen), limit: 0.05, limitRemaining: 0.03 })
    const other = (await makeClient(server, keys.member).apiKeys.getCurrentKeyMetadata()).data
    expect(omitUsage(other)).toEqual(none)
  })

  test("gets the same error with a disabled, expired, deleted or unknown key", async () => {
    await using server = await TestServer.start({ host, mount })
    const make = (name: string) => makeKeysClient(server).create({ requestBody: { name } })
    const [disabled, deleted] = [await make("disabled"), await make("deleted")]
    const readError = async (key: string) => {
      const { body, status } = await call(server, "GET", "/key", { key })
      return [status, getProperty(getProperty(body, "error"), "message")]
    }
    expect((await readError(disabled.key))[0]).toBe(200)
    expect((await readError(deleted.key))[0]).toBe(200)
    await makeKeysClient(server).update({
      hash: disabled.data.hash,
      requestBody: { disabled: true }
    })
    await makeKeysClient(server).delete({ hash: deleted.data.hash })
    const unknown = await readError(`sk-sb-v1-${"0".repeat(64)}`)
    expect(unknown).toEqual([401, "The API key is unknown, disabled or expired"])
    expect(await readError(disabled.key)).toEqual(unknown)
    expect(await readError(deleted.key)).toEqual(unknown)
  })

  test("rotates a secret with and without a grace period", async () => {
    await using server = await TestServer.start({ host, mount })
    const { data, key } = await makeKeysClient(server).create({ requestBody: { name: "turning" } })
    const status = async (key: string) => (await call(server, "GET", "/key", { key })).status
    const path = `/signalbox/keys/${data.hash}/rotate`

    const first = await call(server, "POST", path)
    expect(first.status).toBe(200)
    expect(getProperty(getProperty(first.body, "data"), "hash")).toBe(data.hash)
    expect(await status(key)).toBe(401)
    expect(await status(getSecret(first))).toBe(200)

    const second = await call(server, "POST", path, { body: { grace_seconds: 86_400 } })
    expect(await status(getSecret(first))).toBe(200)
    expect(await status(getSecret(second))).toBe(200)

    for (const grace_seconds of [-1, 0.5, 86_401, "60"]) {
      const refused = await call(server, "POST", path, { body: { grace_seconds } })
      expect(refused.status).toBe(400)
    }
    const unknown = `/signalbox/keys/${"0".repeat(64)}/rotate`
    expect((await call(server, "POST", unknown)).status).toBe(404)
    expect((await call(server, "POST", path, { key: keys.member })).status).toBe(403)
  })

  test("is bound by the rate limit of its key", async () => {
    await using server = await TestServer.start({ host, mount })
    const { data, key } = await makeKeysClient(server).create({ requestBody: { name: "slow" } })
    const path = `/signalbox/keys/${data.hash}/rate-limit`
    const rate_limit = { requests: 2, windowMillis: 3_600_000 }
    const limited = await call(server, "PUT", path, { body: { rate_limit } })
    expect(limited.status).toBe(200)
    expect(getProperty(getProperty(limited.body, "data"), "rate_limit")).toEqual(rate_limit)

    const own = await makeClient(server, key).apiKeys.getCurrentKeyMetadata()
    expect(own.data).toMatchObject({ rateLimit: { requests: 2, interval: "3600s" } })
    await call(server, "GET", "/key", { key })
    const refused = await call(server, "GET", "/key", { key })
    expect(refused.status).toBe(429)
    expect(refused.headers["x-ratelimit-limit"]).toBe("2")
    expect(refused.headers["x-ratelimit-remaining"]).toBe("0")
    expect(Number(refused.headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now())
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
    expect((await call(server, "GET", "/key", { key: keys.member })).status).toBe(200)

    expect((await call(server, "PUT", path, { body: { rate_limit: null } })).status).toBe(200)
    expect((await call(server, "GET", "/key", { key })).status).toBe(200)
    for (const body of [{}, { rate_limit: { requests: 0, windowMillis: 1 } }]) {
      expect((await call(server, "PUT", path, { body })).status).toBe(400)
    }
  })

  test("is bound by the rate limit of the host, even when that of the key is higher", async () => {
    await using server = await TestServer.start({
      host,
      mount,
      settings: { rateLimit: { requests: 3, windowMillis: 3_600_000 } }
    })
    const { data, key } = await makeKeysClient(server).create({ requestBody: { name: "fast" } })
    const lifted = await call(server, "PUT", `/signalbox/keys/${data.hash}/rate-limit`, {
      body: { rate_limit: { requests: 1e9, windowMillis: 1 } }
    })
    expect(lifted.status).toBe(200)
    const own = await call(server, "GET", "/key", { key })
    expect(own.body).toMatchObject({
      data: { rate_limit: { requests: 3, interval: "3600s" } }
    })
    const statuses = new Array<number>()
    for (let i = 0; i < 3; i++) statuses.push((await call(server, "GET", "/key", { key })).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  test.each([
    ["list", () => ({})],
    ["create", () => ({ requestBody: { name: "mine" } })],
    ["get", (hash: string) => ({ hash })],
    ["update", (hash: string) => ({ hash, requestBody: { disabled: true } })],
    ["delete", (hash: string) => ({ hash })]
  ] as const)("needs a management key to %s", async (name, argument) => {
    await using server = await TestServer.start({ host, mount })
    const [{ hash } = { hash: "" }] = (await makeKeysClient(server).list()).data
    for (const key of [keys.member, keys.organization]) {
      const { apiKeys } = makeClient(server, key)
      const operation = apiKeys[name].bind(apiKeys) as (argument: unknown) => Promise<unknown>
      expect(await captureStatus(operation(argument(hash)))).toBe(403)
    }
    expect((await makeKeysClient(server).list()).data).toHaveLength(3)
  })
})

test.each([
  [{}, "name"],
  [{ name: "" }, "name"],
  [{ name: "x".repeat(201) }, "name"],
  [{ name: "x", limit: -1 }, "limit"],
  [{ name: "x", limit: "5" }, "limit"],
  [{ name: "x", limit_reset: "yearly" }, "limit_reset"],
  [{ name: "x", expires_at: "2030-01-01T00:00Z" }, "expires_at"],
  [{ name: "x", expires_at: "2030-13-01T00:00:00Z" }, "expires_at"],
  [{ name: "x", expires_at: "2030-02-31T00:00:00Z" }, "expires_at"],
  [{ name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
  [{ name: "x", workspace_id: "nowhere" }, "workspace_id"],
  [{ name: "x", external: {} }, "external.user"],
  [{ name: "x", external: { user: "u", api_key: "too-short" } }, "external.api_key"],
  [{ name: "x", external: { user: "u", api_key: "a".repeat(40) } }, "external.api_key"]
])("a key cannot be created from %j", async (body, path) => {
  await using server = await TestServer.start()
  const answer = await call(server, "POST", "/keys", { body })
  expect(answer.status).toBe(400)
  const error = getProperty(answer.body, "error")
  expect(String(getProperty(error, "message"))).toMatch(new RegExp(`^${path}: `))
  expect((await makeKeysClient(server).list({ includeDisabled: true })).data).toHaveLength(3)
})

test("a key of another account is indistinguishable from an unknown one", async () => {
  const [ours, theirs] = ["sk-proof-ours-110aa2", "sk-proof-theirs-99ac01"]
  const instance = await Signalbox.make({
    upstreams: providers,
    models: catalogFixture,
    keys: [
      { key: ours, kind: "management" },
      { key: theirs, kind: "management", account: "theirs" }
    ]
  })
  const running = await nodeHost.start(instance, "")
  try {
    const server = { root: running.origin }
    const { data } = await makeClient(server, theirs).apiKeys.create({ requestBody: { name: "x" } })
    const answers = async (hash: string) => {
      const all = [
        await call(server, "GET", `/keys/${hash}`, { key: ours }),
        await call(server, "PATCH", `/keys/${hash}`, { key: ours, body: { disabled: true } }),
        await call(server, "DELETE", `/keys/${hash}`, { key: ours }),
        await call(server, "POST", `/signalbox/keys/${hash}/rotate`, { key: ours }),
        await call(server, "PUT", `/signalbox/keys/${hash}/rate-limit`, {
          key: ours,
          body: { rate_limit: null }
        })
      ]
      return all.map(({ status, text }) => [status, text])
    }
    const unknown = await answers("0".repeat(64))
    expect(unknown.map(([status]) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await answers(data.hash)).toEqual(unknown)
    expect((await makeClient(server, ours).apiKeys.list()).data).toHaveLength(1)
    expect((await makeClient(server, theirs).apiKeys.get({ hash: data.hash })).data).toEqual(data)
  } finally {
    await running.close()
    await instance.close()
  }
})

test("a key in the configuration supports the same options as a created one", async () => {
  const instance = await Signalbox.make({
    upstreams: providers,
    models: catalogFixture,
    keys: [
      {
        key: "sk-proof-over-9911aa",
        kind: "member",
        user: "ada",
        expiresAt: "2020-01-01T00:00:00Z"
      },
      {
        key: "sk-proof-held-0022bb",
        kind: "organization",
        limit: 2.5,
        limitReset: "monthly",
        includeByokInLimit: true,
        expiresAt: "2100-01-01T00:00:00+01:00",
        rateLimit: { requests: 1, windowMillis: 3_600_000 }
      }
    ]
  })
  const running = await nodeHost.start(instance, "")
  try {
    const server = { root: running.origin }
    expect((await call(server, "GET", "/key", { key: "sk-proof-over-9911aa" })).status).toBe(401)
    const { data } = await makeClient(
      server,
      "sk-proof-held-0022bb"
    ).apiKeys.getCurrentKeyMetadata()
    expect(data).toMatchObject({
      limit: 2.5,
      limitRemaining: 2.5,
      limitReset: "monthly",
      includeByokInLimit: true,
      expiresAt: new Date("2099-12-31T23:00:00Z"),
      creatorUserId: null
    })
    expect((await call(server, "GET", "/key", { key: "sk-proof-held-0022bb" })).status).toBe(429)
  } finally {
    await running.close()
    await instance.close()
  }
})

test("a response with a secret is not cacheable", async () => {
  await using server = await TestServer.start({ host: nodeHost, sealing })
  const made = await call(server, "POST", "/keys", { body: { name: "shown once" } })
  const hash = String(getProperty(getProperty(made.body, "data"), "hash"))
  await call(server, "PUT", "/signalbox/workspaces/default/webhook", {
    body: { callback_url: "https://host.test/events" }
  })
  const answers = [
    made,
    await call(server, "POST", `/signalbox/keys/${hash}/rotate`),
    await call(server, "POST", "/signalbox/workspaces/default/webhook/secrets")
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201])
  expect(answers.map(({ headers }) => headers["cache-control"])).toEqual(
    answers.map(() => "no-store")
  )
})

test("a secret appears only in the response to its creation", async () => {
  await using server = await TestServer.start({ price: cent })
  const partner = "partner-key-0123456789-abcdefghij"
  const { data, key } = await makeKeysClient(server).create({
    requestBody: { name: "quiet", external: { user: "u", apiKey: partner } }
  })
  const { hash } = data
  const rotated = await call(server, "POST", `/signalbox/keys/${hash}/rotate`, {
    body: { grace_seconds: 60 }
  })
  const next = String(getProperty(rotated.body, "key"))
  const outputs = [
    (await server.ask(makeDecisionRequest(), { key })).text,
    (await server.ask(makeDecisionRequest({ model: "no/model" }), { key: next })).text,
    (await server.ask("{", { key: next })).text,
    (await call(server, "GET", "/key", { key: next })).text,
    (await call(server, "GET", "/keys", { key: next })).text,
    (await call(server, "GET", "/keys?include_disabled=true")).text,
    (await call(server, "GET", `/keys/${hash}`)).text,
    (await call(server, "GET", `/keys/${encodeURIComponent(next)}`)).text,
    (await call(server, "PATCH", `/keys/${hash}`, { body: { disabled: true } })).text,
    (await call(server, "GET", "/key", { key: next })).text,
    (await call(server, "POST", "/keys", { body: { name: 1, external: { api_key: partner } } }))
      .text,
    (await call(server, "DELETE", `/keys/${hash}`)).text,
    ...server.logs,
    ...server.upstreams.first.requests.map((each) => inspect(each, { depth: 12 })),
    inspect(
      await Effect.runPromise(
        Context.get(server.instance.context, AuditLog).list(defaultAccountId, { limit: 100 })
      ),
      { depth: 12 }
    )
  ].join("\n")
  expect(outputs).toContain(hash)
  for (const secret of [key, next, partner]) expect(outputs).not.toContain(secret)
})
