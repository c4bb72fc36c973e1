import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

/** One request reserves and costs a cent. */
const start = () => TestServer.start({ price: { prompt: "0", completion: "0", request: "0.01" } })

const manage = async ({ root }: TestServer, method: string, path: string, body?: unknown) => {
  const answer = await send(`${root}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })
  expect(answer.status).toBeLessThan(300)
  return Object(answer.body)
}

const makeKey = async (server: TestServer, fields: Readonly<Record<string, unknown>> = {}) => {
  const { data, key } = await manage(server, "POST", "/keys", { name: "app", ...fields })
  const ask = async () => (await server.ask(makeDecisionRequest(), { key })).status
  return { hash: String(data.hash), data, ask }
}

const listKeyLimits = async (server: TestServer) =>
  (await manage(server, "GET", "/signalbox/limits?holder=key")).data

test("a soft limit of a key refuses nothing, and its use is counted", async () => {
  await using server = await start()
  const { ask, data, hash } = await makeKey(server, { limit: 0.015, soft_limit: true })
  expect(data).toMatchObject({ limit: 0.015, soft_limit: true })
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
  expect(await listKeyLimits(server)).toMatchObject([
    { kind: "key", soft: true, limit: 0.015, settled: 0.03, remaining: 0 }
  ])
  const patched = await manage(server, "PATCH", `/keys/${hash}`, { soft_limit: false })
  expect(patched.data).toMatchObject({ limit: 0.015, soft_limit: false })
  expect(await ask()).toBe(402)
})

test("a key without a soft limit has the fields that it had", async () => {
  await using server = await start()
  const { ask, data, hash } = await makeKey(server, { limit: 0.015 })
  expect(data).not.toHaveProperty("soft_limit")
  expect([await ask(), await ask()]).toEqual([200, 402])
  await manage(server, "PATCH", `/keys/${hash}`, { soft_limit: true })
  expect(await ask()).toBe(200)
})

test("a soft limit of a guardrail refuses nothing until it is no longer soft", async () => {
  await using server = await start()
  const { ask, hash } = await makeKey(server)
  const { data: guardrail } = await manage(server, "POST", "/guardrails", {
    name: "each",
    limit_usd: 0.015,
    reset_interval: "daily",
    soft_limit: true
  })
  expect(guardrail).toMatchObject({ limit_usd: 0.015, soft_limit: true })
  await manage(server, "POST", `/guardrails/${guardrail.id}/assignments/keys`, {
    key_hashes: [hash]
  })
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
  expect(await listKeyLimits(server)).toMatchObject([
    { kind: "guardrail", soft: true, limit: 0.015, settled: 0.03 }
  ])
  await manage(server, "PATCH", `/guardrails/${guardrail.id}`, { soft_limit: false })
  expect(await ask()).toBe(403)
})
