import { pace } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

/** One request reserves and costs a cent. */
const cent = { prompt: "0", completion: "0", request: "0.01" }
const ofAda = makeDecisionRequest({ user: "ada", provider: { only: ["first"] } })
const acme = "sk-of-acme"

/** Callers with the key `acme` have a tag. */
const start = () =>
  TestServer.start({
    price: cent,
    authenticate: ({ token }) =>
      token === acme
        ? Promise.resolve({ user: "eve", tags: { customer: "acme", feature: "search" } })
        : Promise.resolve(null)
  })

const manage = async ({ root }: TestServer, method: string, path: string, body?: unknown) => {
  const answer = await send(`${root}/api/v1/signalbox${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.management}`,
      "content-type": "application/json"
    },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })
  return { status: answer.status, body: Object(answer.body) }
}

const addBudget = async (server: TestServer, budget: Readonly<Record<string, unknown>>) => {
  const { body, status } = await manage(server, "POST", "/budgets", {
    reset_interval: "monthly",
    ...budget
  })
  expect(status).toBe(201)
  return String(body.data.id)
}

const listBudgetLimits = async (server: TestServer) => {
  const { body } = await manage(server, "GET", "/limits")
  return body.data.filter(({ kind }: { kind: string }) => kind === "budget")
}

const scopes = [
  { scope: { tag: { customer: "acme" } }, name: "customer=acme", key: acme },
  { scope: { model: "PROOF/model" }, name: "model PROOF/model", key: keys.member },
  { scope: { provider: "First" }, name: "provider First", key: keys.member },
  { scope: { external_user: "ada" }, name: "external user ada", key: keys.member },
  {
    scope: { tag: { customer: "acme", feature: "search" }, provider: "first" },
    name: "customer=acme, feature=search, provider first",
    key: acme
  }
]

describe.each(scopes)("under a budget of $name", ({ key, name, scope }) => {
  test("fifty of two hundred requests at once are served", async () => {
    await using server = await start()
    await addBudget(server, { scope, limit_usd: 0.5 })
    const { first } = server.upstreams
    const gate = first.gate()
    first.always(pace.hold(gate))
    const refused = Promise.withResolvers<void>()
    let left = 150
    const all = Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await server.ask(ofAda, { key })
        if (answer.status === 402 && --left === 0) refused.resolve()
        return answer
      })
    )
    await Promise.all([first.waitForRequests(50), refused.promise])
    gate.open()
    const answers = await all
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    const turnedAway = answers.filter(({ status }) => status === 402)
    expect(turnedAway).toHaveLength(150)
    expect(parseErrorEnvelope(turnedAway[0]!).message).toContain(
      `Budget ${JSON.stringify(name)} exceeded (monthly limit of 0.5 USD)`
    )
    expect(first.requests).toHaveLength(50)
    expect(await listBudgetLimits(server)).toMatchObject([
      { name, scope, soft: false, limit: 0.5, settled: 0.5, reserved: 0, remaining: 0 }
    ])
  })
})

test.each([
  [{ tag: { customer: "other" } }],
  [{ tag: { customer: "acme", feature: "chat" } }],
  [{ model: "proof/other" }],
  [{ provider: "second" }],
  [{ external_user: "bob" }]
])("a budget of %j does not count other requests", async (scope) => {
  await using server = await start()
  await addBudget(server, { scope, limit_usd: 0.001 })
  for (const key of [acme, keys.member]) {
    expect((await server.ask(ofAda, { key })).status).toBe(200)
  }
  expect(await listBudgetLimits(server)).toMatchObject([{ settled: 0, reserved: 0 }])
})

test("an exhausted budget of a provider lets the next one answer, and the record says so", async () => {
  await using server = await start()
  await addBudget(server, { scope: { provider: "first" }, limit_usd: 0.015, name: "cheap" })
  expect((await server.ask()).status).toBe(200)
  const answer = await server.ask()
  expect(answer.status).toBe(200)
  expect(server.calls).toEqual({ first: 1, second: 1 })
  const record = await server.generation(Object(answer.body).id)
  expect(record?.rejected).toMatchObject([
    {
      rule: "spend_limit",
      source: "budget cheap",
      wanted: "at least 0.01 USD left",
      found: "0.005 USD"
    }
  ])
  await addBudget(server, { scope: { provider: "second" }, limit_usd: 0.001, name: "dear" })
  const refused = await server.ask()
  expect(refused.status).toBe(402)
  expect(parseErrorEnvelope(refused).message).toContain('Budget "dear" exceeded')
})

test.each([
  [{ external_user: "*" }, keys.member, undefined, "external user ada"],
  [{ tag: { customer: "*" } }, acme, "each", "each, customer=acme"],
  [
    { tag: { customer: "*" }, external_user: "*", model: "proof/model" },
    acme,
    undefined,
    "customer=acme, model proof/model, external user ada"
  ]
])(
  "a budget of each value of %j names the value that it refuses",
  async (scope, key, name, says) => {
    await using server = await start()
    const naming = name === undefined ? undefined : { name }
    await addBudget(server, { scope, limit_usd: 0.015, ...naming })
    expect((await server.ask(ofAda, { key })).status).toBe(200)
    const refused = await server.ask(ofAda, { key })
    expect(refused.status).toBe(402)
    expect(parseErrorEnvelope(refused).message).toContain(
      `Budget ${JSON.stringify(says)} exceeded (monthly limit of 0.015 USD)`
    )
    const other = makeDecisionRequest({ user: "bob", provider: { only: ["first"] } })
    expect((await server.ask(other, { key: keys.member })).status).toBe(200)
    expect(await listBudgetLimits(server)).toMatchObject([
      { name: expect.stringMatching(/, other values$/), scope, settled: 0, remaining: 0.015 }
    ])
  }
)

test("a soft budget refuses nothing, and its use is counted", async () => {
  await using server = await start()
  await addBudget(server, { scope: { model: "proof/model" }, limit_usd: 0.015, soft: true })
  for (let count = 0; count < 3; count++) expect((await server.ask(ofAda)).status).toBe(200)
  expect(await listBudgetLimits(server)).toMatchObject([
    { soft: true, limit: 0.015, settled: 0.03, remaining: 0 }
  ])
})

test("a soft budget of a workspace refuses nothing either", async () => {
  await using server = await start()
  const put = await send(`${server.root}/api/v1/workspaces/default/budgets/daily`, {
    method: "PUT",
    headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
    body: JSON.stringify({ limit_usd: 0.001, soft: true })
  })
  expect(Object(put.body).data).toMatchObject({ limit_usd: 0.001, soft: true })
  expect((await server.ask(ofAda)).status).toBe(200)
  const { body } = await manage(server, "GET", "/limits")
  expect(body.data).toMatchObject([{ kind: "workspace", soft: true, settled: 0.01 }])
})

test("a changed budget keeps what was spent under it, and a deleted one binds no more", async () => {
  await using server = await start()
  const id = await addBudget(server, { scope: { model: "proof/model" }, limit_usd: 0.01 })
  const ask = async () => (await server.ask(ofAda)).status
  expect([await ask(), await ask()]).toEqual([200, 402])
  const raised = await manage(server, "PATCH", `/budgets/${id}`, { limit_usd: 0.02 })
  expect(raised.body.data).toMatchObject({ limit_usd: 0.02, scope: { model: "proof/model" } })
  expect([await ask(), await ask()]).toEqual([200, 402])
  expect((await manage(server, "DELETE", `/budgets/${id}`)).status).toBe(200)
  expect(await ask()).toBe(200)
  expect((await manage(server, "GET", `/budgets/${id}`)).status).toBe(404)
})

test.each([
  [{ scope: {}, limit_usd: 1, reset_interval: null }],
  [{ scope: { tag: {} }, limit_usd: 1, reset_interval: null }],
  [{ scope: { model: "a/b" }, limit_usd: 0, reset_interval: null }],
  [{ scope: { model: "a/b" }, limit_usd: 1 }],
  [{ scope: { model: "*" }, limit_usd: 1, reset_interval: null }],
  [{ scope: { provider: "*" }, limit_usd: 1, reset_interval: null }],
  [{ scope: { modle: "a/b" }, limit_usd: 1, reset_interval: null }],
  [{ scope: { model: "a/b" }, limit_usd: 1, interval: "monthly" }]
])("%j is no budget", async (body) => {
  await using server = await start()
  expect((await manage(server, "POST", "/budgets", body)).status).toBe(400)
})
