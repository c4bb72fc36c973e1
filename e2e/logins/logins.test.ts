/** Starts each program of the guide "Users from your login", logs in like a browser, and calls the API with its session. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"

/** The headers of a session of ada. */
type LogIn = (origin: string) => Promise<Readonly<Record<string, string>>>

interface Program {
  readonly file: string
  readonly logIn: LogIn
  /** Default: `/ai`. */
  readonly mount?: string
  /** What `GET /key` says of ada. */
  readonly caller: { readonly creator_user_id: unknown; readonly organization_id: string }
  /** Whether a browser sends the session by itself. Default: true. */
  readonly isCookie?: boolean
}

const credentials = { name: "ada", password: "correct horse" }
const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }

const readCookies = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")

const logInByJson: LogIn = async (origin) => {
  const body = JSON.stringify(credentials)
  const answer = await fetch(`${origin}/login`, { method: "POST", headers: json, body })
  return { cookie: readCookies(answer) }
}

const programs: ReadonlyArray<Program> = [
  {
    file: "expressSession",
    logIn: logInByJson,
    caller: { creator_user_id: "ada", organization_id: "acme" }
  },
  {
    file: "passport",
    logIn: async (origin) => {
      const body = new URLSearchParams({ username: "ada", password: "correct horse" })
      const answer = await fetch(`${origin}/login`, { method: "POST", body })
      return { cookie: readCookies(answer) }
    },
    caller: { creator_user_id: "ada", organization_id: "default" }
  },
  {
    file: "betterAuth",
    logIn: async (origin) => {
      const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { ...json, origin },
        body: JSON.stringify({ email: "ada@acme.example", ...credentials })
      })
      return { cookie: readCookies(answer) }
    },
    caller: { creator_user_id: expect.stringMatching(/^\w{32}$/), organization_id: "default" }
  },
  {
    file: "authJs",
    logIn: async (origin) => {
      const started = await fetch(`${origin}/auth/csrf`)
      const { csrfToken } = (await started.json()) as { csrfToken: string }
      const answer = await fetch(`${origin}/auth/callback/credentials`, {
        method: "POST",
        redirect: "manual",
        headers: { ...form, cookie: readCookies(started) },
        body: new URLSearchParams({ ...credentials, csrfToken })
      })
      return { cookie: readCookies(answer) }
    },
    caller: { creator_user_id: "ada@acme.example", organization_id: "default" }
  },
  {
    file: "fastifyJwt",
    logIn: async (origin) => {
      const body = JSON.stringify(credentials)
      const answer = await fetch(`${origin}/login`, { method: "POST", headers: json, body })
      const { token } = (await answer.json()) as { token: string }
      return { authorization: `Bearer ${token}` }
    },
    caller: { creator_user_id: "ada", organization_id: "acme" },
    isCookie: false
  },
  {
    file: "tenants",
    logIn: logInByJson,
    mount: "/tenants/initech/ai",
    caller: { creator_user_id: "ada", organization_id: "initech" }
  }
]

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** Resolves to the origin of a running program; it ends with the test. */
const start = async (file: string): Promise<string> => {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, `${file}.ts`)], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const exited = once(child, "close")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await exited
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text))
  }
  const origin = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () => {
        if (child.exitCode !== null) throw new Error(printed)
        return fetch(origin).then(({ status }) => status, String)
      },
      { timeout: 240_000 }
    )
    .toBe(404)
  return origin
}

test.each(programs)(
  "$file: a logged-in user is the caller, and pages of other sites do not act for them",
  { timeout: 300_000 },
  async ({ caller, file, isCookie = true, logIn, mount = "/ai" }) => {
    const origin = await start(file)
    const call = async (headers: Readonly<Record<string, string>>, init: RequestInit = {}) => {
      const answer = await fetch(
        `${origin}${mount}/api/v1/${init.body === undefined ? "key" : "rerank"}`,
        {
          ...init,
          headers: { ...json, ...headers }
        }
      )
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    expect((await call({})).status).toBe(401)
    expect((await call({ cookie: "session=none", authorization: "Bearer none" })).status).toBe(401)

    const session = await logIn(origin)
    expect(await call(session)).toMatchObject({ status: 200, body: { data: caller } })

    const spend = {
      method: "POST",
      body: JSON.stringify({ model: "a/b", query: "?", documents: [] })
    }
    const foreign = { ...session, origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    expect(
      (await call({ ...session, origin, "sec-fetch-site": "same-origin" }, spend)).status
    ).toBe(400)
    expect(await call(foreign, spend)).toMatchObject(
      isCookie
        ? { status: 403, body: { error: { metadata: { reason: "cross_origin" } } } }
        : { status: 400 }
    )
  }
)

test("tenants: a user calls for the tenants that they belong to, and for no other", async () => {
  const origin = await start("tenants")
  const headers = await logInByJson(origin)
  for (const [tenant, status] of [
    ["acme", 200],
    ["initech", 200],
    ["default", 401],
    ["__proto__", 401]
  ] as const) {
    const answer = await fetch(`${origin}/tenants/${tenant}/ai/api/v1/key`, { headers })
    expect([tenant, answer.status]).toEqual([tenant, status])
  }
})

test("fastifyJwt: a token that is none of the application's may be a key", async () => {
  const origin = await start("fastifyJwt")
  const headers = { authorization: "Bearer sk-nightly-job" }
  const answer = await fetch(`${origin}/ai/api/v1/key`, { headers })
  expect(await answer.json()).toMatchObject({ data: { creator_user_id: null } })
})
