import { fault, pace } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import { cachingAll, keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

/** One request reserves and costs a cent. */
const cent = { prompt: "0", completion: "0", request: "0.01" }
const onlyFirst = makeDecisionRequest({ provider: { only: ["first"] } })

const manage = ({ root }: TestServer, method: string, path: string, body?: unknown) =>
  send(`${root}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.management}`,
      "content-type": "application/json"
    },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })

const putBudget = (server: TestServer, interval: string, limit_usd: number) =>
  manage(server, "PUT", `/workspaces/default/budgets/${interval}`, { limit_usd })

/** Limits of fifty cents; `set` returns a key under the limit, `says` is the error message. */
const limits = [
  {
    kind: "a key",
    status: 402,
    says: "Key limit exceeded (monthly limit of 0.5 USD)",
    set: async (server: TestServer) => {
      const { body } = await manage(server, "POST", "/keys", {
        name: "limited",
        limit: 0.5,
        limit_reset: "monthly"
      })
      return String(Object(body).key)
    }
  },
  {
    kind: "a workspace",
    status: 403,
    says: "Workspace budget exceeded (monthly limit of 0.5 USD)",
    set: async (server: TestServer) => {
      await putBudget(server, "monthly", 0.5)
      return keys.member
    }
  },
  {
    kind: "the guardrail of a member",
    status: 403,
    says: "Guardrail budget exceeded (monthly limit of 0.5 USD)",
    set: async (server: TestServer) => {
      const { body } = await manage(server, "POST", "/guardrails", {
        name: "fifty cents",
        limit_usd: 0.5,
        reset_interval: "monthly"
      })
      const path = `/guardrails/${Object(body).data.id}/assignments/members`
      await manage(server, "POST", path, { member_user_ids: ["mem-1"] })
      return keys.member
    }
  }
]

/** With the cache of responses each request clears what is stored, since the same ones would share an answer. */
const cacheUses = [
  { also: "", options: {}, headers: {} },
  {
    also: ", with the cache of responses",
    options: cachingAll,
    headers: { "x-openrouter-cache-clear": "true" }
  }
]
const variants = cacheUses.flatMap((use) =>
  limits.map((limit) => ({ ...limit, ...use, title: limit.kind + use.also }))
)

describe.each(variants)("under the limit of $title", ({ headers, options, says, set, status }) => {
  test("fifty of two hundred requests at once are served", async () => {
    await using server = await TestServer.start({ price: cent, ...options })
    const key = await set(server)
    const { first } = server.upstreams
    const gate = first.gate()
    first.always(pace.hold(gate))
    const refused = Promise.withResolvers<void>()
    let left = 150
    const all = Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await server.ask(onlyFirst, { key, headers })
        if (answer.status === status && --left === 0) refused.resolve()
        return answer
      })
    )
    await Promise.all([first.waitForRequests(50), refused.promise])
    gate.open()
    const answers = await all
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50)
    const turnedAway = answers.filter((answer) => answer.status === status)
    expect(turnedAway).toHaveLength(150)
    expect(parseErrorEnvelope(turnedAway[0]!).message).toContain(says)
    expect(first.requests).toHaveLength(50)
  })

  test("reservations of failed requests are released", async () => {
    await using server = await TestServer.start({ price: cent, ...options })
    const key = await set(server)
    const { first } = server.upstreams
    const ask = async (count: number) => {
      const statuses = await Promise.all(
        Array.from(
          { length: count },
          async () => (await server.ask(onlyFirst, { key, headers })).status
        )
      )
      return [200, status, 502].map((one) => statuses.filter((each) => each === one).length)
    }
    first.script(...Array.from({ length: 30 }, () => fault.status(500)))
    expect(await ask(50)).toEqual([20, 0, 30])
    expect(await ask(60)).toEqual([30, 30, 0])
  })
})

const guard = (server: TestServer, path: string, limit_usd: number) =>
  manage(server, "PATCH", path, { limit_usd, reset_interval: "daily" })

test.each([
  {
    kind: "a workspace",
    open: () =>
      Promise.resolve((server: TestServer, usd: number) => putBudget(server, "daily", usd))
  },
  {
    kind: "the default guardrail",
    open: async (server: TestServer) => {
      const { body } = await manage(server, "GET", "/workspaces/default")
      const path = `/guardrails/${Object(body).data.default_guardrail_id}`
      return (_: TestServer, usd: number) => guard(server, path, usd)
    }
  },
  {
    kind: "the guardrail of a member",
    open: async (server: TestServer) => {
      const { body } = await manage(server, "POST", "/guardrails", { name: "later" })
      const path = `/guardrails/${Object(body).data.id}`
      await manage(server, "POST", `${path}/assignments/members`, { member_user_ids: ["mem-1"] })
      return (_: TestServer, usd: number) => guard(server, path, usd)
    }
  }
])(
  "earlier spending of the day counts towards a limit of $kind that is set later",
  async ({ open }) => {
    await using server = await TestServer.start({ price: cent })
    const limit = await open(server)
    const ask = async () => (await server.ask(onlyFirst)).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
    expect((await limit(server, 0.02)).status).toBe(200)
    expect(await ask()).toBe(403)
    expect((await limit(server, 0.04)).status).toBe(200)
    expect([await ask(), await ask()]).toEqual([200, 403])
  }
)

test("an error names the broadest budget that is exceeded", async () => {
  await using server = await TestServer.start({ price: cent })
  for (const [interval, usd] of [
    ["daily", 0.011],
    ["lifetime", 0.019],
    ["weekly", 0.015]
  ] as const) {
    expect((await putBudget(server, interval, usd)).status).toBe(200)
  }
  expect((await server.ask(onlyFirst)).status).toBe(200)
  const named = async () => parseErrorEnvelope(await server.ask(onlyFirst)).message
  expect(await named()).toContain("(total limit of 0.019 USD)")
  expect((await manage(server, "DELETE", "/workspaces/default/budgets/lifetime")).status).toBe(200)
  expect(await named()).toContain("(weekly limit of 0.015 USD)")
  expect((await putBudget(server, "weekly", 1)).status).toBe(200)
  expect(await named()).toContain("(daily limit of 0.011 USD)")
  expect((await putBudget(server, "daily", 0.02)).status).toBe(200)
  expect((await server.ask(onlyFirst)).status).toBe(200)
})

test("a request is rejected when either its credits or its budget do not suffice", async () => {
  await using server = await TestServer.start({ price: cent, credits: { default: "0.02" } })
  expect((await putBudget(server, "daily", 0.05)).status).toBe(200)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await server.ask(onlyFirst)).status)
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 402)).toHaveLength(18)
  await server.instance.grantCredits("1")
  // Requests rejected for lack of credits do not count against the budget.
  const more = await Promise.all(
    Array.from({ length: 20 }, async () => (await server.ask(onlyFirst)).status)
  )
  expect(more.filter((status) => status === 200)).toHaveLength(3)
  expect(more.filter((status) => status === 403)).toHaveLength(17)
})

test("the limit of a guardrail applies to each key and each member separately", async () => {
  await using server = await TestServer.start({ price: cent })
  const made = await manage(server, "POST", "/guardrails", {
    name: "two a day",
    limit_usd: 0.02,
    reset_interval: "daily"
  })
  expect(made.status).toBe(201)
  const { id } = Object(made.body).data
  const assigned = await manage(server, "POST", `/guardrails/${id}/assignments/members`, {
    member_user_ids: ["mem-1"]
  })
  expect(assigned.status).toBe(200)
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => (await server.ask(onlyFirst)).status)
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 403)).toHaveLength(8)
  expect(parseErrorEnvelope(await server.ask(onlyFirst)).message).toContain(
    "Guardrail budget exceeded (daily limit of 0.02 USD)"
  )
  // The guardrail does not apply to the organization's key.
  expect((await server.ask(onlyFirst, { key: keys.organization })).status).toBe(200)
})

test("a key may spend its limit under concurrency, without affecting the rest of the account", async () => {
  await using server = await TestServer.start({ price: cent })
  const made = await manage(server, "POST", "/keys", {
    name: "three cents",
    limit: 0.03,
    limit_reset: "weekly"
  })
  expect(made.status).toBe(201)
  const { data, key } = Object(made.body)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await server.ask(onlyFirst, { key })).status)
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  expect(statuses.filter((status) => status === 402)).toHaveLength(17)
  expect(parseErrorEnvelope(await server.ask(onlyFirst, { key })).message).toContain(
    "Key limit exceeded (weekly limit of 0.03 USD)"
  )
  const current = await manage(server, "GET", `/keys/${data.hash}`)
  expect(Object(current.body).data).toMatchObject({
    usage: 0.03,
    usage_daily: 0.03,
    usage_weekly: 0.03,
    limit_remaining: 0
  })
  expect((await server.ask(onlyFirst)).status).toBe(200)
  // A raised limit takes effect immediately.
  const raised = await manage(server, "PATCH", `/keys/${data.hash}`, { limit: 0.04 })
  expect(raised.status).toBe(200)
  expect((await server.ask(onlyFirst, { key })).status).toBe(200)
  expect((await server.ask(onlyFirst, { key })).status).toBe(402)
})

test.each([
  [true, 2],
  [false, 20]
])(
  "a request on the caller's own credential costs no credits and counts towards a budget that includes BYOK: %s",
  async (include_byok_in_budgets, served) => {
    await using server = await TestServer.start({
      price: cent,
      credits: { default: "0" },
      sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
    })
    const credential = await manage(server, "POST", "/byok", {
      provider: "first",
      key: "sk-customer-of-the-provider",
      is_byok_only: true
    })
    expect(credential.status).toBe(201)
    const budget = await manage(server, "PUT", "/workspaces/default/budgets/daily", {
      limit_usd: 0.02,
      include_byok_in_budgets
    })
    expect(budget.status).toBe(200)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await server.ask(onlyFirst)).status)
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(served)
    expect(statuses.filter((status) => status === 403)).toHaveLength(20 - served)
    const { body } = await manage(server, "GET", "/credits")
    expect(Object(body).data).toEqual({ total_credits: 0, total_usage: 0 })
  }
)
