/** What a host lets operators change in a console, and that nothing else is possible. */
import { type ActionGroup, consoleRoutes } from "@signalbox/console"
import { operations, toOperationId } from "@signalbox/core/adapter"
import type { Signalbox } from "@signalbox/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"

/** The changes of each group, as the guide lists them. */
const changesByGroup: Readonly<Record<ActionGroup, ReadonlyArray<string>>> = {
  keys: ["keys.create", "keys.delete", "keys.rotate", "keys.setRateLimit", "keys.update"],
  disableKeys: ["keys.update"],
  budgets: [
    "budgets.create",
    "budgets.delete",
    "budgets.update",
    "workspaces.deleteBudget",
    "workspaces.setBudget"
  ],
  guardrails: [
    "guardrails.assignKeys",
    "guardrails.assignMembers",
    "guardrails.create",
    "guardrails.delete",
    "guardrails.unassignKeys",
    "guardrails.unassignMembers",
    "guardrails.update"
  ],
  customers: [
    "customers.create",
    "customers.delete",
    "customers.resume",
    "customers.suspend",
    "customers.update"
  ],
  byok: ["byok.create", "byok.delete", "byok.reorder", "byok.update"],
  webhooks: [
    "webhooks.createSecret",
    "webhooks.delete",
    "webhooks.deleteSecret",
    "webhooks.set",
    "webhooks.test"
  ],
  members: ["workspaces.addMembers", "workspaces.removeMembers"],
  traffic: ["traffic.setControl"],
  experiments: ["experiments.restart", "experiments.stop"],
  videos: ["videos.cancel"],
  interns: ["interns.provision", "interns.suspend"],
  deliveries: ["deliveries.redeliver"],
  views: ["savedViews.create", "savedViews.delete"],
  playground: ["chat.complete", "decisions.createUnderBase"],
  replay: ["generations.replay"]
}
// Safe: its keys are the groups.
const groups = Object.keys(changesByGroup) as ReadonlyArray<ActionGroup>

const origin = "http://console.test"

let instance: Awaited<ReturnType<(typeof Signalbox)["make"]>>
beforeAll(async () => {
  instance = await startConsoleInstance()
})
afterAll(() => instance.close())

type Ask = (
  method: string,
  path: string,
  options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
) => Promise<{ readonly status: number; readonly body: unknown; readonly message: unknown }>

/** Asks as the page of a console does, with its token. */
const openPage = async (allow: ReadonlyArray<ActionGroup>, showContent = true): Promise<Ask> => {
  const { fetch } = consoleRoutes(instance, {
    authorize: () => ({ user: "ada" }),
    allow,
    showContent
  })
  const session = await fetch(new Request(`${origin}/session`))
  const token = String(getProperty(getProperty(await session.json(), "data"), "token"))
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? ""
  return async (method, path, { body = {}, headers = {} } = {}) => {
    const response = await fetch(
      new Request(origin + path, {
        method,
        headers: {
          cookie,
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          "x-signalbox-token": token,
          ...headers
        },
        ...(method === "GET" ? undefined : { body: JSON.stringify(body) })
      })
    )
    const json: unknown = await response.json().catch(() => undefined)
    const message = getProperty(getProperty(json, "error"), "message")
    return { status: response.status, body: json, message }
  }
}

/** Changes below the path that a console forwards; `none` stands for every parameter. */
const changes = operations.flatMap((operation) => {
  const { method, path } = operation
  if (method === "GET" || !path.startsWith("/api/v1/")) return []
  return [{ id: toOperationId(operation), method, path: path.replaceAll(/:\w+/g, "none") }]
})

/** What the console says itself, before the instance is asked. */
const ownRefusal =
  /^(the console has no such operation|this console is read-only|the host of this console)/

describe.each([...groups.map((group) => [group]), [], groups])(
  "a console that allows %j",
  (...allow: ReadonlyArray<ActionGroup>) => {
    it("forwards the changes of its groups, and no other operation that writes", async () => {
      const ask = await openPage(allow)
      const forwarded: Array<string> = []
      for (const { id, method, path } of changes) {
        const { message } = await ask(method, path)
        if (!ownRefusal.test(String(message))) forwarded.push(id)
      }
      expect(forwarded.toSorted()).toEqual(
        Array.from(
          new Set([
            "generations.previewReplay",
            "reports.plan",
            ...allow.flatMap((group) => changesByGroup[group])
          ])
        ).toSorted()
      )
    })
  }
)

describe("a change", () => {
  it("that tells what users said needs showContent besides", async () => {
    const ask = await openPage(["replay"], false)
    for (const path of ["replay", "replay/preview"]) {
      expect(await ask("POST", `/api/v1/signalbox/generations/none/${path}`)).toMatchObject({
        status: 403,
        message: expect.stringContaining("shows no prompts and answers")
      })
    }
  })

  it("is in the audit log with the operator's name", async () => {
    const ask = await openPage(["keys"])
    const { body, status } = await ask("POST", "/api/v1/keys", { body: { name: "for a team" } })
    expect(status).toBe(201)
    const hash = getProperty(getProperty(body, "data"), "hash")
    const { data } = await instance.audit.list({ limit: 1 })
    expect(data).toMatchObject([{ action: "key.create", target: hash, actor: { user_id: "ada" } }])
  })

  it.each(changes.filter(({ id }) => groups.some((each) => changesByGroup[each].includes(id))))(
    "$id is refused to other origins, and without the token",
    async ({ method, path }) => {
      const ask = await openPage(groups)
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { "x-signalbox-token": "" },
        { cookie: "" }
      ]) {
        expect(await ask(method, path, { headers })).toMatchObject({ status: 403 })
      }
    }
  )

  it("says which group the host does not allow", async () => {
    const ask = await openPage(["videos"])
    expect(await ask("POST", "/api/v1/keys")).toMatchObject({
      status: 403,
      message: "the host of this console does not allow `keys`"
    })
  })

  it("reveals no secret of a management key, which may do more", async () => {
    const ask = await openPage(groups)
    const { data } = await instance.keys.list({ include_disabled: true })
    const management = data.find(({ creator_user_id: user }) => user === null)!
    const path = `/api/v1/signalbox/keys/${management.hash}/rotate`
    for (const spelling of [
      path,
      `${path}?x=1`,
      path.replace(management.hash, (hash) => `%${hash.charCodeAt(0).toString(16)}${hash.slice(1)}`)
    ]) {
      expect(await ask("POST", spelling)).toMatchObject({
        status: 403,
        message: expect.stringContaining("management keys are not rotated")
      })
    }
    const { data: member } = await instance.keys.create({ name: "to rotate" })
    expect(await ask("POST", `/api/v1/signalbox/keys/${member.hash}/rotate`)).toMatchObject({
      status: 200,
      body: { key: expect.stringMatching(/^sk-/) }
    })
  })

  it("makes no key that manages the account", async () => {
    const ask = await openPage(groups)
    for (const extra of [
      { kind: "management" },
      { is_management_key: true },
      { canManage: true }
    ]) {
      const { body, status } = await ask("POST", "/api/v1/keys", {
        body: { name: "more", ...extra }
      })
      if (status !== 201) continue
      const key = String(getProperty(body, "key"))
      const listed = await instance.fetch(
        new Request(`${origin}/api/v1/keys`, { headers: { authorization: `Bearer ${key}` } })
      )
      expect(listed.status).toBe(403)
    }
  })
})

describe("the list of a host", () => {
  it.each([
    [["kyes"], `allow has "kyes", which is no group; there are keys, disableKeys, budgets,`],
    [["keys", "__proto__"], `allow has "__proto__", which is no group`],
    ["keys", "allow must be of type object"],
    [{ keys: true }, "allow must be an array of keys, disableKeys, budgets,"]
  ])("%j is refused at the start, with what is allowed", (allow, problem) => {
    expect(() =>
      consoleRoutes(instance, { authorize: () => null, allow: JSON.parse(JSON.stringify(allow)) })
    ).toThrow(problem)
  })

  it("is given in one way", () => {
    expect(() =>
      consoleRoutes(instance, { authorize: () => null, allow: [], allowActions: true })
    ).toThrow("pass allow or allowActions")
  })
})
