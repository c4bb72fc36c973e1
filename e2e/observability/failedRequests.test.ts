/** A request that failed before it was routed is found by its `x-request-id`, by those who may see it. */
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

type Root = { readonly root: string }

const sendWith = ({ root }: Root, key: string | undefined, path: string, body?: unknown) =>
  send(`${root}${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    headers: {
      ...(key === undefined ? undefined : { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      "user-agent": "probe/1.0"
    }
  })

const find = async (server: Root, requestId: string | undefined, key: string = keys.management) => {
  const query = new URLSearchParams({ request_id: requestId ?? "" })
  const found = await sendWith(server, key, `/api/v1/signalbox/failed-requests?${query.toString()}`)
  expect(found).toMatchObject({ status: 200 })
  const rows = getProperty(found.body, "data")
  return Array.isArray(rows) ? (rows as ReadonlyArray<unknown>) : []
}

describe.each(pickHosts(import.meta.filename))("on $name", (host) => {
  test("400, 401, 403, 404 and 429 are found by their request id, without content", async () => {
    await using server = await TestServer.start({
      host,
      settings: { rateLimit: { requests: 3, windowMillis: 3_600_000 } }
    })
    const secret = "sk-somebody-else-0123456789"
    const invalid = await sendWith(
      server,
      keys.member,
      "/api/alpha/decisions",
      makeDecisionRequest({ model: 7, state: "a private matter" })
    )
    const notManager = await sendWith(server, keys.member, "/api/v1/keys", { name: secret })
    const stranger = await sendWith(server, secret, "/api/v1/keys")
    const nowhere = await sendWith(server, undefined, "/api/v1/nowhere/private")
    await sendWith(server, keys.member, "/api/v1/models")
    const missing = await sendWith(server, keys.organization, "/api/v1/generation?id=none")
    let limited = await sendWith(server, keys.member, "/api/v1/generation?id=none")
    for (let at = 0; at < 3 && limited.status !== 429; at++) {
      limited = await sendWith(server, keys.member, "/api/v1/generation?id=none")
    }
    const expected = [
      [invalid, 400, "decisions.create"],
      [notManager, 403, "keys.create"],
      [stranger, 401, "keys.list"],
      [nowhere, 404, null],
      [missing, 404, "generations.get"],
      [limited, 429, "generations.get"]
    ] as const
    const operator = server.instance
    for (const [answer, status, operation] of expected) {
      expect(answer.status).toBe(status)
      const requestId = answer.headers["x-request-id"] ?? ""
      const { data } = await operator.failedRequests.list({ request_id: requestId })
      expect(data).toMatchObject([
        { request_id: requestId, status, operation, user_agent: "probe/1.0" }
      ])
      const text = JSON.stringify(data)
      for (const content of [secret, keys.member, "private"]) expect(text).not.toContain(content)
    }
    const [row] = await find(server, limited.headers["x-request-id"])
    expect(row).toMatchObject({ error_type: "rate_limit_exceeded", user_id: "mem-1" })
  })
})

test("another account sees neither the failures of an account nor those of strangers", async () => {
  const other = "sk-manager-of-another-account-1"
  await using server = await TestServer.start({
    authenticate: ({ token }) =>
      token === other ? { user: "eve", account: "other", canManage: true } : undefined
  })
  const invalid = await sendWith(server, keys.management, "/api/v1/keys", { limt: 1 })
  const stranger = await sendWith(server, "sk-nobody", "/api/v1/keys")
  const own = await sendWith(server, other, "/api/v1/keys", { limt: 1 })
  expect(await find(server, own.headers["x-request-id"], other)).toHaveLength(1)
  for (const { headers } of [invalid, stranger]) {
    expect(await find(server, headers["x-request-id"], other)).toEqual([])
    expect(await find(server, headers["x-request-id"])).toHaveLength(1)
  }
  expect(await find(server, own.headers["x-request-id"])).toEqual([])
})

test("a flood of strangers evicts no failure of an account", async () => {
  await using server = await TestServer.start({ settings: { maxFailedRequests: 10 } })
  const invalid = await sendWith(server, keys.management, "/api/v1/keys", { limt: 1 })
  for (let at = 0; at < 30; at++) await sendWith(server, "sk-nobody", "/api/v1/keys")
  expect(await find(server, invalid.headers["x-request-id"])).toHaveLength(1)
  const { data } = await server.instance.failedRequests.list({ limit: 100 })
  expect(data).toHaveLength(10)
})
