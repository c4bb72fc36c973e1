/** Kept content and feedback against who opts out, is erased, or asks for what is another's. */
import { reply } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"
import { accountKeys, AccountTestServer } from "../support/AccountTestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const sealing = { current: "k1", keys: { k1: "a key that seals what customers write" } }

type Key = keyof typeof accountKeys

const start = async () => {
  const server = await AccountTestServer.start({ sealing })
  onTestFinished(() => server[Symbol.asyncDispose]())
  await server.instance.workspaces.update({ id: "default", keep_content: true })
  return server
}

const chat = async (server: AccountTestServer, changes: object = {}, key: Key = "member") => {
  const { headers } = await server.ask("/chat/completions", key, "POST", {
    model: "proof/model",
    messages: [{ role: "user", content: "Is it calm?" }],
    ...changes
  })
  return headers["x-generation-id"] ?? "none"
}

const read = (server: AccountTestServer, id: string, key: Key = "management") =>
  server.ask(`/generation/content?id=${encodeURIComponent(id)}`, key)

const give = (server: AccountTestServer, body: unknown, key: Key = "management") =>
  server.ask("/generation/feedback", key, "POST", body)

test("after a workspace opts out nothing more is kept, and what was kept stays until it expires", async () => {
  const server = await start()
  const before = await chat(server)
  // What has been read has been kept: until then, an ended request follows what its workspace says when it is stored.
  expect((await read(server, before)).status).toBe(200)
  await server.instance.workspaces.update({ id: "default", keep_content: false })
  const after = [await chat(server), await chat(server, { stream: true })]
  expect((await read(server, before)).status).toBe(200)
  for (const id of after) {
    const { body, status } = await read(server, id)
    expect(status).toBe(404)
    expect(getProperty(body, "error")).toMatchObject({ message: "There is no such kept content" })
  }
  await server.instance.workspaces.update({ id: "default", keep_content: true })
  expect((await read(server, await chat(server))).status).toBe(200)
  for (const id of after) expect((await read(server, id)).status).toBe(404)
})

const oddIds = [
  "",
  "__proto__",
  "constructor",
  "gen-",
  "gen-1795352030-../../secrets",
  "gen-1795352030-' OR 1=1 --",
  "\u0000",
  "%",
  "ж",
  "x".repeat(10_000)
]

test.each(oddIds.map((id) => [id.slice(0, 40), id] as const))(
  "the id %j names nothing",
  async (_, id) => {
    const server = await start()
    await chat(server)
    for (const key of ["management", "member", "foreign"] as const) {
      const { body, status } = await read(server, id, key)
      expect([400, 404]).toContain(status)
      expect(getProperty(body, "error")).toMatchObject({ message: expect.any(String) })
    }
    const { status } = await give(server, { generation_id: id, category: "other" })
    expect([400, 404]).toContain(status)
  }
)

test("feedback with odd fields is refused, and pollutes nothing", async () => {
  const server = await start()
  const generation_id = await chat(server)
  const bodies = [
    `{"generation_id":"${generation_id}","category":"other","__proto__":{"category":"latency"}}`,
    `{"generation_id":"${generation_id}","category":"__proto__"}`,
    `{"generation_id":"${generation_id}","category":"constructor"}`,
    `{"generation_id":["${generation_id}"],"category":"other"}`,
    `{"generation_id":"${generation_id}","category":"other","comment":{"__proto__":"x"}}`,
    `{"__proto__":{"generation_id":"${generation_id}","category":"other"}}`,
    "[]",
    "null"
  ]
  for (const body of bodies) {
    const answer = await send(`${server.root}/api/v1/generation/feedback`, {
      headers: {
        authorization: `Bearer ${accountKeys.management}`,
        "content-type": "application/json"
      },
      body
    })
    expect([body, answer.status]).toEqual([body, 400])
  }
  expect(Reflect.get({}, "category")).toBeUndefined()
  const { data } = await server.instance.generations.listFeedback({})
  expect(data).toEqual([])
  const given = await give(server, { generation_id, category: "other", comment: "__proto__" })
  expect(given.status).toBe(200)
})

test("feedback after an erasure finds the record under its pseudonym, and says nothing of the person", async () => {
  const server = await start()
  const id = await chat(server, { user: "ada" })
  const { data } = await server.instance.people.erase({ external_user: "ada" })
  expect((await read(server, id)).status).toBe(404)
  expect((await give(server, { generation_id: id, category: "latency" })).status).toBe(200)
  const feedback = await server.instance.generations.listFeedback({ generation_id: id })
  expect(feedback.data).toMatchObject([{ category: "latency" }])
  const { body } = await server.ask("/signalbox/series?group_by=external_user", "management")
  expect(JSON.stringify(body)).toContain(data.pseudonym)
  expect(JSON.stringify(body)).not.toContain("ada")
})

test("of a stream that outlives the erasure of its user, a second erasure deletes what was kept", async () => {
  const method = decisionMethods.find(({ name }) => name === "logprobs") ?? decisionMethods[0]!
  await using server = await TestServer.start({ sealing, method })
  await server.instance.workspaces.update({ id: "default", keep_content: true })
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(reply.chat(["Calm, ", gate, "Ada."]))
  const response = await fetch(`${server.root}/api/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "proof/model",
      messages: [{ role: "user", content: "I am Ada." }],
      user: "ada",
      stream: true,
      provider: { only: ["first"] }
    })
  })
  const person = { external_user: "ada" }
  await server.instance.people.erase(person)
  gate.open()
  await response.text()
  const found = await server.instance.people.export(person)
  expect(found.data.contents).toHaveLength(1)
  await server.instance.people.erase(person)
  const { contents } = (await server.instance.people.export(person)).data
  expect(contents).toEqual([])
  const id = response.headers.get("x-generation-id") ?? ""
  await expect(server.instance.generations.getContent({ id })).rejects.toMatchObject({
    status: 404
  })
})
