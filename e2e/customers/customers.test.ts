/** Customers over HTTP and in process: created in one transaction, moved, suspended, and deleted. */
import type { Options } from "@signalbox/core"
import { AuditLog, type AuditEntry, memoryStores } from "@signalbox/core/stores"
import { sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { describe, expect, inject, test } from "vitest"
import { AccountTestServer, makeDecisionRequest } from "../support/AccountTestServer.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { getProperty } from "../support/getProperty.ts"
import { openStores } from "../support/openStores.ts"
import { send } from "../support/send.ts"
import { makeTestDatabase } from "../support/TestDatabase.ts"

/** A request reserves at most 0.00023 USD, and costs 0.000026. */
const bundles = {
  starter: { budget: { monthly: 0.0003 }, models: ["proof/*"] },
  pro: { budget: { monthly: 0.001 }, rateLimit: { requests: 3, windowMillis: 60_000 } },
  films: { models: ["proof/film"] }
} satisfies Options["bundles"]

const sealing = { current: "k", keys: { k: "a sealing key that is hard to guess, for tests" } }
const callback_url = "https://hooks.example.com/events"
const path = "/signalbox/customers"

const start = (options: Parameters<typeof AccountTestServer.start>[0] = {}) =>
  AccountTestServer.start({ bundles, sealing, ...options })

const decideAs = ({ root }: AccountTestServer, secret: unknown) =>
  send(`${root}/api/alpha/decisions`, {
    headers: { authorization: `Bearer ${String(secret)}`, "content-type": "application/json" },
    body: JSON.stringify(makeDecisionRequest())
  })

const create = (server: AccountTestServer, body: object) =>
  server.ask(path, "management", "POST", body)

test("a created customer has a workspace, a key and a signed webhook", async () => {
  await using server = await start()
  const { body, headers, status } = await create(server, {
    slug: "acme",
    bundle: "starter",
    name: "Acme Inc.",
    callback_url
  })
  expect(status).toBe(201)
  expect(headers["cache-control"]).toBe("no-store")
  const { workspace_id } = Object(body).data
  expect(body).toMatchObject({
    created: true,
    key: expect.stringMatching(/^sk-sb-v1-/),
    webhook_secret: expect.stringMatching(/^whsec_/),
    data: { slug: "acme", name: "Acme Inc.", bundle: "starter", suspended_at: null }
  })
  const { webhooks, workspaces } = server.instance
  expect((await workspaces.get({ id: "acme" })).data).toMatchObject({ id: workspace_id })
  expect((await webhooks.get({ id: "acme" })).data.callback_url).toBe(callback_url)
  const answer = await decideAs(server, Object(body).key)
  expect(answer.status).toBe(200)
})

test("the same request again returns the customer, and neither makes nor shows a key", async () => {
  await using server = await start()
  const wanted = { slug: "acme", bundle: "starter", name: "Acme", callback_url }
  const first = await create(server, wanted)
  const again = await create(server, wanted)
  expect(again.status).toBe(200)
  expect(again.body).toEqual({
    data: Object(first.body).data,
    created: false,
    key: null,
    webhook_secret: null
  })
  // What is left out need not be the same.
  expect((await create(server, { slug: "acme", bundle: "starter" })).status).toBe(200)
  const { data } = await server.instance.keys.list({ workspace_id: "acme" })
  expect(data).toHaveLength(1)
})

test.each([
  { why: "another bundle", body: { bundle: "pro" }, says: "acme has the bundle starter" },
  { why: "another name", body: { name: "Apex" }, says: "acme is called Acme" },
  {
    why: "another webhook",
    body: { callback_url: "https://hooks.example.com/others" },
    says: "acme has another webhook"
  }
])("a request with $why is a conflict", async ({ body, says }) => {
  await using server = await start()
  const wanted = { slug: "acme", bundle: "starter", name: "Acme", callback_url }
  await create(server, wanted)
  const answer = await create(server, { ...wanted, ...body })
  expect(answer.status).toBe(409)
  expect(parseErrorEnvelope(answer).message).toContain(says)
  expect(getProperty(parseErrorEnvelope(answer).metadata, "reason")).toBe("customer_exists")
})

test("a workspace that is there already does not become a customer", async () => {
  await using server = await start()
  const answer = await create(server, { slug: "elsewhere", bundle: "starter" })
  expect(answer.status).toBe(409)
  expect(parseErrorEnvelope(answer).message).toContain("is a workspace without a bundle")
  expect((await server.ask(`${path}/elsewhere`, "management")).status).toBe(404)
})

test.each([
  {
    body: { slug: "acme", bundle: "stater" },
    says: "bundle: stater is no bundle; did you mean starter?"
  },
  { body: { slug: "Acme Inc.", bundle: "starter" }, says: "slug: " },
  { body: { slug: "acme", bundel: "starter" }, says: "did you mean bundle?" },
  {
    body: { slug: "acme", bundle: "starter", callback_url: "http://10.0.0.1/" },
    says: "callback_url"
  }
])("$body is refused", async ({ body, says }) => {
  await using server = await start()
  const answer = await create(server, body)
  expect(answer.status).toBe(400)
  expect(parseErrorEnvelope(answer).message).toContain(says)
  expect(await server.instance.customers.list()).toEqual({ data: [], total_count: 0 })
})

test("only management keys of the host's account reach customers", async () => {
  await using server = await start()
  await create(server, { slug: "acme", bundle: "starter" })
  for (const key of ["member", "foreign"] as const) {
    expect((await server.ask(path, key)).status).toBe(403)
    expect((await server.ask(`${path}/acme`, key, "DELETE")).status).toBe(403)
  }
})

test("customers are listed by page, oldest first, without other workspaces", async () => {
  await using server = await start()
  for (const slug of ["c", "a", "b"]) await create(server, { slug, bundle: "starter" })
  const { data, total_count } = await server.instance.customers.list({ offset: 1, limit: 1 })
  expect(data.map(({ slug }) => slug)).toEqual(["a"])
  expect(total_count).toBe(3)
})

test("all keys of a customer spend from the budget of its bundle", async () => {
  await using server = await start()
  const { key } = await server.instance.customers.create({ slug: "acme", bundle: "starter" })
  const { key: other } = await server.instance.keys.create({ name: "2", workspace_id: "acme" })
  const statuses: Array<number> = []
  for (const secret of [key, other, key, other]) {
    statuses.push((await decideAs(server, secret)).status)
  }
  // Three cost 0.000078, and a fourth may cost more than what is left.
  expect(statuses).toEqual([200, 200, 200, 403])
})

test("a bundle admits its models only, for keys, sessions and the application", async () => {
  await using server = await start({
    authenticate: ({ headers }) =>
      headers["x-user"] === undefined ? undefined : { user: headers["x-user"], workspace: "studio" }
  })
  const { key } = await server.instance.customers.create({ slug: "studio", bundle: "films" })
  const byKey = await decideAs(server, key)
  expect(byKey.status).toBe(404)
  const bySession = await send(`${server.root}/api/alpha/decisions`, {
    headers: { "x-user": "ada", "content-type": "application/json" },
    body: JSON.stringify(makeDecisionRequest())
  })
  expect(bySession.status).toBe(404)
  await expect(
    server.instance.chat(
      { model: "proof/model", messages: [{ role: "user", content: "hi" }] },
      { caller: { workspace: "studio" } }
    )
  ).rejects.toMatchObject({ status: 404 })
})

test("the rate limit of a bundle counts all keys and users of a customer", async () => {
  await using server = await start()
  const { key } = await server.instance.customers.create({ slug: "acme", bundle: "pro" })
  const { key: other } = await server.instance.keys.create({ name: "2", workspace_id: "acme" })
  const answers: Array<Awaited<ReturnType<typeof decideAs>>> = []
  for (const secret of [key, other, key, other]) answers.push(await decideAs(server, secret))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(parseErrorEnvelope(answers[3]!).message).toContain("for this customer")
})

test("a budget of the workspace takes the place of that of the bundle", async () => {
  await using server = await start()
  const { key } = await server.instance.customers.create({ slug: "acme", bundle: "starter" })
  await server.instance.workspaces.setBudget({
    workspace_ref: "acme",
    interval: "monthly",
    limit_usd: 0.0002
  })
  expect((await decideAs(server, key)).status).toBe(403)
})

test("a moved customer has other limits at once, and what it has spent counts on", async () => {
  await using server = await start()
  const { key } = await server.instance.customers.create({ slug: "acme", bundle: "starter" })
  const ask = async () => (await decideAs(server, key)).status
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 403])
  await server.instance.customers.update({ slug: "acme", bundle: "pro" })
  expect(await ask()).toBe(200)
  await server.instance.customers.update({ slug: "acme", bundle: "starter" })
  expect(await ask()).toBe(403)
  const { data } = await server.instance.limits.list()
  const budget = data.find(({ name }) => name === "acme")
  expect(budget).toMatchObject({ kind: "workspace", interval: "monthly", limit: 0.0003 })
  expect(budget?.settled).toBeCloseTo(4 * 0.000026, 9)
})

test("the session of a suspended customer was logged as a mistake of the host", async () => {
  const logged: Array<unknown> = []
  await using server = await start({
    authenticate: ({ headers }) => ({ user: "ada", workspace: headers["x-workspace"] }),
    telemetry: Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
  })
  const ask = async (workspace: string) => {
    const headers = { "x-workspace": workspace }
    return (await send(`${server.root}/api/v1/key`, { method: "GET", headers })).status
  }
  await server.instance.customers.create({ slug: "acme", bundle: "starter" })
  await server.instance.customers.suspend({ slug: "acme" })
  logged.length = 0
  expect(await ask("acme")).toBe(403)
  expect(logged).toEqual([])
  expect(await ask("nowhere")).toBe(403)
  expect(logged).toEqual([expect.stringContaining('has no workspace "nowhere"')])
})

test("a suspended customer is refused with the reason, by key, session and in process", async () => {
  await using server = await start({
    authenticate: ({ headers }) =>
      headers["x-user"] === undefined ? undefined : { user: headers["x-user"], workspace: "acme" }
  })
  const { customers } = server.instance
  const { key } = await customers.create({ slug: "acme", bundle: "starter" })
  expect((await decideAs(server, key)).status).toBe(200)
  const { data } = await customers.suspend({ slug: "acme", reason: "the invoice is overdue" })
  expect(data.suspended_at).not.toBeNull()
  const again = await customers.suspend({ slug: "acme" })
  expect(again.data).toMatchObject({
    suspended_at: data.suspended_at,
    suspended_reason: "the invoice is overdue"
  })

  const refused = await decideAs(server, key)
  expect(refused.status).toBe(403)
  expect(parseErrorEnvelope(refused)).toMatchObject({
    message: "The customer acme is suspended: the invoice is overdue",
    metadata: { reason: "customer_suspended" }
  })
  const bySession = await send(`${server.root}/api/v1/key`, {
    method: "GET",
    headers: { "x-user": "ada" }
  })
  expect(bySession.status).toBe(403)
  const { key: later } = await server.instance.keys.create({ name: "new", workspace_id: "acme" })
  expect((await decideAs(server, later)).status).toBe(403)
  await expect(
    server.instance.models.list({}, { caller: { workspace: "acme" } })
  ).rejects.toMatchObject({ status: 403 })
  // The host still manages it.
  expect((await server.instance.workspaces.get({ id: "acme" })).data.slug).toBe("acme")

  await customers.resume({ slug: "acme" })
  expect((await decideAs(server, key)).status).toBe(200)
})

test("a deleted customer takes its keys along, and its slug is free", async () => {
  await using server = await start()
  const { customers } = server.instance
  const { data, key } = await customers.create({ slug: "acme", bundle: "starter" })
  await customers.delete({ slug: "acme" })
  expect((await decideAs(server, key)).status).toBe(401)
  await expect(customers.get({ slug: "acme" })).rejects.toMatchObject({ status: 404 })
  const again = await customers.create({ slug: "acme", bundle: "starter" })
  expect(again.created).toBe(true)
  expect(again.data.workspace_id).not.toBe(data.workspace_id)
})

test("every change of a customer is in the audit log", async () => {
  await using server = await start()
  const { audit, customers } = server.instance
  await customers.create({ slug: "acme", bundle: "starter" })
  await customers.update({ slug: "acme", bundle: "pro", name: "Acme" })
  await customers.suspend({ slug: "acme" })
  await customers.resume({ slug: "acme" })
  await customers.delete({ slug: "acme" })
  const { data } = await audit.list({ limit: 100 })
  const actions = data.map(({ action }) => action).toReversed()
  expect(actions.filter((action) => action.startsWith("customer."))).toEqual([
    "customer.create",
    "customer.update",
    "customer.suspend",
    "customer.resume"
  ])
  expect(actions.at(-1)).toBe("workspace.delete")
  expect(JSON.stringify(data)).not.toMatch(/sk-sb-v1-[0-9a-f]{64}|whsec_[A-Za-z0-9+/]{20}/)
})

describe("the usage of a customer", () => {
  const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } } as const
  const decide = ({ instance }: AccountTestServer, workspace: string, user?: string) =>
    instance.decide(
      { model: "proof/model", state: "I was charged twice!", questions },
      { caller: { workspace, ...(user === undefined ? undefined : { kind: "member", user }) } }
    )

  test("is by model and by user, beside its budget, in one call", async () => {
    await using server = await start()
    const { customers, embed } = server.instance
    const { data: acme } = await customers.create({ slug: "acme", bundle: "pro", name: "Acme" })
    await customers.create({ slug: "other", bundle: "pro" })
    await decide(server, "acme", "acme:ada")
    await decide(server, "acme", "acme:ada")
    await decide(server, "acme", "acme:ben")
    await decide(server, "acme")
    await decide(server, "other", "other:ada")
    await embed(
      { model: "proof/vectors", input: "Is it calm?" },
      { caller: { workspace: "acme", kind: "member", user: "acme:ben" } }
    )
    const { data } = await customers.usage({ slug: "acme" })
    expect(data).toMatchObject({
      slug: "acme",
      name: "Acme",
      bundle: "pro",
      interval: "monthly",
      is_complete: true,
      byok_spent: 0,
      totals: { requests: 5, errors: 0 }
    })
    expect(data.by_model.map(({ model, requests }) => ({ model, requests }))).toEqual([
      { model: "proof/model", requests: 4 },
      { model: "proof/vectors", requests: 1 }
    ])
    expect(data.by_model[0]).toMatchObject({ tokens_prompt: 40, tokens_completion: 8 })
    expect(Object.fromEntries(data.by_user.map(({ requests, user }) => [user, requests]))).toEqual({
      "acme:ada": 2,
      "acme:ben": 2
    })
    expect(data.totals.cost).toBeCloseTo(4 * 0.000026, 9)
    expect(data.spent).toBe(data.totals.cost)
    expect(data.budgets).toEqual([
      {
        interval: "monthly",
        limit: 0.001,
        soft: false,
        settled: data.spent,
        reserved: 0,
        remaining: 0.000896,
        resets_at: data.to
      }
    ])
    expect(new Date(data.from).getUTCDate()).toBe(1)
    expect(acme.slug).toBe("acme")
  })

  test("of the period before has no budgets, and of a lifetime begins with the customer", async () => {
    await using server = await start()
    const { customers } = server.instance
    const { data: acme } = await customers.create({ slug: "acme", bundle: "pro" })
    await decide(server, "acme", "acme:ada")
    const before = (await customers.usage({ slug: "acme", period: "previous" })).data
    expect(before).toMatchObject({
      spent: null,
      budgets: [],
      by_model: [],
      totals: { requests: 0, cost: 0 }
    })
    const { data: running } = await customers.usage({ slug: "acme" })
    expect(before.to).toBe(running.from)
    const { data: all } = await customers.usage({ slug: "acme", interval: "lifetime" })
    expect(all).toMatchObject({ from: acme.created_at, to: null, totals: { requests: 1 } })
  })

  test("is of the period in which its budget is counted", async () => {
    await using server = await start({
      settings: { limitTimeZone: "Europe/Berlin", limitResetDay: 15 }
    })
    const { customers } = server.instance
    await customers.create({ slug: "acme", bundle: "pro" })
    await decide(server, "acme", "acme:ada")
    const { data } = await customers.usage({ slug: "acme" })
    const inBerlin = new Intl.DateTimeFormat("en", {
      timeZone: "Europe/Berlin",
      day: "numeric",
      hour: "numeric",
      hourCycle: "h23"
    })
    expect(inBerlin.format(new Date(data.from))).toMatch(/^15, 00$/)
    expect(data.budgets.map(({ resets_at }) => resets_at)).toEqual([data.to])
    expect(data).toMatchObject({ is_complete: true, totals: { requests: 1 } })
  })

  test("goes on when it is suspended, and of an unknown customer is a 404", async () => {
    await using server = await start()
    const { customers } = server.instance
    await customers.create({ slug: "acme", bundle: "pro" })
    await decide(server, "acme", "acme:ada")
    await customers.suspend({ slug: "acme" })
    const answer = await server.ask(`${path}/acme/usage?interval=daily`, "management")
    expect(answer.body).toMatchObject({
      data: { interval: "daily", totals: { requests: 1 }, budgets: [{ interval: "monthly" }] }
    })
    expect((await server.ask(`${path}/nobody/usage`, "management")).status).toBe(404)
    expect((await server.ask(`${path}/acme/usage?interval=yearly`, "management")).status).toBe(400)
  })
})

type AuditLayer = Layer.Layer<AuditLog, never, AuditLog>

/** How the stores of each kind are made, with another audit log; each call makes new ones. */
const kinds = [
  { kind: "memory", open: (audit: AuditLayer) => Layer.provideMerge(audit, memoryStores) },
  {
    kind: "SQLite",
    open: (audit: AuditLayer) => Layer.provideMerge(audit, sqlite({ path: ":memory:" }))
  },
  {
    kind: "Postgres",
    open: (audit: AuditLayer) =>
      Layer.provideMerge(audit, openStores(makeTestDatabase("", inject("postgresUrl"))))
  }
]

const sameLog: AuditLayer = Layer.effect(AuditLog, AuditLog)

describe.each(kinds)("on $kind", ({ open }) => {
  test("two requests at once make one customer with one key", async () => {
    await using server = await start({ stores: open(sameLog) })
    const wanted = { slug: "acme", bundle: "starter", callback_url }
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(server, wanted)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    const { data } = await server.instance.keys.list({ workspace_id: "acme" })
    expect(data).toHaveLength(1)
    const { data: secrets } = await server.instance.webhooks.listSecrets({ id: "acme" })
    expect(secrets).toHaveLength(1)
  })

  test.each([
    "workspace.create",
    "key.create",
    "webhook.put",
    "webhook.secret.create",
    "customer.create"
  ])("a failure at %s leaves nothing of the customer", async (refused) => {
    let isFull = true
    const failing: AuditLayer = Layer.effect(
      AuditLog,
      Effect.map(AuditLog, (log) => ({
        ...log,
        append: (entry: AuditEntry) =>
          isFull && entry.action === refused ? Effect.die("the log is full") : log.append(entry)
      }))
    )
    await using server = await start({ stores: open(failing) })
    const { audit, customers, keys, workspaces } = server.instance
    const count = async () => ({
      customers: (await customers.list()).total_count,
      keys: (await keys.list()).total_count,
      workspaces: (await workspaces.list()).total_count,
      entries: (await audit.list({ limit: 100 })).data.length
    })
    const before = await count()
    const wanted = { slug: "acme", bundle: "starter", callback_url }
    await expect(customers.create(wanted)).rejects.toMatchObject({ status: 500 })
    expect(await count()).toEqual(before)
    isFull = false
    const { created, key } = await customers.create(wanted)
    expect(created).toBe(true)
    expect((await decideAs(server, key)).status).toBe(200)
  })
})

test("a customer is suspended and moved in every process of a database", async () => {
  const stores = () => openStores(database)
  const database = makeTestDatabase("", inject("postgresUrl"))
  if (database.kind !== "postgres") return
  await using one = await start({ stores: stores() })
  await using other = await start({ stores: stores() })
  const { key } = await one.instance.customers.create({ slug: "acme", bundle: "starter" })
  expect((await decideAs(other, key)).status).toBe(200)
  await one.instance.customers.suspend({ slug: "acme" })
  await expect.poll(async () => (await decideAs(other, key)).status).toBe(403)
  await one.instance.customers.resume({ slug: "acme" })
  await one.instance.customers.update({ slug: "acme", bundle: "films" })
  await expect.poll(async () => (await decideAs(other, key)).status).toBe(404)
})
