/** Guardrails, managed by the reference client and enforced on requests. */
import { createHash } from "node:crypto"
import { defaultWorkspaceId } from "@signalbox/core"
import { ForbiddenResponseError, NotFoundResponseError } from "@openrouter/sdk/models/errors"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const hosts = pickHosts(import.meta.filename)

const mount = "/behind/ai"
const toKeyHash = (key: string): string => createHash("sha256").update(key).digest("hex")
const defaultId = "ffffffff-0000-4000-8000-000000000000"
const unknownId = "00000000-0000-4000-8000-00000000abcd"

const captureError = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error: unknown) => error
  )

describe.each(hosts)("guardrails, against $name", (host) => {
  test("are created, read, updated and deleted by the reference client", async () => {
    await using server = await TestServer.start({ host, mount })
    const { guardrails } = makeClient(server, keys.management)
    const { data: made } = await guardrails.create({
      createGuardrailRequest: {
        name: "narrow",
        description: "no strangers",
        workspaceId: defaultWorkspaceId,
        allowedModels: ["proof/model"],
        ignoredProviders: ["second"],
        allowedDataRegions: ["global"],
        enforceZdrAnthropic: false,
        limitUsd: 12.5,
        resetInterval: "weekly",
        includeByokInBudgets: true
      }
    })
    expect(made).toMatchObject({
      name: "narrow",
      description: "no strangers",
      workspaceId: defaultWorkspaceId,
      allowedModels: ["proof/model"],
      allowedProviders: null,
      ignoredModels: null,
      ignoredProviders: ["second"],
      allowedDataRegions: ["global"],
      enforceZdrAnthropic: false,
      limitUsd: 12.5,
      resetInterval: "weekly",
      includeByokInBudgets: true
    })
    expect(Date.parse(made.createdAt)).not.toBeNaN()
    expect(await guardrails.get({ id: made.id })).toEqual({ data: made })

    const { data: plain } = await guardrails.create({ createGuardrailRequest: { name: "plain" } })
    const pages = []
    for await (const { result } of await guardrails.list({ limit: 1 })) pages.push(result)
    expect(pages).toEqual([
      { data: [made], totalCount: 2 },
      { data: [plain], totalCount: 2 },
      { data: [], totalCount: 2 }
    ])
    expect((await guardrails.list()).result.data).toEqual([made, plain])

    const { data: changed } = await guardrails.update({
      id: made.id,
      updateGuardrailRequest: { name: "wide", allowedModels: null, limitUsd: null }
    })
    expect(changed).toMatchObject({
      name: "wide",
      allowedModels: null,
      description: "no strangers"
    })
    expect(changed).not.toHaveProperty("limitUsd")
    expect(changed).not.toHaveProperty("resetInterval")

    expect(await guardrails.delete({ id: made.id })).toEqual({ deleted: true })
    expect(await captureError(guardrails.get({ id: made.id }))).toBeInstanceOf(
      NotFoundResponseError
    )
    expect(await captureError(guardrails.delete({ id: made.id }))).toBeInstanceOf(
      NotFoundResponseError
    )
  })

  test("are assigned to keys and members by the reference client", async () => {
    await using server = await TestServer.start({ host, mount })
    const { guardrails } = makeClient(server, keys.management)
    const create = (name: string) => guardrails.create({ createGuardrailRequest: { name } })
    const { id } = (await create("one")).data
    const { id: other } = (await create("other")).data
    const [member, organization] = [toKeyHash(keys.member), toKeyHash(keys.organization)]

    const bulkAssignKeysRequest = { keyHashes: [member, organization] }
    expect(await guardrails.bulkAssignKeys({ id, bulkAssignKeysRequest })).toEqual({
      assignedCount: 2
    })
    await guardrails.bulkAssignKeys({
      id: other,
      bulkAssignKeysRequest: { keyHashes: [organization] }
    })
    const ofKeys = (await guardrails.listKeyAssignments({ limit: 10 })).result
    expect(ofKeys).toMatchObject({
      totalCount: 2,
      data: [
        { guardrailId: id, keyHash: member, keyName: "member", assignedBy: null },
        { guardrailId: other, keyHash: organization, keyName: "organization" }
      ]
    })
    expect(JSON.stringify(ofKeys)).not.toContain(keys.member)
    const ofOne = (await guardrails.listGuardrailKeyAssignments({ id })).result
    expect(ofOne).toEqual({ data: [ofKeys.data[0]], totalCount: 1 })
    expect(
      await guardrails.bulkUnassignKeys({
        id,
        bulkUnassignKeysRequest: { keyHashes: [member, organization] }
      })
    ).toEqual({ unassignedCount: 1 })

    expect(
      await guardrails.bulkAssignMembers({
        id,
        bulkAssignMembersRequest: { memberUserIds: ["mem-1", "mem-2"] }
      })
    ).toEqual({ assignedCount: 2 })
    const members = (await guardrails.listMemberAssignments()).result
    expect(members).toMatchObject({
      totalCount: 2,
      data: [
        { guardrailId: id, userId: "mem-1", organizationId: "default" },
        { guardrailId: id, userId: "mem-2" }
      ]
    })
    expect(
      await guardrails.bulkUnassignMembers({
        id,
        bulkUnassignMembersRequest: { memberUserIds: ["mem-1", "mem-3"] }
      })
    ).toEqual({ unassignedCount: 1 })
    const left = (await guardrails.listGuardrailMemberAssignments({ id, limit: 1 })).result
    expect(left).toEqual({ data: [members.data[1]], totalCount: 1 })
  })

  test("reject requests of the assigned key with the number of excluded endpoints, and no other key", async () => {
    await using server = await TestServer.start({ host, mount })
    const { guardrails } = makeClient(server, keys.management)
    const { id } = (
      await guardrails.create({
        createGuardrailRequest: { name: "closed", allowedModels: ["other/model"] }
      })
    ).data
    expect((await server.ask()).status).toBe(200)
    await guardrails.bulkAssignKeys({
      id,
      bulkAssignKeysRequest: { keyHashes: [toKeyHash(keys.member)] }
    })
    const calls = server.calls
    const refused = await server.ask()
    expect(refused.status).toBe(404)
    expect(refused.body).toMatchObject({
      error: {
        code: 404,
        message: expect.stringContaining("allowed_models (2)"),
        metadata: {
          error_type: "not_found",
          availability: { code: "no_endpoints", excluded_by: ["allowed_providers"] },
          filters: [{ rule: "allowed_models", source: "guardrail closed", removed: 2 }]
        }
      }
    })
    expect(server.calls).toEqual(calls)
    expect((await server.ask(undefined, { key: keys.organization })).status).toBe(200)

    const shown = await makeClient(server, keys.member).models.listForUser({ bearer: keys.member })
    expect(shown.result.data).toEqual([])
    await guardrails.delete({ id })
    expect((await server.ask()).status).toBe(200)
  })
})

describe("the default guardrail of a workspace", () => {
  test("exists from its first update and applies to all keys of the workspace", async () => {
    await using server = await TestServer.start({ mount })
    const { guardrails, workspaces } = makeClient(server, keys.management)
    const { data: workspace } = await workspaces.get({ id: "default" })
    expect(workspace.defaultGuardrailId).toBe(defaultId)
    expect(await captureError(guardrails.get({ id: defaultId }))).toBeInstanceOf(
      NotFoundResponseError
    )
    expect((await guardrails.list()).result.totalCount).toBe(0)
    const { data } = await guardrails.update({
      id: defaultId,
      updateGuardrailRequest: { allowedProviders: ["second"] }
    })
    expect(data).toMatchObject({
      id: defaultId,
      name: `Workspace ${defaultWorkspaceId} Default`,
      workspaceId: defaultWorkspaceId
    })
    for (const key of [keys.member, keys.organization]) {
      const { body, status } = await server.ask(undefined, { key })
      expect([status, getProperty(body, "provider")]).toEqual([200, "Second"])
    }
  })
})

describe("the default sort of a workspace", () => {
  test("applies to requests without a sort", async () => {
    await using server = await TestServer.start({ mount })
    const { workspaces } = makeClient(server, keys.management)
    await workspaces.update({
      id: "default",
      updateWorkspaceRequest: { defaultProviderSort: "throughput" }
    })
    const strategyOf = async (provider: object) => {
      const { body } = await server.ask(makeDecisionRequest({ provider }))
      return (await server.generation(getProperty(body, "id")))?.strategy
    }
    expect(await strategyOf({})).toBe("sort:throughput")
    expect(await strategyOf({ sort: "price" })).toBe("sort:price")
    expect(await strategyOf({ order: ["first"] })).toBe("order")
  })
})

describe("the management of guardrails", () => {
  const operations = [
    ["GET", "/guardrails"],
    ["POST", "/guardrails"],
    ["GET", `/guardrails/${unknownId}`],
    ["PATCH", `/guardrails/${unknownId}`],
    ["DELETE", `/guardrails/${unknownId}`],
    ["GET", `/guardrails/${unknownId}/assignments/keys`],
    ["POST", `/guardrails/${unknownId}/assignments/keys`],
    ["POST", `/guardrails/${unknownId}/assignments/keys/remove`],
    ["GET", `/guardrails/${unknownId}/assignments/members`],
    ["POST", `/guardrails/${unknownId}/assignments/members`],
    ["POST", `/guardrails/${unknownId}/assignments/members/remove`],
    ["GET", "/guardrails/assignments/keys"],
    ["GET", "/guardrails/assignments/members"]
  ] as const

  test.each(operations)("%s %s needs a management key", async (method, path) => {
    await using server = await TestServer.start({ mount })
    const statuses = await Promise.all(
      [keys.member, keys.organization, "sk-nobody"].map(async (key) => {
        const { status } = await send(`${server.root}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(method === "POST" || method === "PATCH" ? { body: "{}" } : undefined)
        })
        return status
      })
    )
    expect(statuses).toEqual([403, 403, 401])
  })

  test("throws a typed error for a client without one", async () => {
    await using server = await TestServer.start({ mount })
    const { guardrails } = makeClient(server, keys.member)
    expect(
      await captureError(guardrails.create({ createGuardrailRequest: { name: "mine" } }))
    ).toBeInstanceOf(ForbiddenResponseError)
  })

  test("names the path of an invalid field", async () => {
    await using server = await TestServer.start({ mount })
    const post = (path: string, body: object) =>
      send(`${server.root}/api/v1/guardrails${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    for (const [body, path] of [
      [{}, ["name"]],
      [
        { name: "new", content_filters: [{ action: "block", pattern: "(a+)+" }] },
        ["content_filters", 0, "pattern"]
      ],
      [{ name: "new", limit_usd: 5 }, ["reset_interval"]],
      [{ name: "new", workspace_id: unknownId }, ["workspace_id"]]
    ] as const) {
      const answer = await post("", body)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ error: { code: 400, metadata: { path } } })
    }
    const { body } = await post("", { name: "new" })
    const id = getProperty(getProperty(body, "data"), "id")
    for (const hash of ["nonsense", "f".repeat(64)]) {
      const unknown = await post(`/${String(id)}/assignments/keys`, { key_hashes: [hash] })
      expect(unknown.status).toBe(400)
      expect(unknown.body).toMatchObject({ error: { metadata: { path: ["key_hashes", 0] } } })
    }
    const missing = await post(`/${unknownId}/assignments/members`, { member_user_ids: ["mem-1"] })
    expect(missing.status).toBe(404)
  })

  test("omits unset fields that are not nullable", async () => {
    await using server = await TestServer.start({ mount })
    const { body } = await send(`${server.root}/api/v1/guardrails`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "bare", description: null, enforce_zdr: null })
    })
    expect(getProperty(body, "data")).toEqual({
      id: expect.any(String),
      name: "bare",
      workspace_id: defaultWorkspaceId,
      allowed_models: null,
      allowed_providers: null,
      ignored_models: null,
      ignored_providers: null,
      include_byok_in_budgets: false,
      created_at: expect.any(String),
      updated_at: expect.any(String)
    })
  })
})
