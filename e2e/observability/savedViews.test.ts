/** Saved views of requests, over HTTP and in process. */
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"

const keys = { management: "sk-views-management", foreign: "sk-views-foreign" } as const

const start = async (options: Partial<Parameters<typeof Signalbox.make>[0]> = {}) => {
  const instance = await Signalbox.make({
    upstreams: [],
    models: [],
    keys: [
      { key: keys.management, kind: "management" },
      { key: keys.foreign, kind: "management", account: "foreign" }
    ],
    ...options
  })
  onTestFinished(() => instance.close())
  const ask = async (
    method: string,
    path = "",
    body?: unknown,
    key: keyof typeof keys = "management"
  ) => {
    const response = await instance.fetch(
      new Request(`http://views.test/api/v1/signalbox/saved-views${path}`, {
        method,
        headers: { authorization: `Bearer ${keys[key]}`, "content-type": "application/json" },
        body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
      })
    )
    const json: unknown = await response.json()
    return { status: response.status, json, data: getProperty(json, "data") }
  }
  return { instance, ask }
}

const slow = { name: "slow – ü", filters: { min_latency: "2000", tag: "a:b" }, sort: "latency" }

describe.each([
  ["memory", {}],
  ["SQLite", { stores: sqlite({ path: ":memory:" }) }]
])("on %s", (_, stores) => {
  test("views are shared by the operators of an account, and by nobody else", async () => {
    const { ask, instance } = await start(stores)
    const created = await ask("POST", "", slow)
    expect(created).toMatchObject({ status: 201, data: slow })
    const id = String(getProperty(created.data, "id"))
    expect(await ask("GET")).toMatchObject({ data: [{ id, ...slow }] })
    expect((await instance.savedViews.list({})).data).toMatchObject([{ id, ...slow }])
    expect(await ask("GET", "", undefined, "foreign")).toMatchObject({ data: [] })
    expect(await ask("DELETE", `/${id}`, undefined, "foreign")).toMatchObject({ status: 404 })
    expect(await ask("PATCH", `/${id}`, { sort: null })).toMatchObject({
      data: { name: slow.name, sort: null }
    })
    expect(await ask("DELETE", `/${id}`)).toMatchObject({ status: 200 })
    expect(await ask("GET", `/${id}`)).toMatchObject({ status: 404 })
    const { data } = await instance.audit.list({ limit: 3 })
    expect(data.map(({ action }) => action)).toEqual([
      "saved_view.delete",
      "saved_view.update",
      "saved_view.create"
    ])
  })

  test("views named a person who was erased", async () => {
    const { ask, instance } = await start(stores)
    const filters = { user: "ada", external_user: "ada", tag: "team:ada", model: "ada" }
    const { data: view } = await instance.savedViews.create({ name: "hers", filters })
    const foreign = await ask("POST", "", { name: "hers", filters }, "foreign")
    const { data: erased } = await instance.people.erase({ user: "ada" })
    const { pseudonym } = erased
    expect(pseudonym).toMatch(/^erased-/)
    expect((await instance.savedViews.get({ id: view.id })).data.filters).toEqual({
      ...filters,
      user: pseudonym,
      tag: `team:${pseudonym}`
    })
    const { data } = await instance.people.erase({ external_user: "ada" })
    expect((await instance.savedViews.get({ id: view.id })).data.filters).toMatchObject({
      external_user: data.pseudonym,
      model: "ada"
    })
    await instance.savedViews.delete({ id: view.id })
    const log = JSON.stringify((await instance.audit.list({ limit: 10 })).data)
    expect(log).toContain(`"tag":"team:${pseudonym}"`)
    // The model of the view is called so, too.
    expect(log.replaceAll('"model":"ada"', "")).not.toMatch(/[":]ada"/)
    const id = String(getProperty(foreign.data, "id"))
    expect(await ask("GET", `/${id}`, undefined, "foreign")).toMatchObject({ data: { filters } })
  })
})

test.each([
  ["a filter that the list does not have", { name: "a", filters: { modle: "a/b" } }],
  ["a time", { name: "a", filters: { from: "2026-01-01T00:00:00.000Z" } }],
  ["a name of prototypes", '{"name":"a","filters":{"__proto__":"a"}}'],
  ["an empty value", { name: "a", filters: { model: "" } }],
  ["an order that the list does not have", { name: "a", sort: "name" }],
  ["no name", { filters: {} }]
])("%s is refused", async (_, body) => {
  const { ask } = await start()
  expect(await ask("POST", "", body)).toMatchObject({ status: 400 })
  expect(await ask("GET")).toMatchObject({ data: [] })
})

test.each([
  ["tag", "acme", 'must be the name and the value of a tag, such as customer:acme; got "acme"'],
  ["operation", "walk", /must be one of decisions, .*; got "walk"/],
  ["min_latency", "2s", 'must be a number of 0 or more; got "2s"'],
  ["max_cost", "-1", 'must be a number of 0 or more; got "-1"'],
  ["min_tokens", "0x10", 'must be a number of 0 or more; got "0x10"']
])(
  "the value of the filter %s is refused when the list could not read it",
  async (name, value, problem) => {
    const { ask } = await start()
    const filters = { [name]: value }
    const refused = await ask("POST", "", { name: "a", filters })
    expect(refused.status).toBe(400)
    const message = String(getProperty(getProperty(refused.json, "error"), "message"))
    expect(message).toContain(`filters.${name}`)
    expect(message).toMatch(problem)
    const { data } = await ask("POST", "", slow)
    const id = String(getProperty(data, "id"))
    expect(await ask("PATCH", `/${id}`, { filters })).toMatchObject({ status: 400 })
    expect(await ask("GET")).toMatchObject({ data: [slow] })
  }
)

test("an account has a bounded number of views", async () => {
  const { ask } = await start({ settings: { maxSavedViewsPerWorkspace: 1 } })
  expect((await ask("POST", "", slow)).status).toBe(201)
  const refused = await ask("POST", "", slow)
  expect(refused.status).toBe(409)
  expect(JSON.stringify(refused.json)).toContain("maxSavedViewsPerWorkspace")
})
