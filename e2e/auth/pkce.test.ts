/** Applications that sign in by PKCE: the whole way with the reference client, and what is refused. */
import { fork } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { OpenRouter } from "@openrouter/sdk"
import type { CallerConfig, Options } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { signalbox as mountExpress } from "@signalbox/express"
import { ScriptedUpstream } from "@signalbox/testing"
import express from "express"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { bundleProgram } from "../../vitest.programs.ts"
import { getProperty } from "../support/getProperty.ts"
import { fastify5, type Host, hosts, nodeHost, toRunningHost } from "../support/hosts.ts"
import { makeSharedInstance } from "../support/makeSharedInstance.ts"
import { native } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"
import { keys } from "../support/TestServer.ts"
import { makeConsentPage } from "./consentPage.ts"

const callbackUrls = ["http://127.0.0.1/callback", "https://app.example/callback"]

const makeInstance = async (options: Partial<Options> = {}) => {
  const upstream = await ScriptedUpstream.start()
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      native.makeUpstream(upstream.url, { slug: "first", name: "First", apiKey: "sk-up" })
    ],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "ada", limit: 1, limitReset: "daily" },
      { key: keys.management, kind: "management" }
    ],
    ...options
  })
  onTestFinished(async () => {
    await instance.close()
    await upstream.close()
  })
  return instance
}

const makeProof = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

const start = async (
  options: Partial<Options> = {},
  host: Host = nodeHost,
  signIn: Pick<Options, "pkce"> = { pkce: { callbackUrls } }
) => {
  const instance = await makeInstance({ ...signIn, ...options })
  const running = await host.start(instance, "")
  onTestFinished(() => running.close())
  const post = async (path: string, body: unknown, key?: string) => {
    const { body: answer, status } = await send(`${running.origin}/api/v1${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? undefined : { authorization: `Bearer ${key}` })
      }
    })
    return { status, answer, message: getProperty(getProperty(answer, "error"), "message") }
  }
  const makeCode = async (fields: object = {}, key: string = keys.member) => {
    const proof = makeProof()
    const { answer, message, status } = await post(
      "/auth/keys/code",
      {
        callback_url: "http://127.0.0.1:5050/callback",
        code_challenge: proof.challenge,
        ...fields
      },
      key
    )
    return {
      ...proof,
      status,
      message,
      code: String(getProperty(getProperty(answer, "data"), "id")),
      app: getProperty(getProperty(answer, "data"), "app_id")
    }
  }
  const exchange = (code: string, verifier: string, rest: object = {}) =>
    post("/auth/keys", { code, code_verifier: verifier, ...rest })
  return { instance, post, makeCode, exchange, origin: running.origin }
}

const decide = (model = "proof/model") => ({
  model,
  state: "It is dark.",
  questions: { lit: { type: "noul", instructions: "Is it lit?" } }
})

describe.each([hosts[1]!, fastify5])("the reference client against $name", (host) => {
  test("signs in, and uses the key", async () => {
    const { instance, origin } = await start({}, host)
    const client = new OpenRouter({ serverURL: `${origin}/api/v1` })
    const { codeChallenge, codeVerifier } = await client.oAuth.createSHA256CodeChallenge()
    const { data } = await new OpenRouter({
      apiKey: keys.member,
      serverURL: `${origin}/api/v1`
    }).oAuth.createAuthCode({
      requestBody: {
        callbackUrl: "http://127.0.0.1:5050/callback",
        codeChallenge,
        codeChallengeMethod: "S256",
        keyLabel: "Editor",
        limit: 0.5,
        usageLimitType: "daily"
      }
    })
    expect(data.appId).toBe(1)
    const issued = await client.oAuth.exchangeAuthCodeForAPIKey({
      requestBody: { code: data.id, codeVerifier, codeChallengeMethod: "S256" }
    })
    expect(issued.userId).toBe("ada")
    const { data: key } = await instance.keys.list({})
    expect(key.find(({ name }) => name === "Editor")).toMatchObject({
      limit: 0.5,
      limit_reset: "daily",
      creator_user_id: "ada"
    })
    const answered = await send(`${origin}/api/alpha/decisions`, {
      body: JSON.stringify(decide()),
      headers: { "content-type": "application/json", authorization: `Bearer ${issued.key}` }
    })
    expect(answered.status).toBe(200)
    const { data: entries } = await instance.audit.list({})
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["auth_code.create", "key.create"])
    )
    expect(JSON.stringify(entries)).not.toContain(data.id)
  })
})

test("a desktop application signs in over the page of the host", async () => {
  const instance = await makeInstance({ pkce: { callbackUrls } })
  const app = express()
  app.use(
    makeConsentPage({
      signalbox: instance,
      findUser: (request) => request.header("x-session"),
      csrf: {
        make: (user) => `token of ${user}`,
        check: (user, token) => token === `token of ${user}`
      }
    })
  )
  app.use("/ai", mountExpress(instance))
  const running = await toRunningHost(createServer(app))
  onTestFinished(() => running.close())

  const client = new OpenRouter({ serverURL: `${running.origin}/ai/api/v1` })
  const { codeChallenge, codeVerifier } = await client.oAuth.createSHA256CodeChallenge()
  const page = await client.oAuth.createAuthorizationUrl({
    callbackUrl: "http://127.0.0.1:5050/callback",
    codeChallenge,
    codeChallengeMethod: "S256",
    limit: 2
  })
  expect(page.startsWith(`${running.origin}/auth?`)).toBe(true)
  const loggedOut = await fetch(page, { redirect: "manual" })
  expect(loggedOut.headers.get("location")).toContain("/login?next=%2Fauth")
  const html = await (await fetch(page, { headers: { "x-session": "ada" } })).text()
  const form = new URLSearchParams(
    Array.from(html.matchAll(/name="([^"]+)" value="([^"]*)"/g), ([, name = "", value = ""]) => [
      name,
      value
    ])
  )
  const submit = (fields: URLSearchParams) =>
    fetch(`${running.origin}/auth`, {
      method: "POST",
      body: fields,
      redirect: "manual",
      headers: { "x-session": "ada" }
    })
  const redirected = await submit(form)
  expect(redirected.status).toBe(303)
  const location = new URL(redirected.headers.get("location") ?? "")
  expect(location.origin + location.pathname).toBe("http://127.0.0.1:5050/callback")
  const issued = await client.oAuth.exchangeAuthCodeForAPIKey({
    requestBody: { code: location.searchParams.get("code") ?? "", codeVerifier }
  })
  expect(issued.userId).toBe("ada")
  // The page answers requests of other sites and addresses that nobody listed without a redirect.
  const forged = new URLSearchParams(form)
  forged.set("csrf", "guessed")
  expect((await submit(forged)).status).toBe(403)
  const elsewhere = new URLSearchParams(form)
  elsewhere.set("callback_url", "https://evil.example/callback")
  expect((await submit(elsewhere)).status).toBe(400)
  const shown = new URLSearchParams(form)
  shown.delete("callback_url")
  expect(await (await submit(shown)).text()).toMatch(/sb-code-[0-9a-f]{64}/)
})

test("is off unless the host switches it on", async () => {
  const { exchange, makeCode } = await start({}, nodeHost, {})
  expect(await makeCode()).toMatchObject({
    status: 403,
    message: expect.stringContaining("option pkce")
  })
  expect((await exchange("sb-code-1", "v".repeat(43))).status).toBe(403)
})

test("a code is good once, and for its verifier alone", async () => {
  const { exchange, makeCode } = await start()
  const { code, verifier } = await makeCode()
  expect((await exchange("sb-code-unknown", verifier)).status).toBe(403)
  expect((await exchange(code, makeProof().verifier)).status).toBe(403)
  expect((await exchange(code, "")).status).toBe(403)
  expect((await exchange(code, verifier, { code_challenge_method: "plain" })).status).toBe(400)
  expect((await exchange(code, verifier, { code_challenge_method: "S512" })).status).toBe(400)
  expect((await exchange(code, verifier, { code_challenge_method: null })).status).toBe(200)
  expect((await exchange(code, verifier)).status).toBe(403)
})

test("a code is not exchanged by the verifier of another one, and its key is of its own account, whoever exchanges it", async () => {
  const foreign = "sk-proof-foreign-member"
  const { exchange, instance, makeCode, origin, post } = await start({
    keys: [
      { key: keys.member, kind: "member", user: "ada" },
      { key: foreign, kind: "member", user: "eve", account: "foreign" },
      { key: keys.management, kind: "management" }
    ]
  })
  const [own, other] = [await makeCode(), await makeCode({}, foreign)]
  expect((await exchange(own.code, other.verifier)).status).toBe(403)
  expect((await exchange(other.code, own.verifier)).status).toBe(403)
  const body = { code: own.code, code_verifier: own.verifier }
  const { answer } = await post("/auth/keys", body, foreign)
  expect(getProperty(answer, "user_id")).toBe("ada")
  const { data } = await instance.keys.list({})
  expect(data.map(({ creator_user_id: user }) => user)).toContain("ada")
  const key = String(getProperty(answer, "key"))
  for (const path of [
    "/keys",
    "/workspaces",
    "/guardrails",
    "/signalbox/audit",
    "/organization/members"
  ]) {
    const { status } = await send(`${origin}/api/v1${path}`, {
      method: "GET",
      headers: { authorization: `Bearer ${key}` }
    })
    expect([path, status]).toEqual([path, 403])
  }
})

test("plain is for hosts that allow it", async () => {
  const strict = await start()
  const verifier = "v".repeat(43)
  const fields = { code_challenge: verifier, code_challenge_method: "plain" }
  expect((await strict.makeCode(fields)).status).toBe(400)
  const loose = await start({ pkce: { callbackUrls, allowPlain: true } })
  const { code } = await loose.makeCode(fields)
  expect((await loose.exchange(code, verifier, { code_challenge_method: "S256" })).status).toBe(400)
  expect((await loose.exchange(code, verifier, { code_challenge_method: "plain" })).status).toBe(
    200
  )
})

test.each([
  [{ callback_url: "http://127.0.0.1:5050/elsewhere" }, 400, "callback_url"],
  [{ callback_url: "https://app.example:444/callback" }, 400, "callback_url"],
  [{ code_challenge: "short" }, 400, "code_challenge"],
  [{ code_challenge: undefined }, 400, "code_challenge"],
  [{ code_challenge: "c".repeat(44) }, 400, "base64url"],
  [{ limit: 2, usage_limit_type: "daily" }, 400, "must not exceed 1 USD"],
  [{ limit: -1 }, 400, "limit"],
  [{ usage_limit_type: "daily" }, 400, "needs a limit"],
  [{ expires_at: "2020-01-01T00:00:00Z" }, 400, "future"],
  [{ workspace_id: "nowhere" }, 400, "workspace_id"]
])("a code with %o is refused", async (fields, status, problem) => {
  const { makeCode } = await start()
  expect(await makeCode(fields)).toMatchObject({
    status,
    message: expect.stringContaining(problem)
  })
})

test("a code needs a key, and a key that signed in makes none", async () => {
  const { exchange, makeCode, post } = await start()
  expect((await post("/auth/keys/code", { code_challenge: makeProof().challenge })).status).toBe(
    401
  )
  const { app, code, verifier } = await makeCode({ callback_url: undefined })
  expect(app).toBe(0)
  const { answer } = await exchange(code, verifier)
  expect((await makeCode({}, String(getProperty(answer, "key")))).status).toBe(403)
})

test("the keys of a user spend no more than the user may, all together", async () => {
  const { exchange, makeCode, origin } = await start({
    keys: [{ key: keys.member, kind: "member", user: "ada", limit: 0.025 }]
  })
  const issued = await Promise.all(
    [0, 1].map(async () => {
      const { code, verifier } = await makeCode()
      return String(getProperty((await exchange(code, verifier)).answer, "key"))
    })
  )
  const statuses: Array<number> = []
  for (const key of [keys.member, ...issued, ...issued]) {
    const { status } = await send(`${origin}/api/alpha/decisions`, {
      body: JSON.stringify(decide()),
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
    })
    statuses.push(status)
  }
  expect(statuses).toEqual([200, 200, 402, 402, 402])
})

test("the keys of a user ask no more often than the user may, all together", async () => {
  const { exchange, makeCode, origin } = await start({
    keys: [
      {
        key: keys.member,
        kind: "member",
        user: "ada",
        rateLimit: { requests: 4, windowMillis: 3_600_000 }
      }
    ]
  })
  const { code, verifier } = await makeCode()
  const issued = String(getProperty((await exchange(code, verifier)).answer, "key"))
  const statuses: Array<number> = []
  for (const key of [keys.member, issued, issued, issued, keys.member]) {
    const { status } = await send(`${origin}/api/alpha/decisions`, {
      body: JSON.stringify(decide()),
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
    })
    statuses.push(status)
  }
  // The code was the first request.
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test("what restricts the consenting key restricts the new one, which ends no later", async () => {
  const expiresAt = "2999-01-01T00:00:00.000Z"
  const { exchange, instance, makeCode, origin } = await start({
    keys: [
      {
        key: keys.member,
        kind: "member",
        user: "ada",
        expiresAt,
        rateLimit: { requests: 7, windowMillis: 60_000 }
      },
      { key: keys.management, kind: "management" }
    ]
  })
  const { data: guardrail } = await instance.guardrails.create({
    name: "nothing",
    allowed_models: ["proof/other"]
  })
  const { data: listed } = await instance.keys.list({})
  const member = listed.find(({ creator_user_id: user }) => user === "ada")!
  await instance.guardrails.assignKeys({ id: guardrail.id, key_hashes: [member.hash] })
  expect((await makeCode({ expires_at: "2999-01-02T00:00:00Z" })).status).toBe(400)
  const { code, verifier } = await makeCode()
  const { answer } = await exchange(code, verifier)
  const key = String(getProperty(answer, "key"))
  const asked = await send(`${origin}/api/alpha/decisions`, {
    body: JSON.stringify(decide()),
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
  })
  expect(asked.status).toBe(404)
  const current = await send(`${origin}/api/v1/key`, {
    method: "GET",
    headers: { authorization: `Bearer ${key}` }
  })
  expect(getProperty(current.body, "data")).toMatchObject({
    expires_at: expiresAt,
    rate_limit: { requests: 7 },
    is_management_key: false
  })
})

test("a code is worth nothing once its user's key is gone, or the user is erased", async () => {
  const { exchange, instance, makeCode } = await start()
  const first = await makeCode()
  const { data: listed } = await instance.keys.list({})
  const member = listed.find(({ creator_user_id: user }) => user === "ada")!
  await instance.keys.update({ hash: member.hash, disabled: true })
  expect((await exchange(first.code, first.verifier)).status).toBe(403)
  await instance.keys.update({ hash: member.hash, disabled: false })
  const caller: CallerConfig = { kind: "member", user: "ada" }
  const { challenge, verifier } = makeProof()
  const { data } = await instance.oAuth.createCode({ code_challenge: challenge }, { caller })
  await instance.people.erase({ user: "ada" })
  expect((await exchange(data.id, verifier)).status).toBe(403)
})

test("guessing is bounded", async () => {
  const { exchange } = await start({ settings: { authCodeExchangesPerMinute: 3 } })
  const statuses: Array<number> = []
  for (let at = 0; at < 5; at++)
    statuses.push((await exchange(`sb-code-${at}`, "v".repeat(43))).status)
  expect(statuses).toEqual([403, 403, 403, 429, 429])
})

test("of 20 exchanges in two processes on Postgres, one gets a key", async () => {
  const upstream = await ScriptedUpstream.start()
  const config = {
    database: { url: inject("postgresUrl"), schema: `proof-${crypto.randomUUID()}` },
    upstream: upstream.url
  }
  const instance = await makeSharedInstance(config)
  const program = await bundleProgram(join(import.meta.dirname, "../storage/secondProcess.ts"))
  const child = fork(program, { env: { ...process.env, MEETING: JSON.stringify(config) } })
  onTestFinished(async () => {
    const exit = once(child, "exit")
    child.disconnect()
    await exit
    await instance.close()
    await upstream.close()
  })
  await once(child, "message")
  const { challenge, verifier } = makeProof()
  const { body } = await instance.ask({
    method: "POST",
    url: "/v1/auth/keys/code",
    body: { code_challenge: challenge },
    key: keys.member
  })
  const code = getProperty(getProperty(body, "data"), "id")
  const exchange = { method: "POST", url: "/v1/auth/keys", body: { code, code_verifier: verifier } }
  const statuses: Array<unknown> = []
  const all = new Promise<void>((resolve) => {
    const add = (answered: unknown) => {
      statuses.push(getProperty(answered, "status"))
      if (statuses.length === 20) resolve()
    }
    child.on("message", add)
    for (let at = 0; at < 10; at++) {
      child.send(exchange)
      void instance.ask(exchange).then(add)
    }
  })
  await all
  expect(statuses.map(Number).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 19 }, () => 403)
  ])
})

const list = (origin: string, query = "") =>
  send(`${origin}/api/v1/organization/members${query}`, {
    method: "GET",
    headers: { authorization: `Bearer ${keys.management}` }
  })

describe("the people of an organization", () => {
  test("are those whom the host knows, in pages", async () => {
    const people = ["ada", "bob", "eve"].map((id) => ({ id, email: `${id}@acme.example` }))
    const { origin } = await start({
      organization: async ({ account, limit, offset }) =>
        account === "default"
          ? {
              members: [
                { ...people[0]!, firstName: "Ada", role: "admin" as const },
                ...people.slice(1)
              ].slice(offset, offset + limit),
              total: 3
            }
          : undefined
    })
    const { result } = await new OpenRouter({
      apiKey: keys.management,
      serverURL: `${origin}/api/v1`
    }).organization.listMembers({ limit: 2 })
    expect(result.totalCount).toBe(3)
    expect(result.data).toEqual([
      { id: "ada", email: "ada@acme.example", firstName: "Ada", lastName: null, role: "org:admin" },
      { id: "bob", email: "bob@acme.example", firstName: null, lastName: null, role: "org:member" }
    ])
    expect(getProperty((await list(origin, "?offset=2")).body, "data")).toHaveLength(1)
    expect((await list(origin, "?limit=101")).status).toBe(400)
  })

  test("are a 404 without an organization, and for management keys alone", async () => {
    const { origin } = await start()
    expect((await list(origin)).status).toBe(404)
    const { status } = await send(`${origin}/api/v1/organization/members`, {
      method: "GET",
      headers: { authorization: `Bearer ${keys.member}` }
    })
    expect(status).toBe(403)
  })
})
