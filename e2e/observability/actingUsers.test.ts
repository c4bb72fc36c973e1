/** Who did it, as the application knows and as the caller says, and the tags of both. */
import type { GenerationEvent } from "@signalbox/core"
import { expect, test } from "vitest"
import { AccountTestServer, makeDecisionRequest } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"

const question = {
  model: "proof/model",
  state: "?",
  questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
} as const

const tags = JSON.parse('{"customer":"acme","__proto__":"own"}')

const startServer = (told: Array<GenerationEvent> = []) =>
  AccountTestServer.start({
    authenticate: ({ headers }) =>
      headers["x-user"] === undefined ? undefined : { user: headers["x-user"], tags },
    broadcast: [(generation) => void told.push(generation)],
    workspaceDefaults: { isObservabilityBroadcastEnabled: true },
    settings: {
      traceTags: ["feature", "customer"],
      rollupPairs: ["user,model", "tag:customer,model"]
    }
  })

const decideAs = async (
  server: AccountTestServer,
  user: string,
  changes: Readonly<Record<string, unknown>>
) => {
  const { body } = await send(`${server.root}/api/alpha/decisions`, {
    headers: { "x-user": user, "content-type": "application/json" },
    body: JSON.stringify(makeDecisionRequest(changes))
  })
  return String(getProperty(body, "id"))
}

const read = async (server: AccountTestServer, path: string) => {
  const { body, status } = await server.ask(path, "management")
  expect(status).toBe(200)
  return getProperty(body, "data")
}

const listIds = async (server: AccountTestServer, query: string) =>
  ((await read(server, `/signalbox/generations?${query}`)) as ReadonlyArray<{ id: string }>).map(
    ({ id }) => id
  )

test("the authenticated user is in records and broadcasts, beside the word of the body", async () => {
  const told: Array<GenerationEvent> = []
  await using server = await startServer(told)
  const byAda = await decideAs(server, "ada", {
    user: "somebody",
    trace: { feature: "search", customer: "another" }
  })
  const byKey = String(getProperty((await server.decide({ user: "ada" })).body, "id"))
  const inProcess = await server.instance.decide(question, {
    caller: { user: "bob", tags: { customer: "other" } }
  })

  expect(await read(server, `/signalbox/generations/${byAda}`)).toMatchObject({
    user: "ada",
    external_user: "somebody",
    tags: { customer: "acme", feature: "search" }
  })
  expect(await listIds(server, "user=ada")).toEqual([byAda])
  expect(await listIds(server, "external_user=ada")).toEqual([byKey])
  expect(await listIds(server, "user=mem-1")).toEqual([byKey])
  expect(await listIds(server, "user=bob")).toEqual([inProcess.id])
  expect(await listIds(server, "tag=customer:acme")).toEqual([byAda])
  expect(await listIds(server, "tag=__proto__:own")).toEqual([byAda])
  expect(await listIds(server, "tag=customer:another")).toEqual([])
  expect((await server.ask("/signalbox/generations?tag=acme", "management")).status).toBe(400)

  await expect
    .poll(() => told.find(({ id }) => id === byAda))
    .toMatchObject({ user: "ada", externalUser: "somebody", tags: { customer: "acme" } })
  expect(Object.entries(told.find(({ id }) => id === byAda)?.tags ?? {})).toEqual([
    ["customer", "acme"],
    ["__proto__", "own"],
    ["feature", "search"]
  ])
})

test("figures are by user, by tag, and by each of them and model", async () => {
  await using server = await startServer()
  await decideAs(server, "ada", {})
  await decideAs(server, "ada", { state: "fail" })
  await decideAs(server, "bob", {})
  await server.instance.decide(question)
  const readSeries = async (query: string) => {
    const { series } = (await read(server, `/signalbox/series?${query}`)) as {
      series: ReadonlyArray<{ value: string; model: string | null; totals: { requests: number } }>
    }
    return series.map(({ model, totals, value }) => [value, model, totals.requests])
  }
  expect(await readSeries("group_by=tag:customer")).toEqual([["acme", null, 3]])
  expect(await readSeries("group_by=tag:__proto__&value=own")).toEqual([["own", null, 3]])
  expect(await readSeries("group_by=tag:none")).toEqual([])
  expect(await readSeries("group_by=user,model")).toEqual([
    ["ada", "proof/model", 2],
    ["bob", "proof/model", 1]
  ])
  expect(await readSeries("group_by=user,model&value=bob")).toEqual([["bob", "proof/model", 1]])
  expect(await readSeries("group_by=tag:customer,model&value=acme")).toEqual([
    ["acme", "proof/model", 3]
  ])
  const refused = await server.ask("/signalbox/series?group_by=key,model", "management")
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain("settings.rollupPairs has user,model and tag:")
  const { body } = await server.ask("/analytics/query", "management", "POST", {
    metrics: ["request_count"],
    dimensions: ["tag:customer"],
    filters: [{ field: "tag:customer", operator: "eq", value: "acme" }]
  })
  expect(getProperty(getProperty(body, "data"), "data")).toEqual([
    { "tag:customer": "acme", request_count: 3 }
  ])
})
