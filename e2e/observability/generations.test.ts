/** The list of generations and their whole records, which a console shows. */
import { describe, expect, test } from "vitest"
import { AccountTestServer, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const path = "/signalbox/generations"

const list = async (server: AccountTestServer, query = "") => {
  const { body, status } = await server.ask(`${path}${query}`, "management")
  expect(status).toBe(200)
  return body
}
const getIds = (body: unknown) =>
  (getProperty(body, "data") as ReadonlyArray<unknown>).map((row) => String(getProperty(row, "id")))
const getId = ({ body }: { readonly body: unknown }) => String(getProperty(body, "id"))

describe("the generations of an account", () => {
  test("are listed, the latest first, page by page", async () => {
    await using server = await AccountTestServer.start()
    const ids: Array<string> = []
    for (let n = 0; n < 5; n++) ids.push(getId(await server.decide()))
    const found: Array<string> = []
    let after = ""
    do {
      const body = await list(server, `?limit=2${after}`)
      found.push(...getIds(body))
      const cursor = getProperty(body, "next_cursor")
      expect(getProperty(body, "has_more")).toBe(cursor !== undefined)
      after = typeof cursor === "string" ? `&starting_after=${cursor}` : ""
    } while (after !== "")
    expect(found.toSorted()).toEqual(ids.toSorted())
    expect((await server.ask(`${path}?starting_after=none`, "management")).status).toBe(400)
  })

  test("are filtered by what they asked, by whom, when and with which result", async () => {
    await using server = await AccountTestServer.start()
    const one = getId(await server.decide({ user: "u-1", session_id: "s-1" }))
    const elsewhere = getId(await server.decide({}, "otherWorkspace"))
    expect((await server.decide({ state: "fail" })).status).toBe(502)
    expect(getIds(await list(server, "?external_user=u-1"))).toEqual([one])
    expect(getIds(await list(server, "?session_id=s-1"))).toEqual([one])
    expect(getIds(await list(server, `?workspace_id=${otherWorkspaceId}`))).toEqual([elsewhere])
    expect(getIds(await list(server, "?outcome=answered"))).toHaveLength(2)
    expect(getProperty(await list(server, "?outcome=failed"), "data")).toMatchObject([
      { outcome: "AttemptsFailed", model: null, requested_model: "proof/model", cost: null }
    ])
    expect(getIds(await list(server, "?provider=First"))).toHaveLength(3)
    expect(getIds(await list(server, "?model=proof/model"))).toHaveLength(3)
    expect(getIds(await list(server, "?operation=chat"))).toEqual([])
    expect(getIds(await list(server, "?to=2026-01-01"))).toEqual([])
    expect(getIds(await list(server, "?from=2026-01-01"))).toHaveLength(3)
    expect((await server.ask(`${path}?operation=songs`, "management")).status).toBe(400)
  })

  test("tell why they went where they did, and what each attempt cost", async () => {
    await using server = await AccountTestServer.start()
    const id = getId(await server.decide({ trace: { trace_name: "t" }, user: "u-1" }))
    const { body } = await server.ask(`${path}/${id}`, "management")
    expect(getProperty(body, "data")).toMatchObject({
      id,
      operation: "decisions",
      outcome: "answered",
      external_user: "u-1",
      requested_model: "proof/model",
      model: "proof/model",
      upstream_model: "proof/model-2030-01-01",
      usage: { tokens_prompt: 10, tokens_completion: 2 },
      cost: 26e-6,
      attempts: [
        {
          endpoint_id: "proof/model@first",
          provider_name: "First",
          outcome: "served",
          cost: 26e-6,
          is_byok: false
        }
      ],
      rejected: [],
      demoted: [],
      strategy: expect.any(String),
      trace: { trace_name: "t" }
    })
    const ignored = await server.decide({ provider: { ignore: ["first"] } })
    const rejected = await server.ask(`${path}/${ignored.headers["x-generation-id"]}`, "management")
    expect(getProperty(rejected.body, "data")).toMatchObject({
      outcome: "NoEndpoints",
      attempts: [],
      rejected: [{ endpoint_id: "proof/model@first", rule: "ignore", source: "request" }]
    })
  })

  test("show the preferences and the bounds that were in force", async () => {
    await using server = await AccountTestServer.start()
    const plain = getId(await server.decide())
    const { body: before } = await server.ask(`${path}/${plain}`, "management")
    expect(getProperty(before, "data")).toMatchObject({
      models: ["proof/model"],
      resolved_models: null,
      preferences: null,
      omitted_preferences: [],
      constraints: [],
      limits: []
    })
    const restricted = await server.ask("/signalbox/account", "management", "PATCH", {
      ignore: ["elsewhere"]
    })
    expect(restricted.status).toBe(200)
    const provider = { order: ["first"], only: [], zdr: null, max_price: { prompt: "9" } }
    const id = getId(await server.decide({ provider }))
    const shown = {
      preferences: { order: ["first"], max_price: { prompt: "9" } },
      constraints: [{ source: "account", rules: ["ignore"] }],
      limits: []
    }
    const { body } = await server.ask(`${path}/${id}`, "management")
    expect(getProperty(body, "data")).toMatchObject(shown)
    expect(getProperty(await list(server, "?limit=1"), "data")).toMatchObject([{ id, ...shown }])
  })

  test("say which spend limit refused a request, and by how much", async () => {
    await using server = await AccountTestServer.start()
    const budget = "/workspaces/default/budgets/monthly"
    expect((await server.ask(budget, "management", "PUT", { limit_usd: 0.000001 })).status).toBe(
      200
    )
    expect((await server.decide()).status).toBe(403)
    const [id = ""] = getIds(await list(server, "?outcome=failed"))
    const { body } = await server.ask(`${path}/${id}`, "management")
    const record = getProperty(body, "data")
    expect(record).toMatchObject({
      outcome: "LimitExceeded",
      exceeded_limit: {
        kind: "workspace",
        interval: "monthly",
        limit_usd: 0.000001,
        available_usd: 0.000001
      }
    })
    const required = getProperty(getProperty(record, "exceeded_limit"), "required_usd")
    expect(required).toBeGreaterThan(0.000001)
  })

  test("are found by an endpoint that was tried", async () => {
    await using server = await AccountTestServer.start()
    const id = getId(await server.decide())
    expect((await server.decide({ state: "fail" })).status).toBe(502)
    // Left out by a rule, so nothing was tried.
    await server.decide({ provider: { ignore: ["first"] } })
    const tried = getIds(await list(server, "?endpoint=proof/model@first"))
    expect(tried).toHaveLength(2)
    expect(tried).toContain(id)
    expect(getIds(await list(server, "?endpoint=proof/model@second"))).toEqual([])
  })

  test("are for management keys, of their own account", async () => {
    await using server = await AccountTestServer.start()
    const id = getId(await server.decide())
    for (const each of [path, `${path}/${id}`]) {
      expect((await server.ask(each, "member")).status).toBe(403)
    }
    expect((await server.ask(path, "foreign")).body).toEqual({ data: [], has_more: false })
    expect((await server.ask(`${path}/${id}`, "foreign")).status).toBe(404)
    expect((await server.ask(`${path}/none`, "management")).status).toBe(404)
  })
})
