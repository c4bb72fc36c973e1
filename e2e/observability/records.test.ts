import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { otherWorkspaceId, AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const hosts = pickHosts(import.meta.filename)

const getId = ({ body }: { readonly body: unknown }) => String(getProperty(body, "id"))

describe.each(hosts)("records of the reference client, against $name", (host) => {
  test("tell what a request came to", async () => {
    await using server = await AccountTestServer.start({ host })
    const asking = { session_id: "s-1", user: "u-1" }
    const id = getId(await server.decide(asking))
    const { data } = await makeClient(server, accountKeys.member).generations.getGeneration({ id })
    expect(data).toMatchObject({
      id,
      apiType: "decisions",
      model: "proof/model",
      providerName: "First",
      totalCost: 26e-6,
      usage: 26e-6,
      tokensPrompt: 10,
      tokensCompletion: 2,
      nativeTokensPrompt: 10,
      cancelled: false,
      streamed: false,
      isByok: false,
      externalUser: "u-1",
      sessionId: "s-1",
      workspaceId: "00000000-0000-4000-8000-000000000000",
      providerResponses: [{ endpointId: "proof/model@first", providerName: "First", status: 200 }]
    })
    expect(data.generationTime).toBeGreaterThanOrEqual(data.latency ?? Number.NaN)
  })

  test("are the account's own, and without a management key the workspace's own", async () => {
    await using server = await AccountTestServer.start({ host })
    const id = getId(await server.decide())
    const other = getId(await server.decide({}, "otherWorkspace"))
    const find = (key: keyof typeof accountKeys, which: string) =>
      server.ask(`/generation?id=${which}`, key)

    const unknown = await find("member", "gen-dec-0-none")
    expect(unknown.status).toBe(404)
    for (const [key, which] of [
      ["member", other],
      ["otherWorkspace", id],
      ["foreign", id]
    ] as const) {
      expect(await find(key, which)).toMatchObject({ status: 404, body: unknown.body })
    }
    expect((await find("member", id)).status).toBe(200)
    const managed = await find("management", other)
    expect(getProperty(getProperty(managed.body, "data"), "workspace_id")).toBe(otherWorkspaceId)
    expect((await server.ask("/generation", "member")).status).toBe(400)
    expect((await server.ask("/generation?id=", "member")).status).toBe(400)
  })

  test("tell of credits what was granted and what was used", async () => {
    await using server = await AccountTestServer.start({ host, credits: { default: "12.5" } })
    await server.decide()
    const client = makeClient(server, accountKeys.management)
    const { data } = await client.credits.getCredits()
    expect(data).toEqual({ totalCredits: 12.5, totalUsage: 26e-6 })
    const unlimited = await makeClient(server, accountKeys.foreign).credits.getCredits()
    expect(unlimited.data).toEqual({ totalCredits: 0, totalUsage: 0 })
    expect((await server.ask("/credits", "member")).status).toBe(403)
  })
})

test("a request that no provider answered has a record too", async () => {
  await using server = await AccountTestServer.start()
  const told: Array<string> = []
  await using watched = await AccountTestServer.start({
    broadcast: [({ id }) => void told.push(id)]
  })
  await enable(watched, { is_observability_broadcast_enabled: true })
  expect((await watched.decide({ state: "fail" })).status).toBe(502)
  await expect.poll(() => told).toHaveLength(1)
  const { body } = await watched.ask(`/generation?id=${told[0]}`, "member")
  expect(getProperty(body, "data")).toMatchObject({
    model: "proof/model",
    provider_name: null,
    latency: null,
    tokens_prompt: null,
    total_cost: 0,
    provider_responses: [{ provider_name: "First", status: 503 }]
  })
  expect((await server.ask(`/generation?id=${told[0]}`, "member")).status).toBe(404)
})

const enable = (server: AccountTestServer, changes: Readonly<Record<string, unknown>>) =>
  server.ask("/workspaces/default", "management", "PATCH", changes)

describe("the settings of an account", () => {
  const path = "/signalbox/account"
  const open = {
    only: null,
    ignore: null,
    zdr: null,
    data_collection: null
  }

  test("restrict its requests from the change on, and appear in the audit log", async () => {
    await using server = await AccountTestServer.start()
    expect(await server.ask(path, "management")).toMatchObject({
      status: 200,
      body: { data: open }
    })
    expect((await server.decide()).status).toBe(200)
    for (const [patch, after] of [
      [{ ignore: ["first"] }, 404],
      [{ ignore: [] }, 200],
      [{ only: ["second"] }, 404],
      [{ only: null }, 200],
      [{ only: ["second"] }, 404],
      [{ only: [] }, 200],
      [{ only: ["first"] }, 200],
      [{ zdr: true }, 404],
      [{ zdr: false }, 200],
      [{ data_collection: "deny" }, 404],
      [{ data_collection: "allow" }, 200]
    ] as const) {
      expect((await server.ask(path, "management", "PATCH", patch)).status).toBe(200)
      expect([patch, (await server.decide()).status]).toEqual([patch, after])
    }
    const settings = { only: ["first"], ignore: null, zdr: false, data_collection: "allow" }
    expect((await server.ask(path, "management")).body).toEqual({ data: settings })
    const { body } = await server.ask("/signalbox/audit?limit=1", "management")
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          created_at: expect.any(String),
          actor: { key_hash: expect.any(String), user_id: null },
          action: "account.update",
          target: "default",
          before: { ...settings, data_collection: "deny" },
          after: settings
        }
      ],
      has_more: true,
      next_cursor: expect.any(String)
    })
  })

  test("are the account's own, and for management keys", async () => {
    await using server = await AccountTestServer.start()
    await server.ask(path, "management", "PATCH", { zdr: true })
    expect((await server.ask(path, "foreign")).body).toEqual({ data: open })
    expect((await server.ask("/signalbox/audit", "foreign")).body).toEqual({
      data: [],
      has_more: false
    })
    for (const asking of [
      server.ask(path, "member"),
      server.ask(path, "member", "PATCH", { zdr: false }),
      server.ask("/signalbox/audit", "member"),
      server.ask("/signalbox/metrics", "member")
    ]) {
      expect((await asking).status).toBe(403)
    }
  })

  test("are walked page by page, and by a cursor of this list alone", async () => {
    await using server = await AccountTestServer.start()
    const change = (zdr: boolean, key: "foreign" | "management" = "management") =>
      server.ask(path, key, "PATCH", { zdr })
    for (let n = 0; n < 5; n++) await change(n % 2 === 0)
    await change(true, "foreign")
    const read = async (query: string, key: "foreign" | "management" = "management") => {
      const { body } = await server.ask(`/signalbox/audit${query}`, key)
      return {
        data: getProperty(body, "data") as ReadonlyArray<unknown>,
        cursor: getProperty(body, "next_cursor") as string | undefined
      }
    }
    const all = await read("")
    expect(all.data).toHaveLength(5)
    const first = await read("?limit=2")
    await change(false)
    await change(true)
    const second = await read(`?limit=2&starting_after=${first.cursor}`)
    const last = await read(`?limit=2&starting_after=${second.cursor}`)
    expect([...first.data, ...second.data, ...last.data]).toEqual(all.data)
    expect(last.cursor).toBeUndefined()

    const own = await read("", "foreign")
    expect(own.data).toHaveLength(1)
    expect(own.data).toEqual(
      expect.arrayContaining([...(await read(`?starting_after=${first.cursor}`, "foreign")).data])
    )
    for (const cursor of ["17", "none", `${first.cursor}A`]) {
      expect(await server.ask(`/signalbox/audit?starting_after=${cursor}`, "management")).toEqual(
        expect.objectContaining({
          status: 400,
          body: expect.objectContaining({
            error: expect.objectContaining({ message: expect.stringMatching(/^starting_after/) })
          })
        })
      )
    }
  })

  test.each([{ only: "first" }, { ignore: [""] }, { zdr: "true" }, { data_collection: "maybe" }])(
    "are not %j",
    async (patch) => {
      await using server = await AccountTestServer.start()
      expect((await server.ask(path, "management", "PATCH", patch)).status).toBe(400)
      expect((await server.ask(path, "management")).body).toEqual({ data: open })
    }
  )
})

test("figures of all accounts together were shown to management keys of any account", async () => {
  await using server = await AccountTestServer.start()
  await server.decide()
  for (const path of ["/signalbox/metrics", "/signalbox/health"]) {
    expect((await server.ask(path, "management")).status).toBe(200)
    const { body, status, text } = await server.ask(path, "foreign")
    expect([status, getProperty(getProperty(body, "error"), "message")]).toEqual([
      403,
      "Only management keys of the host's own account can perform this operation"
    ])
    expect(text).not.toContain("proof/model")
    expect((await server.ask(path, "member")).status).toBe(403)
  }
})

describe("metrics", () => {
  test.each(hosts)("are served by $name in Prometheus' text format", async (host) => {
    await using server = await AccountTestServer.start({ host })
    await server.decide()
    await server.decide({ state: "fail" })
    await server.decide({ model: "nobody/knows-this" })
    const { headers, status, text } = await server.ask("/signalbox/metrics", "management")
    expect([status, headers["content-type"]]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8"
    ])
    const lines = text.split("\n")
    for (const line of [
      "# TYPE signalbox_requests_total counter",
      'signalbox_requests_total{operation="decisions",outcome="answered"} 1',
      'signalbox_requests_total{operation="decisions",outcome="AttemptsFailed"} 1',
      'signalbox_requests_total{operation="decisions",outcome="ModelNotFound"} 1',
      'signalbox_attempts_total{operation="decisions",outcome="served",provider="First"} 1',
      'signalbox_attempts_total{operation="decisions",outcome="server_error",provider="First"} 1',
      'signalbox_tokens_total{direction="input",operation="decisions",provider="First"} 10',
      'signalbox_tokens_total{direction="output",operation="decisions",provider="First"} 2',
      'signalbox_cost_nano_usd_total{operation="decisions",provider="First"} 26000',
      "# TYPE signalbox_request_duration_seconds histogram",
      'signalbox_request_duration_seconds_count{operation="decisions"} 3',
      'signalbox_breaker_state{endpoint="proof/model@first",state="closed"} 1',
      'signalbox_queue_dropped_total{queue="io_log"} 0'
    ]) {
      expect(lines).toContain(line)
    }
    expect(await server.instance.metrics()).toBe(text)
  })

  test("of two boxes are not mixed", async () => {
    await using one = await AccountTestServer.start()
    await using other = await AccountTestServer.start()
    await one.decide()
    expect(await one.instance.metrics()).toContain("signalbox_requests_total{")
    expect(await other.instance.metrics()).not.toContain("signalbox_requests_total{")
  })
})
