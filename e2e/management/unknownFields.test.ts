/** A misspelt field of a management body is a 400, and what a body names without effect is in `X-Signalbox-Ignored`. */
import { expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }

const call = ({ root }: { readonly root: string }, method: string, path: string, body: unknown) =>
  send(`${root}/api/v1${path}`, {
    method,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" }
  })

test("a misspelt limit of a key is refused, with the nearest field, and makes no key", async () => {
  await using server = await TestServer.start()
  const answer = await call(server, "POST", "/keys", { name: "ci", limt: 5 })
  expect([answer.status, getProperty(getProperty(answer.body, "error"), "message")]).toEqual([
    400,
    "limt: is no field of this operation; did you mean limit?"
  ])
  const unlike = await call(server, "POST", "/keys", { name: "ci", max_budget: 5 })
  expect(unlike.status).toBe(400)
  expect(unlike.text).toContain("there are name, limit, limit_reset")
  const listed = await send(`${server.root}/api/v1/keys`, {
    method: "GET",
    headers: { authorization: `Bearer ${keys.management}` }
  })
  expect(listed.text).not.toContain('"name":"ci"')
})

const workspace = "/workspaces/default"
const unknownFields: ReadonlyArray<readonly [string, string, unknown, string]> = [
  [
    "POST",
    "/keys",
    { name: "a", external: { user: "u", apiKey: "k".repeat(40) } },
    "external.apiKey"
  ],
  ["POST", "/keys", '{"name":"a","__proto__":{"limit":5}}', "__proto__"],
  ["POST", "/keys", { name: "a", constructor: 1 }, "constructor"],
  ["POST", "/keys", { name: "a", disabled: true }, "disabled"],
  ["PATCH", "/keys/none", { limits: 5 }, "limits"],
  ["POST", "/signalbox/keys/none/rotate", { grace: 5 }, "grace"],
  [
    "PUT",
    "/signalbox/keys/none/rate-limit",
    { rate_limit: { requests: 1, window: 1 } },
    "rate_limit.window"
  ],
  ["POST", "/workspaces", { name: "w", slug: "w", descripton: "" }, "descripton"],
  ["PATCH", workspace, { default_model: "a/b" }, "default_model"],
  ["POST", `${workspace}/members/add`, { user_ids: [], role: "admin" }, "role"],
  ["POST", `${workspace}/members/remove`, { users: [] }, "users"],
  ["PUT", `${workspace}/budgets/monthly`, { limit: 5 }, "limit"],
  ["POST", "/guardrails", { name: "g", allowed_model: ["a/b"] }, "allowed_model"],
  ["PATCH", "/guardrails/none", { limit: 5 }, "limit"],
  ["POST", "/guardrails/none/assignments/keys", { keys: [] }, "keys"],
  ["POST", "/guardrails/none/assignments/members/remove", { member_ids: [] }, "member_ids"],
  ["POST", "/byok", { provider: "first", key: "k", modles: [] }, "modles"],
  ["PATCH", "/byok/none", { is_fallbak: true }, "is_fallbak"],
  ["PUT", "/signalbox/byok/order", { id: [] }, "id"],
  ["PUT", `/signalbox${workspace}/webhook`, { url: "https://example.com" }, "url"],
  ["PATCH", "/signalbox/account", { zdrr: true }, "zdrr"],
  [
    "POST",
    "/signalbox/calibration/samples",
    { generation_id: "g", labels: {}, wieght: 2 },
    "wieght"
  ]
]

test("every operation of management refuses a field that it does not have", async () => {
  await using server = await TestServer.start({ sealing })
  for (const [method, path, body, at] of unknownFields) {
    expect(await call(server, method, path, body), `${method} ${path} ${at}`).toMatchObject({
      status: 400,
      body: { error: { metadata: { path: at.split(".") } } }
    })
  }
})

test("the name of an unknown field is shown shortened", async () => {
  await using server = await TestServer.start()
  const answer = await call(server, "POST", "/keys", {
    name: "a",
    [`${"x".repeat(200_000)}\r\n`]: 1
  })
  expect(answer.status).toBe(400)
  expect(answer.text.length).toBeLessThan(1_000)
})

test("a key that was read and is written back keeps working, and what cannot change is named", async () => {
  await using server = await TestServer.start()
  const made = await call(server, "POST", "/keys", { name: "ci", limit: 5 })
  const read = getProperty(made.body, "data")
  const path = `/keys/${String(getProperty(read, "hash"))}`
  const written = await call(server, "PATCH", path, { ...(read as object), limit: 7 })
  expect(written).toMatchObject({ status: 200, body: { data: { limit: 7 } } })
  expect(written.headers["x-signalbox-ignored"]).toContain("hash")
  expect(written.headers["x-signalbox-ignored"]).not.toMatch(/\blimit\b/)
})

test("settings of a workspace without an effect are named, not refused", async () => {
  await using server = await TestServer.start()
  const settings = { default_image_model: "a/image", disabled_server_tools: ["web"] }
  const made = await call(server, "POST", "/workspaces", { name: "w", slug: "w", ...settings })
  expect(made.status).toBe(201)
  expect(made.headers["x-signalbox-ignored"]).toBe("default_image_model, disabled_server_tools")
  const plain = await call(server, "POST", "/workspaces", {
    name: "v",
    slug: "v",
    default_image_model: null,
    is_data_discount_logging_enabled: false
  })
  expect(plain.headers["x-signalbox-ignored"]).toBeUndefined()
})

test("a call in process refuses the same unknown field", async () => {
  await using server = await TestServer.start()
  const input: { readonly name: string } & Record<string, unknown> = { name: "ci", limt: 5 }
  await expect(server.instance.keys.create(input)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("did you mean limit?") as string
  })
})
