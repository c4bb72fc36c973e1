import { createServer } from "node:http"
import { consoleRoutes, type Authorize, type ConsoleOptions } from "@signalbox/console"
import { Signalbox, signalbox } from "@signalbox/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { nodeHost, toRunningHost, type Host } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { send, type SendOptions } from "../support/send.ts"
import { getProperty } from "../support/getProperty.ts"
import { everyGroup } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"

const mount = "/ai/console"
const admin = { cookie: "session=admin-session" }
const isAdmin: Authorize = ({ headers }) =>
  headers["cookie"]?.includes("session=admin-session") === true ? { user: "ada" } : undefined

type Instance = Awaited<ReturnType<typeof Signalbox.make>>
let instance: Instance
beforeAll(async () => {
  instance = await startConsoleInstance()
})
afterAll(() => instance.close())

/** Requests below the mount of a console. */
const openConsole = async (
  options: Partial<ConsoleOptions> = {},
  host: Host = nodeHost,
  of: Instance = instance
) => {
  const running = await host.start(consoleRoutes(of, { authorize: isAdmin, ...options }), mount)
  return {
    origin: running.origin,
    ask: (path: string, { headers = admin, method = "GET", ...rest }: SendOptions = {}) =>
      send(`${running.origin}${mount}${path}`, { method, headers, ...rest }),
    [Symbol.asyncDispose]: () => running.close()
  }
}

const readAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(getProperty, value)

const findAsset = (page: string): string => /assets\/[\w.-]+\.js/.exec(page)![0]

describe.each(pickHosts(import.meta.filename))("the console in $name", (host) => {
  it("serves its page, its files and the API to callers of the host", async () => {
    await using console = await openConsole({}, host)
    const page = await console.ask("/")
    expect(page.status).toBe(200)
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8")
    const file = await console.ask(`/${findAsset(page.text)}`)
    expect(file.status).toBe(200)
    expect(file.headers["cache-control"]).toBe("private, max-age=31536000, immutable")
    expect(file.headers["content-encoding"]).toBeUndefined()
    // Caches keep both.
    expect(file.headers["vary"]?.toLowerCase()).toContain("accept-encoding")
    const url = `${console.origin}${mount}/${findAsset(page.text)}`
    const zipped = await fetch(url, { headers: { ...admin, "accept-encoding": "gzip" } })
    expect(zipped.headers.get("content-encoding")).toBe("gzip")
    expect(zipped.headers.get("vary")?.toLowerCase()).toContain("accept-encoding")
    expect(await zipped.text()).toBe(file.text)
    expect(Number(zipped.headers.get("content-length"))).toBeLessThan(file.text.length / 2)
    const health = await console.ask("/api/v1/signalbox/health")
    expect(health.headers["cache-control"]).toBe("no-store")
    expect((await console.ask("/api/v1/models")).headers["cache-control"]).toBe("no-store")
    expect((await console.ask("/api/v1/generation?id=none")).headers["cache-control"]).toBe(
      "no-store"
    )
    expect(Object.keys(Object(readAt(health.body, "data.endpoints")))).toEqual([
      "demo/model@overloaded",
      "demo/model@steady"
    ])
  })

  it("reveals nothing to others", async () => {
    await using console = await openConsole({}, host)
    const { text } = await console.ask("/")
    for (const path of [
      "/",
      "",
      "/session",
      `/${findAsset(text)}`,
      "/api/v1/signalbox/health",
      "/api/v1/none"
    ]) {
      const refused = await console.ask(path, { headers: {} })
      expect({ path, ...refused }).toMatchObject({
        path,
        status: 403,
        body: { error: { code: 403, message: "you are not allowed to open this console" } }
      })
    }
  })

  it("forbids its page everything but itself, even if the host allows more", async () => {
    await using console = await openConsole({}, host)
    const { headers, text } = await console.ask("/")
    const policy = headers["content-security-policy"]
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("unsafe")
    expect(headers["x-content-type-options"]).toBe("nosniff")
    expect(headers["referrer-policy"]).toBe("no-referrer")
    expect(headers["cache-control"]).toBe("no-store")
    expect(text).not.toMatch(/<script(?! type="module" src)|<style|style=|https?:/)
  })

  it("adds the slash that relative addresses need", async () => {
    await using console = await openConsole({}, host)
    const { headers, status } = await console.ask("?a=b")
    expect(status).toBe(308)
    expect(headers["location"]).toBe("./console/?a=b")
  })

  it("forwards the dry run and its body", async () => {
    await using console = await openConsole({}, host)
    const plan = await console.ask("/api/v1/signalbox/plan", {
      method: "POST",
      headers: { ...admin, "content-type": "application/json" },
      body: JSON.stringify({
        request: { model: "demo/model", messages: [{ role: "user", content: "Hi" }] }
      })
    })
    expect(plan.status).toBe(200)
    expect(readAt(plan.body, "data.ordered")).toHaveLength(2)
  })

  it("answers 503 while the instance closes", async () => {
    const closing = await Signalbox.make({ upstreams: [], models: [] })
    await using console = await openConsole({}, host, closing)
    await closing.close()
    expect((await console.ask("/")).status).toBe(503)
  })
})

describe("authorize", () => {
  it("is required", () => {
    expect(() => consoleRoutes(instance, JSON.parse("{}"))).toThrow("authorize is missing")
    expect(() => consoleRoutes(instance, JSON.parse(`{"authorise":1}`))).toThrow("authorize")
  })

  it("may answer by itself, such as with a redirect to a login page", async () => {
    await using console = await openConsole({
      authorize: () => new Response(null, { status: 302, headers: { location: "/login" } })
    })
    const { headers, status } = await console.ask("/")
    expect([status, headers["location"]]).toEqual([302, "/login"])
  })

  it("sees the host's own request", async () => {
    const mounted = signalbox(
      consoleRoutes(instance, {
        authorize: ({ source }) =>
          "account" in source ? { account: String(source.account) } : null
      }),
      { mount }
    )
    const running = await toRunningHost(
      createServer((request, response) => {
        mounted(Object.assign(request, { account: "default" }), response)
      })
    )
    expect((await send(`${running.origin}${mount}/session`, { method: "GET" })).status).toBe(200)
    await running.close()
  })

  it("refuses everybody when it fails", async () => {
    await using console = await openConsole({
      authorize: () => Promise.reject(new Error("the session store is down"))
    })
    const { body, status } = await console.ask("/session")
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain("session store")
  })

  it.each([
    { kind: "member", user: "ada" },
    { kind: "host" },
    { canManage: false },
    { workspace: "none" }
  ] as const)(
    "refuses everybody when it returns %o, who does not manage the account",
    async (caller) => {
      await using console = await openConsole({ authorize: () => caller })
      expect((await console.ask("/")).status).toBe(500)
    }
  )

  it("keeps the accounts of a host apart", async () => {
    const { data } = await instance.keys.create({ name: "ours" })
    await using ours = await openConsole({ authorize: () => ({ account: "default" }) })
    await using theirs = await openConsole({ authorize: () => ({ account: "acme" }) })
    expect((await ours.ask(`/api/v1/keys/${data.hash}`)).status).toBe(200)
    expect((await theirs.ask(`/api/v1/keys/${data.hash}`)).status).toBe(404)
    // The figures of the health report cover all accounts.
    expect((await theirs.ask("/api/v1/signalbox/health")).status).toBe(403)
  })
})

describe("the API of the console", () => {
  it.each([
    ["POST", "/api/v1/messages"],
    ["PATCH", "/api/v1/signalbox/account"],
    ["POST", "/api/v1/signalbox/people/erase"],
    ["PUT", "/api/v1/vault/secrets/x"],
    ["POST", "/api/v1/auth/keys/code"],
    ["DELETE", "/api/v1/workspaces/x"],
    ["GET", "/api/v1/vault/secrets"],
    ["POST", "/api/v1/generation/feedback"],
    ["POST", "/api/v1/presets/x/chat/completions"],
    ["DELETE", "/api/v1/signalbox/presets/x"],
    ["GET", "/api/v1/docs"],
    ["GET", "/api/v1/none"],
    ["GET", "/api/v1"]
  ])("has no %s %s, whatever the host allows", async (method, path) => {
    await using console = await openConsole({ allow: everyGroup })
    const headers = await signIn(console)
    const refused = await console.ask(path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(method === "GET" ? undefined : { body: "{}" })
    })
    expect(refused.status).toBe(404)
    expect(readAt(refused.body, "error.message")).toBe("the console has no such operation")
  })

  it("reads prompts and answers only where the host shows them", async () => {
    const path = "/api/v1/generation/content?id=none"
    await using hidden = await openConsole({ allowActions: true })
    const refused = await hidden.ask(path)
    expect(refused.status).toBe(403)
    expect(readAt(refused.body, "error.message")).toContain("shows no prompts and answers")
    expect(readAt((await hidden.ask("/session")).body, "data.show_content")).toBe(false)
    await using shown = await openConsole({ showContent: true })
    // No such request, which the instance says.
    expect((await shown.ask(path)).status).toBe(404)
    expect(readAt((await shown.ask("/session")).body, "data.show_content")).toBe(true)
  })

  it("links to the way out that the host names, and to no script", async () => {
    await using silent = await openConsole()
    expect(readAt((await silent.ask("/session")).body, "data.sign_out_url")).toBeNull()
    for (const signOutUrl of ["/logout", "https://id.example.com/logout"]) {
      await using console = await openConsole({ signOutUrl })
      expect(readAt((await console.ask("/session")).body, "data.sign_out_url")).toBe(signOutUrl)
    }
    for (const signOutUrl of [
      "javascript:alert(1)",
      "//evil.example",
      "/\\evil.example",
      "logout",
      ""
    ])
      await expect(openConsole({ signOutUrl })).rejects.toThrow("signOutUrl must be a path")
  })

  it("refuses reads of other sites", async () => {
    await using console = await openConsole()
    const read = (headers: Readonly<Record<string, string>>) =>
      console.ask("/api/v1/signalbox/health", { headers: { ...admin, ...headers } })
    expect((await read({ "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await read({ "sec-fetch-site": "same-site" })).status).toBe(403)
    expect((await read({ origin: "https://evil.invalid" })).status).toBe(403)
    expect((await read({ "sec-fetch-site": "same-origin" })).status).toBe(200)
    expect((await read({ "sec-fetch-site": "none" })).status).toBe(200)
  })
})

describe("actions", () => {
  it("are refused unless the host allows them", async () => {
    await using console = await openConsole()
    expect(await console.ask("/session")).toMatchObject({
      body: { data: { allow: [], token: null, user: "ada", account: "default" } }
    })
    expect(await disable(console, { ...admin, "sec-fetch-site": "same-origin" })).toEqual({
      status: 403,
      message: "this console is read-only; the host may allow actions",
      isDisabled: false,
      name: "to disable"
    })
  })

  it("are done for the page of the console", async () => {
    await using console = await openConsole({ allowActions: true })
    const headers = await signIn(console)
    expect(await disable(console, headers)).toMatchObject({ status: 200, isDisabled: true })
    const { "sec-fetch-site": _, ...olderBrowser } = headers
    expect(await disable(console, { ...olderBrowser, origin: console.origin })).toMatchObject({
      status: 200,
      isDisabled: true
    })
    expect(
      await disable(console, {
        ...olderBrowser,
        origin: "https://ops.example.com",
        "x-forwarded-host": "ops.example.com"
      })
    ).toMatchObject({ status: 200, isDisabled: true })
  })

  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "", origin: "https://evil.invalid" },
    { "sec-fetch-site": "", origin: "null" }
  ])("are refused to other origins: %o", async (changes) => {
    await using console = await openConsole({ allowActions: true })
    const { "sec-fetch-site": site, ...others } = changes as Record<string, string>
    const { "sec-fetch-site": _, ...signedIn } = await signIn(console)
    expect(
      await disable(console, {
        ...signedIn,
        ...others,
        ...(site === "" || site === undefined ? undefined : { "sec-fetch-site": site })
      })
    ).toMatchObject({ status: 403, isDisabled: false })
  })

  it("are refused without the token of the page", async () => {
    await using console = await openConsole({ allowActions: true })
    const headers = await signIn(console)
    for (const wrong of [
      { "x-signalbox-token": "" },
      { "x-signalbox-token": "00000000-0000-4000-8000-000000000000" },
      { cookie: admin.cookie }
    ]) {
      expect(await disable(console, { ...headers, ...wrong })).toMatchObject({
        status: 403,
        message: "the token of the page is missing or out of date; reload the page",
        isDisabled: false
      })
    }
  })

  it.each(pickHosts(import.meta.filename))(
    "change nothing of a key but whether it is disabled, in $name",
    async (host) => {
      await using console = await openConsole({ allowActions: true }, host)
      const headers = await signIn(console)
      for (const body of [
        { name: "changed" },
        { disabled: true, name: "changed" },
        { disabled: true, limit: null },
        { disabled: "true" },
        { disabled: true, note: "x".repeat(2_000) },
        {},
        [true],
        null
      ]) {
        expect(await disable(console, headers, body)).toEqual({
          status: 400,
          message: "the console only disables and enables keys: send `disabled` and nothing else",
          isDisabled: false,
          name: "to disable"
        })
      }
      expect(await disable(console, headers)).toMatchObject({ status: 200, isDisabled: true })
    }
  )

  it("keep the token of other tabs, and the cookies of the host", async () => {
    const mounted = signalbox(consoleRoutes(instance, { authorize: isAdmin, allowActions: true }), {
      mount
    })
    const running = await toRunningHost(
      createServer((request, response) => {
        response.setHeader("set-cookie", ["session=renewed"])
        mounted(request, response)
      })
    )
    const first = await fetch(`${running.origin}${mount}/session`, { headers: admin })
    const [session, cookie = ""] = first.headers.getSetCookie()
    expect(session).toBe("session=renewed")
    expect(cookie).toMatch(/^signalbox-console=[0-9a-f-]{36}; HttpOnly; SameSite=Strict$/)
    const second = await fetch(`${running.origin}${mount}/session`, {
      headers: { cookie: `${admin.cookie}; ${cookie.split(";")[0]!}` }
    })
    expect(await second.json()).toEqual(await first.json())
    await running.close()
  })
})

/** The headers of a request of the console's own page. */
const signIn = async (console: Awaited<ReturnType<typeof openConsole>>) => {
  const { headers, body } = await console.ask("/session")
  return {
    cookie: `${admin.cookie}; ${headers["set-cookie"]?.split(";")[0] ?? ""}`,
    "sec-fetch-site": "same-origin",
    "x-signalbox-token": String(readAt(body, "data.token"))
  }
}

/** Asks the console to disable a new key. */
const disable = async (
  console: Awaited<ReturnType<typeof openConsole>>,
  headers: Readonly<Record<string, string>>,
  change: unknown = { disabled: true }
) => {
  const { data } = await instance.keys.create({ name: "to disable" })
  const { body, status } = await console.ask(`/api/v1/keys/${data.hash}`, {
    method: "PATCH",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(change)
  })
  const { data: after } = await instance.keys.get({ hash: data.hash })
  return {
    status,
    message: readAt(body, "error.message"),
    isDisabled: after.disabled,
    name: after.name
  }
}
