/** Interns over HTTP: idempotent creation, lifecycle, lists and eligibility. */
import { type Caller, defaultAccountId, defaultWorkspaceId, UserId } from "@signalbox/core"
import { makeHostFailure } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { type HttpResponse, parseErrorEnvelope } from "../support/HttpResponse.ts"
import { makeClient } from "../support/makeClient.ts"
import {
  countCalls,
  getId,
  internKeys,
  type InternTestServer,
  startInternTestServer,
  otherWorkspace
} from "./InternTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const member: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  user: UserId.make("mem-1")
}

const toStatuses = (answers: ReadonlyArray<HttpResponse>) => answers.map(({ status }) => status)

const toRows = ({ body }: HttpResponse): ReadonlyArray<unknown> => {
  const rows = getProperty(body, "data")
  if (!Array.isArray(rows)) throw new Error("no list")
  return rows
}
const toNames = (answer: HttpResponse) => toRows(answer).map((row) => getProperty(row, "name"))

const captureError = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => "succeeded",
    (error: unknown) => error
  )

describe("the creation of an intern", () => {
  test("returns the complete intern and its vault", async () => {
    const { create } = await startInternTestServer()
    const { body, status } = await create({ description: "d", instructions: "be brief" })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^intern_[0-9a-z]{20}$/),
      workspace_id: defaultWorkspaceId,
      name: "ada",
      description: "d",
      instructions: "be brief",
      model: null,
      status: "stopped",
      progress: null,
      last_failure_message: null,
      hostname: null,
      vault_id: expect.any(String),
      attached_vault_id: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/)
    })
  })

  test.each([
    ["without a key", {}],
    ["with a key", { "idempotency-key": "once" }]
  ])("creates one intern from fifty concurrent requests, %s", async (_, headers) => {
    const server = await startInternTestServer()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.create({ provision: true }, { headers }))
    )
    expect(new Set(answers.map(getId)).size).toBe(1)
    const statuses = toStatuses(answers)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(49)
    expect(toRows(await server.ask("GET", "/interns"))).toHaveLength(1)
    expect(countCalls(server, "prepare")).toBe(1)
    await server.until(getId(answers[0]!), "running")
    expect(countCalls(server, "step 0")).toBe(1)
  })

  test("is resumed by the same request after a failure", async () => {
    const server = await startInternTestServer()
    server.hosting.script("prepare", makeHostFailure("no room", true))
    const first = await server.create()
    expect(parseErrorEnvelope(first)).toEqual({
      code: "upstream_unavailable",
      message: expect.stringContaining("no room"),
      metadata: { reason: "not_set_up", retryable: true }
    })
    expect(first.status).toBe(502)
    expect(toStatuses([await server.create(), await server.create()])).toEqual([201, 200])
    expect(toRows(await server.ask("GET", "/interns"))).toHaveLength(1)
  })

  test("treats explicit and omitted defaults as the same request", async () => {
    const { create } = await startInternTestServer()
    const first = await create()
    const second = await create({ provision: false, description: null })
    expect([first.status, second.status, getId(second)]).toEqual([201, 200, getId(first)])
  })

  test("accepts the same name from different creators", async () => {
    const { create, createOtherWorkspace } = await startInternTestServer()
    const { key, workspace } = await createOtherWorkspace()
    const answers = [
      await create(),
      await create({}, { key: internKeys.mate }),
      await create({ workspace_id: workspace }, { key })
    ]
    expect(toStatuses(answers)).toEqual([201, 201, 201])
  })

  test("defaults to the workspace of the key when configured", async () => {
    const { ask } = await startInternTestServer({ settings: { internWorkspaceFromKey: true } })
    const create = (body: object) => ask("POST", "/interns", { body })
    const made = await create({ name: "ada" })
    expect(getProperty(made.body, "workspace_id")).toBe(defaultWorkspaceId)
    const elsewhere = await create({ name: "eve", workspace_id: otherWorkspace })
    expect([made.status, elsewhere.status]).toEqual([201, 403])
  })

  test.each([
    ["name", "a"],
    ["name", "a".repeat(18)],
    ["name", "1a"],
    ["name", "a--b"],
    ["name", "a-"],
    ["name", null],
    ["description", "d".repeat(2_001)],
    ["instructions", "i".repeat(100_001)],
    ["provision", "yes"],
    ["provision", null],
    ["vault_id", "none"],
    ["vault_id", null],
    ["workspace_id", null],
    ["workspace_id", 1]
  ])("rejects an invalid %s", async (field, value) => {
    const { create } = await startInternTestServer()
    const answer = await create({ [field]: value })
    expect([answer.status, parseErrorEnvelope(answer)]).toEqual([
      400,
      {
        code: "invalid_body",
        message: expect.stringContaining(field),
        metadata: { reason: "invalid_request", retryable: false, path: [field] }
      }
    ])
  })

  test("accepts texts and idempotency keys of the maximum length", async () => {
    const { create } = await startInternTestServer()
    const answer = await create(
      {
        name: "a".repeat(17),
        description: "d".repeat(2_000),
        instructions: "é".repeat(100_000)
      },
      { headers: { "idempotency-key": "k".repeat(255) } }
    )
    expect(answer.status).toBe(201)
  })

  test("can borrow the vault of another intern of the workspace", async () => {
    const { create, createOtherWorkspace } = await startInternTestServer()
    const vault_id = getProperty((await create({ name: "lender" })).body, "vault_id")
    const borrower = await create({ vault_id })
    expect(getProperty(borrower.body, "attached_vault_id")).toBe(vault_id)
    const { key, workspace } = await createOtherWorkspace()
    const stranger = await create({ workspace_id: workspace, vault_id }, { key })
    expect(parseErrorEnvelope(stranger)).toMatchObject({
      code: "invalid_body",
      metadata: { path: ["vault_id"] }
    })
  })

  test("requires a JSON content type when there is a body", async () => {
    const { ask, create } = await startInternTestServer()
    const createWithType = (type: string) => create({}, { headers: { "content-type": type } })
    const answers = [
      await createWithType("text/plain"),
      await createWithType("application/jsonx"),
      await createWithType("nonsense"),
      await ask("POST", "/interns", { body: "", headers: { "content-type": "text/plain" } }),
      await createWithType("Application/JSON ; charset=utf-8")
    ]
    expect(toStatuses(answers)).toEqual([415, 415, 415, 400, 201])
  })
})

describe("an intern", () => {
  test("is provisioned, suspended, resumed and deleted with its vault", async () => {
    const server = await startInternTestServer()
    const id = getId(await server.create())
    const move = (verb: string, body?: unknown) =>
      server.ask("POST", `/interns/${id}/${verb}`, body === undefined ? {} : { body })
    const provisioned = await move("provision")
    expect([provisioned.status, provisioned.body]).toEqual([202, { provisioning: true }])
    const running = await server.until(id, "running")
    expect(getProperty(running, "hostname")).toBe("ada.interns.test")
    const suspended = await move("suspend", {})
    expect([suspended.status, suspended.body]).toEqual([200, { suspended: true }])
    await server.until(id, "stopped")
    expect((await move("provision", {})).status).toBe(202)
    await server.until(id, "running")
    const path = `/vault/interns/${id}/secrets`
    const body = { value: "planted", hosts: ["api.example.com"] }
    expect((await server.ask("PUT", `${path}/token`, { body })).status).toBe(200)
    expect(toNames(await server.ask("GET", path))).toEqual(["token"])
    const deleted = await server.ask("DELETE", `/interns/${id}`)
    expect([deleted.status, deleted.body]).toEqual([202, { deleting: true }])
    await server.until(id, "gone")
    expect((await server.ask("GET", path)).status).toBe(404)
    expect(parseErrorEnvelope(await server.ask("GET", `/interns/${id}`)).code).toBe("not_found")
  })

  test("whose work cannot be archived is deleted once the loss is acknowledged", async () => {
    const server = await startInternTestServer()
    server.hosting.script("archive", makeHostFailure("the disk is gone", true))
    const id = await server.createRunning()
    const remove = (body?: unknown) => server.ask("DELETE", `/interns/${id}`, { body })
    expect((await remove()).status).toBe(202)
    const failed = await server.until(id, "destroy_failed")
    expect(getProperty(failed, "last_failure_message")).toContain("workspace_archive_failed")
    expect(parseErrorEnvelope(await remove({})).metadata).toEqual({
      reason: "workspace_loss_unacknowledged",
      retryable: false
    })
    expect((await remove({ acknowledge_workspace_loss: true })).status).toBe(202)
    await server.until(id, "gone")
  })

  test("keeps omitted fields in an update and clears null fields", async () => {
    const { ask, create } = await startInternTestServer()
    const id = getId(await create({ description: "d", instructions: "i" }))
    const update = (body: object) => ask("PATCH", `/interns/${id}`, { body })
    expect((await update({ model: "a/b:free" })).body).toMatchObject({
      description: "d",
      instructions: "i",
      model: "a/b:free"
    })
    expect((await update({ description: null, model: null, name: "eve" })).body).toMatchObject({
      name: "eve",
      description: null,
      instructions: "i",
      model: null
    })
    const models = [
      "a",
      "a/",
      "/b",
      "a/b/c",
      "a/b:",
      "a/b:c:d",
      "a b/c",
      `a/${"b".repeat(199)}`,
      ""
    ]
    const refused = await Promise.all(models.map((model) => update({ model })))
    expect(new Set(toStatuses(refused))).toEqual(new Set([400]))
  })

  test("is visible only to the keys of its workspace", async () => {
    const server = await startInternTestServer()
    const id = getId(await server.create())
    const readAs = async (key: string) => [
      (await server.ask("GET", `/interns/${id}`, { key })).status,
      (await server.ask("GET", `/vault/interns/${id}/secrets`, { key })).status,
      toRows(await server.ask("GET", "/interns", { key })).length
    ]
    expect(await readAs(internKeys.mate)).toEqual([200, 200, 1])
    expect(await readAs(internKeys.organization)).toEqual([200, 200, 1])
    expect(await readAs(internKeys.other)).toEqual([404, 404, 0])
  })
})

describe("the list of interns", () => {
  const names = ["one", "two", "three", "four", "five"]
  const filled = async (): Promise<InternTestServer> => {
    const server = await startInternTestServer()
    for (const name of names) await server.create({ name })
    return server
  }

  test("is newest first, in pages that stay stable while interns are created and deleted", async () => {
    const server = await filled()
    const page = (query: string) => server.ask("GET", `/interns?limit=2${query}`)
    const first = await page("")
    expect([toNames(first), getProperty(first.body, "has_more")]).toEqual([["five", "four"], true])
    const cursor = String(getProperty(first.body, "next_cursor"))
    await server.create({ name: "six" })
    const gone = String(getProperty(toRows(first)[1], "id"))
    await server.ask("DELETE", `/interns/${gone}`)
    await server.until(gone, "gone")
    const second = await page(`&starting_after=${cursor}`)
    expect(toNames(second)).toEqual(["three", "two"])
    const last = await page(`&starting_after=${String(getProperty(second.body, "next_cursor"))}`)
    expect(last.body).toEqual({ data: [expect.objectContaining({ name: "one" })], has_more: false })
  })

  test("filters by status, including repeated values", async () => {
    const server = await filled()
    const id = await server.createRunning({ name: "runner" })
    const list = (status: string) => server.ask("GET", `/interns?status=${status}`)
    const running = await list(
      "running,running%2Crunning,running,running,running,running,running,running"
    )
    expect(toRows(running).map((row) => getProperty(row, "id"))).toEqual([id])
    expect(toRows(await list("stopped%2Crunning"))).toHaveLength(6)
    expect(toRows(await list("failed"))).toHaveLength(0)
    expect(parseErrorEnvelope(await list("stopped%2Casleep")).code).toBe("invalid_body")
  })

  test("is limited to the workspace of the key, with and without a filter", async () => {
    const server = await filled()
    const list = (query: string) => server.ask("GET", `/interns${query}`)
    expect(toRows(await list(`?workspace_id=${defaultWorkspaceId}`))).toHaveLength(5)
    expect(toRows(await list(""))).toHaveLength(5)
    expect(parseErrorEnvelope(await list(`?workspace_id=${otherWorkspace}`)).code).toBe(403)
  })
})

describe("a user without access to interns", () => {
  const endpoints = [
    ["POST", "/interns"],
    ["GET", "/interns"],
    ["GET", "/interns/:id"],
    ["PATCH", "/interns/:id"],
    ["DELETE", "/interns/:id"],
    ["POST", "/interns/:id/provision"],
    ["POST", "/interns/:id/suspend"],
    ["GET", "/vault/interns/:id/secrets"],
    ["PUT", "/vault/interns/:id/secrets/token"],
    ["DELETE", "/vault/interns/:id/secrets/token"],
    ["POST", "/vault/interns/:id/secrets/copy"]
  ] as const
  const unknownId = "intern_0123456789abcdefghij"

  test.each(endpoints)("gets a 404 for %s %s, with any request", async (method, path) => {
    const asked: Array<string | undefined> = []
    const ineligible = new Set<string | undefined>()
    const server = await startInternTestServer({
      eligibility: ({ user }) => {
        asked.push(user)
        return !ineligible.has(user)
      }
    })
    const id = getId(await server.create())
    ineligible.add("mem-1")
    const ask = (of: string, body?: unknown) =>
      server.ask(method, path.replace(":id", of), body === undefined ? {} : { body })
    const answers = [
      await ask(id),
      await ask(unknownId),
      ...(method === "GET" ? [] : [await ask(id, "{"), await ask(unknownId, "x".repeat(2_000_000))])
    ]
    expect(new Set(toStatuses(answers))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(asked.length).toBeGreaterThan(1)
    // Authentication comes first.
    const stranger = await server.ask(method, path.replace(":id", id), { key: "" })
    expect(stranger.status).toBe(401)
  })

  test("still has access to the vault of the workspace", async () => {
    const server = await startInternTestServer({ eligibility: () => false })
    expect((await server.ask("GET", "/vault/secrets")).status).toBe(200)
  })

  test.each(endpoints)(
    "gets a timeout for %s %s when the eligibility check hangs",
    async (...endpoint) => {
      const [method, path] = endpoint
      const server = await startInternTestServer({
        eligibility: () => Promise.race<boolean>([]),
        settings: { internRequestTimeoutMillis: 100 }
      })
      const answer = await server.ask(method, path.replace(":id", unknownId))
      expect([answer.status, parseErrorEnvelope(answer).code]).toEqual([408, 408])
    }
  )

  test("gets a server error when the eligibility check throws", async () => {
    const server = await startInternTestServer({
      eligibility: () => Promise.reject(new Error("no way to db.internal"))
    })
    const answer = await server.ask("GET", "/interns")
    expect(parseErrorEnvelope(answer)).toEqual({
      code: "internal_error",
      message: "Internal Server Error",
      metadata: undefined
    })
  })

  test.each(endpoints)("is rejected at a regional hostname for %s %s", async (method, path) => {
    const server = await startInternTestServer({
      settings: { regionalHostnames: ["eu.example.com"] }
    })
    const ask = (host: string) =>
      server.ask(method, path.replace(":id", unknownId), { headers: { host } })
    const refused = await Promise.all(
      ["eu.example.com", "EU.example.com:443", "eu.example.com."].map(ask)
    )
    expect(new Set(toStatuses(refused))).toEqual(new Set([403]))
    const others = await Promise.all(
      ["example.com", "x.eu.example.com", "eu.example.com.evil", "eu-example.com"].map(ask)
    )
    expect(others.every(({ status }) => status !== 403)).toBe(true)
  })
})

describe("in process", () => {
  test("interns are created once and match the HTTP API", async () => {
    const server = await startInternTestServer({ eligibility: () => false })
    const { interns } = server.instance
    const request = { name: "ada", instructions: "be brief" }
    const intern = await interns.create(request, { caller: member })
    expect(intern.status).toBe("stopped")
    expect(await interns.create(request, { caller: member })).toEqual(intern)
    const address = { internId: intern.id }
    expect(await interns.get(address)).toEqual(intern)
    expect(await interns.list({ limit: 1, status: ["stopped"] })).toEqual({
      data: [intern],
      has_more: false
    })
    const changed = await interns.update({ ...address, model: "a/b" })
    expect(changed.model).toBe("a/b")
    expect(await interns.provision(address)).toEqual({ provisioning: true })
    await expect.poll(async () => (await interns.get(address)).status).toBe("running")
    expect(await interns.suspend(address)).toEqual({ suspended: true })
    expect(await interns.delete(address)).toEqual({ deleting: true })
    await expect
      .poll(() => captureError(interns.get(address)), { timeout: 240_000 })
      .toMatchObject({ status: 404 })
  })

  test("errors have the statuses of the HTTP API", async () => {
    const { instance } = await startInternTestServer()
    const { interns } = instance
    const { user: _, ...rest } = member
    const withoutUser = { ...rest, kind: "organization" } as const
    const refused = [
      interns.create({ name: "ada" }, { caller: withoutUser }),
      interns.create({ name: "Ada" }, { caller: member }),
      interns.create({ name: "ada" }, { caller: member, idempotencyKey: "" }),
      interns.list({ limit: 501 }),
      interns.list({ limit: 1.5 }),
      interns.update({ internId: "intern_0123456789abcdefghij", model: "words" }),
      interns.suspend({ internId: "none" })
    ]
    const failures = await Promise.all(refused.map(captureError))
    expect(failures.map((failure) => getProperty(failure, "status"))).toEqual([
      403, 400, 400, 400, 400, 400, 404
    ])
  })
})

test("the reference client decodes errors of interns as its typed error", async () => {
  const server = await startInternTestServer()
  const { interns } = makeClient(server, internKeys.organization)
  const failure = await captureError(
    interns.createIntern({
      createInternRequest: { name: "ada", workspaceId: defaultWorkspaceId }
    })
  )
  expect(failure).toMatchObject({
    name: "InternLifecycleError",
    statusCode: 403,
    error: { code: "no_acting_user", metadata: { reason: "no_acting_user", retryable: false } }
  })
})
