import type { Options } from "@signalbox/core"
import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const hosts = pickHosts(import.meta.filename)

const cent = { prompt: "0", completion: "0", request: "0.01" }
const twoCents = { limit: 0.02, limitReset: "daily", includeByokInLimit: true } as const

/** Two users of the application with a limit of two cents a day each, and one without a limit. */
const startWithUsers = () =>
  TestServer.start({
    price: cent,
    authenticate: ({ token = "" }) => ({
      account: "acme",
      user: token,
      ...(token === "free" ? undefined : twoCents)
    })
  })

const sendAndListStatuses = async (server: TestServer, key: string, count: number) => {
  const all: Array<number> = []
  for (let requested = 0; requested < count; requested++)
    all.push((await server.ask(makeDecisionRequest(), { key })).status)
  return all
}

const getKeyInfo = async (server: TestServer, key: string) => {
  const answer = await send(`${server.root}/api/v1/key`, {
    method: "GET",
    headers: { authorization: `Bearer ${key}` }
  })
  return Object(answer.body).data
}

test("a caller's fields that are undefined count as absent", async () => {
  await using server = await TestServer.start({
    authenticate: ({ token = "" }) => ({
      user: token,
      account: undefined,
      workspace: undefined,
      kind: undefined,
      canManage: undefined,
      limit: undefined,
      limitReset: undefined,
      includeByokInLimit: undefined,
      rateLimit: undefined,
      ownRateLimit: undefined,
      keyHash: undefined
    })
  })
  expect((await server.ask(makeDecisionRequest(), { key: "ada" })).status).toBe(200)
})

test("users authenticated by the application do not share a limit", async () => {
  await using server = await startWithUsers()
  expect(await sendAndListStatuses(server, "ada", 3)).toEqual([200, 200, 402])
  expect(await sendAndListStatuses(server, "bob", 3)).toEqual([200, 200, 402])
  expect(await sendAndListStatuses(server, "free", 3)).toEqual([200, 200, 200])
})

test("a user authenticated by the application sees their own limit and usage", async () => {
  await using server = await startWithUsers()
  await sendAndListStatuses(server, "ada", 1)
  expect(await getKeyInfo(server, "ada")).toMatchObject({
    limit: 0.02,
    limit_remaining: 0.01,
    limit_reset: "daily",
    include_byok_in_limit: true,
    usage: 0.01,
    usage_daily: 0.01
  })
  expect(await getKeyInfo(server, "bob")).toMatchObject({
    limit: 0.02,
    limit_remaining: 0.02,
    usage: 0
  })
  expect(await getKeyInfo(server, "free")).toMatchObject({
    limit: null,
    limit_remaining: null,
    limit_reset: null,
    include_byok_in_limit: false
  })
})

test("an error thrown by an authenticator is logged without the user's token and cookies", async () => {
  const token = "planted-token-of-a-user"
  await using server = await TestServer.start({
    authenticate: ({ headers, token }) =>
      Promise.reject(new Error(`no session for ${token} of ${headers["cookie"]}`))
  })
  const { status } = await send(`${server.root}/api/v1/key`, {
    method: "GET",
    headers: { authorization: `Bearer ${token}`, cookie: "theme=dark; session=planted-session" }
  })
  expect(status).toBe(500)
  expect(server.logs.join("\n")).toContain("no session for")
  expect(server.logs.join("\n")).not.toContain(token)
  expect(server.logs.join("\n")).not.toContain("planted-session")
})

/** Authenticates sessions by cookie; a caller without a session falls back to an API key. */
const authenticateSession: NonNullable<Options["authenticate"]> = ({ headers }) => {
  const session = /session=(\w+)/.exec(headers["cookie"] ?? "")?.[1]
  if (session === undefined) return undefined
  return { user: session, ...(session === "boss" ? { canManage: true } : undefined) }
}

const makeCookieHeaders = (session: string) => ({
  key: "",
  headers: { "content-type": "application/json", cookie: `session=${session}` }
})

const get = (server: TestServer, path: string, headers: Readonly<Record<string, string>>) =>
  send(`${server.root}/api/v1${path}`, { method: "GET", headers })

test.each(hosts)(
  "a session of the application authenticates without a bearer token on $name",
  async (host) => {
    await using server = await TestServer.start({
      host,
      mount: "/ai",
      authenticate: authenticateSession
    })
    expect((await server.ask(makeDecisionRequest(), makeCookieHeaders("ada"))).status).toBe(200)
    expect((await server.ask(makeDecisionRequest(), { key: "" })).status).toBe(401)
    expect((await server.ask(makeDecisionRequest(), { key: keys.member })).status).toBe(200)
  }
)

test("an authenticator receives the headers, method and path besides the token", async () => {
  const seen: Array<unknown> = []
  await using server = await TestServer.start({
    mount: "/ai",
    authenticate: ({ headers, method, path, token }) => {
      seen.push({ method, path, token, host: headers["x-tenant"] })
      return { account: "acme", user: "ada" }
    }
  })
  await get(server, "/models?sort=newest", { authorization: "Bearer t-1", "x-tenant": "acme" })
  expect(seen).toEqual([{ method: "GET", path: "/api/v1/models", token: "t-1", host: "acme" }])
})

test("a user who may manage the account can also run models, and other users cannot manage it", async () => {
  await using server = await TestServer.start({ authenticate: authenticateSession })
  expect((await server.ask(makeDecisionRequest(), makeCookieHeaders("boss"))).status).toBe(200)
  expect((await get(server, "/workspaces", { cookie: "session=boss" })).status).toBe(200)
  expect((await get(server, "/workspaces", { cookie: "session=ada" })).status).toBe(403)
  const { body } = await get(server, "/key", { cookie: "session=boss" })
  expect(Object(body).data).toMatchObject({ is_management_key: true, creator_user_id: "boss" })
})

/** The default workspace has a budget of one cent a day, the workspace `lab` of two. */
const startWithBudget = async (workspace?: string) => {
  const server = await TestServer.start({
    price: cent,
    authenticate: ({ token }) =>
      token === "ada" ? { user: "ada", ...(workspace === undefined ? {} : { workspace }) } : null
  })
  const manage = (method: string, path: string, body: unknown) =>
    send(`${server.root}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  await manage("PUT", "/workspaces/default/budgets/daily", { limit_usd: 0.01 })
  await manage("POST", "/workspaces", { name: "Lab", slug: "lab" })
  await manage("PUT", "/workspaces/lab/budgets/daily", { limit_usd: 0.02 })
  return server
}

test.each([
  [undefined, [200, 403, 403]],
  ["default", [200, 403, 403]],
  ["00000000-0000-4000-8000-000000000000", [200, 403, 403]],
  ["lab", [200, 200, 403]]
])("a user in the workspace %s is bound by its budget", async (workspace, expected) => {
  await using server = await startWithBudget(workspace)
  expect(await sendAndListStatuses(server, "ada", 3)).toEqual(expected)
})

test("a user in a workspace that does not exist is rejected", async () => {
  await using server = await startWithBudget("lib")
  const answer = await server.ask(makeDecisionRequest(), { key: "ada" })
  expect(answer.status).toBe(403)
  expect(parseErrorEnvelope(answer).message).toBe(
    'The workspace "lib" that the application put this caller into does not exist'
  )
  expect(server.logs.join("\n")).toContain('the account "default" has no workspace "lib"')
})

test("an in-process call in the workspace `default` is bound by its budget", async () => {
  await using server = await startWithBudget()
  const ask = (workspace: string) =>
    server.instance.decide(
      { model: "proof/model", state: "?", questions: { q: { type: "noul", instructions: "?" } } },
      { caller: { user: "ada", workspace } }
    )
  await ask("default")
  await expect(ask("default")).rejects.toMatchObject({ status: 403 })
  await ask("lab")
  await expect(ask("lib")).rejects.toMatchObject({
    status: 400,
    message: 'caller.workspace: the account "default" has no workspace "lib"'
  })
})

test("a limit in USD of an in-process caller is enforced", async () => {
  await using server = await TestServer.start({ price: cent })
  const caller = { user: "ada", limit: 0.01, limitReset: "daily" } as const
  const question = { q: { type: "noul", instructions: "?" } } as const
  const ask = () =>
    server.instance.decide({ model: "proof/model", state: "?", questions: question }, { caller })
  await ask()
  await expect(ask()).rejects.toMatchObject({ status: 402 })
})
