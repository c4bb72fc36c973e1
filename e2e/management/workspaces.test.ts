import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const hosts = pickHosts(import.meta.filename)

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const captureStatus = (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 200,
    (error: unknown) => getProperty(error, "statusCode")
  )

describe.each(hosts)("workspaces of the reference client, against $name", (host) => {
  const open = async () => {
    const server = await AccountTestServer.start({ host })
    const { workspaces } = makeClient(server, accountKeys.management)
    return { server, workspaces }
  }

  test("are created, found by id and slug, updated and deleted", async () => {
    const { server, workspaces } = await open()
    await using _ = server
    const { data: made } = await workspaces.create({
      createWorkspaceRequest: {
        name: "Lab",
        slug: "lab",
        description: "of Ada",
        defaultTextModel: "proof/model",
        defaultProviderSort: "price",
        ioLoggingApiKeyIds: [7],
        ioLoggingSamplingRate: 0.25
      }
    })
    expect(made).toMatchObject({
      id: uuid,
      name: "Lab",
      slug: "lab",
      description: "of Ada",
      defaultTextModel: "proof/model",
      defaultImageModel: "",
      defaultProviderSort: "price",
      defaultGuardrailId: uuid,
      ioLoggingApiKeyIds: [7],
      ioLoggingSamplingRate: 0.25,
      isDataDiscountLoggingEnabled: false,
      isObservabilityBroadcastEnabled: false,
      isObservabilityIoLoggingEnabled: false,
      createdAt: iso,
      updatedAt: iso
    })
    expect((await workspaces.get({ id: made.id })).data).toEqual(made)
    expect((await workspaces.get({ id: "lab" })).data).toEqual(made)

    const { data: changed } = await workspaces.update({
      id: "lab",
      updateWorkspaceRequest: { description: null, isObservabilityBroadcastEnabled: true }
    })
    expect(changed).toEqual({
      ...made,
      description: "",
      isObservabilityBroadcastEnabled: true,
      updatedAt: iso
    })

    expect(await workspaces.delete({ id: made.id })).toEqual({ deleted: true })
    expect(await captureStatus(workspaces.get({ id: made.id }))).toBe(404)
    expect(await captureStatus(workspaces.delete({ id: made.id }))).toBe(404)
  })

  test("are listed page by page, the default one first", async () => {
    const { server, workspaces } = await open()
    await using _ = server
    for (const slug of ["one", "two"]) {
      await workspaces.create({ createWorkspaceRequest: { name: slug, slug } })
    }
    const slugs: Array<string> = []
    for await (const { result } of await workspaces.list({ limit: 1 })) {
      expect(result.totalCount).toBe(4)
      slugs.push(...result.data.map(({ slug }) => slug))
    }
    expect(slugs).toEqual(["default", "elsewhere", "one", "two"])
  })

  test("have each member once", async () => {
    const { server, workspaces } = await open()
    await using _ = server
    const add = (userIds: Array<string>) =>
      workspaces.bulkAddMembers({ id: "default", bulkAddWorkspaceMembersRequest: { userIds } })
    const added = await add(["ada", "ben", "ada"])
    expect(added.addedCount).toBe(2)
    expect(added.data[0]).toMatchObject({ userId: "ada", role: "member", createdAt: iso })
    expect((await add(["ben", "eve"])).addedCount).toBe(1)

    const users: Array<string> = []
    for await (const { result } of await workspaces.listMembers({ id: "default", limit: 2 })) {
      expect(result.totalCount).toBe(3)
      users.push(...result.data.map(({ userId }) => userId))
    }
    expect(users).toEqual(["ada", "ben", "eve"])

    const bulkRemoveWorkspaceMembersRequest = { userIds: ["ben", "nobody"] }
    expect(
      await workspaces.bulkRemoveMembers({ id: "default", bulkRemoveWorkspaceMembersRequest })
    ).toEqual({ removedCount: 1 })
    expect(await captureStatus(workspaces.listMembers({ id: "none" }))).toBe(404)
  })

  test("have at most one budget per interval", async () => {
    const { server, workspaces } = await open()
    await using _ = server
    const target = { workspaceRef: "default", interval: "lifetime" } as const
    expect(await captureStatus(workspaces.getBudget(target))).toBe(404)
    const first = await workspaces.setBudget({
      ...target,
      upsertWorkspaceBudgetRequest: { limitUsd: 12.5, includeByokInBudgets: true }
    })
    expect(first).toMatchObject({
      data: { id: uuid, limitUsd: 12.5, resetInterval: null, createdAt: iso },
      includeByokInBudgets: true
    })
    const changed = await workspaces.setBudget({
      ...target,
      upsertWorkspaceBudgetRequest: { limitUsd: 1.01 }
    })
    expect(changed).toMatchObject({
      data: { id: first.data.id, limitUsd: 1.01, createdAt: first.data.createdAt },
      includeByokInBudgets: true
    })
    await workspaces.setBudget({
      workspaceRef: "default",
      interval: "daily",
      upsertWorkspaceBudgetRequest: { limitUsd: 1 }
    })
    expect(await workspaces.getBudget(target)).toEqual(changed)
    const { data } = await workspaces.listBudgets({ workspaceRef: "default" })
    expect(data.map(({ resetInterval }) => resetInterval)).toEqual([null, "daily"])
    expect(await workspaces.deleteBudget(target)).toEqual({ deleted: true })
    expect(await captureStatus(workspaces.deleteBudget(target))).toBe(404)
  })

  test("reject invalid requests and callers without a management key", async () => {
    const { server, workspaces } = await open()
    await using _ = server
    const make = (slug: string) =>
      workspaces.create({ createWorkspaceRequest: { name: slug, slug } })
    await make("lab")
    expect(await captureStatus(make("lab"))).toBe(400)
    expect((await server.ask("/workspaces", "management", "POST", { name: "x" })).status).toBe(400)
    const invalidSlug = { name: "x", slug: "Not A Slug" }
    expect((await server.ask("/workspaces", "management", "POST", invalidSlug)).status).toBe(400)
    const { data } = await workspaces.get({ id: "lab" })
    const idAsSlug = { name: "x", slug: data.id }
    expect((await server.ask("/workspaces", "management", "POST", idAsSlug)).status).toBe(400)
    expect((await server.ask("/workspaces/lab", "management", "PATCH", idAsSlug)).status).toBe(400)
    expect((await server.ask("/workspaces?limit=101", "management")).status).toBe(400)
    const budget = { limit_usd: 1 }
    const path = "/workspaces/lab/budgets/hourly"
    expect((await server.ask(path, "management", "PUT", budget)).status).toBe(400)
    const put = (interval: string, limit_usd: number) =>
      server.ask(`/workspaces/lab/budgets/${interval}`, "management", "PUT", { limit_usd })
    expect((await put("weekly", 5)).status).toBe(200)
    expect((await put("daily", 5)).status).toBe(400)
    expect(await captureStatus(workspaces.delete({ id: "default" }))).toBe(400)

    const reader = makeClient(server, accountKeys.member).workspaces
    expect(await captureStatus(reader.list())).toBe(403)
    const stranger = makeClient(server, accountKeys.foreign).workspaces
    expect(await captureStatus(stranger.get({ id: "lab" }))).toBe(404)

    const confirmed = { id: "default", confirmDefaultWorkspaceDeletion: true }
    expect(await workspaces.delete(confirmed)).toEqual({ deleted: true })
    expect(await captureStatus(workspaces.get({ id: "default" }))).toBe(404)
  })
})

test("the errors for an invalid slug and hash describe valid ones", async () => {
  await using server = await AccountTestServer.start()
  const problemIn = async (path: string, body: object) =>
    getProperty(
      getProperty((await server.ask(path, "management", "POST", body)).body, "error"),
      "message"
    )
  expect(await problemIn("/workspaces", { name: "x", slug: "Team A" })).toBe(
    "slug: expected lower-case letters and digits, with single hyphens between them"
  )
  const allowed_api_key_hashes = ["sk-not-a-hash"]
  expect(await problemIn("/byok", { provider: "first", key: "x", allowed_api_key_hashes })).toBe(
    "allowed_api_key_hashes.0: expected the hash of a key, 64 hex digits"
  )
})

test("every change of a workspace is in the audit log of its account, newest first", async () => {
  await using server = await AccountTestServer.start()
  const { workspaces } = makeClient(server, accountKeys.management)
  const { data: made } = await workspaces.create({
    createWorkspaceRequest: { name: "Lab", slug: "lab" }
  })
  await workspaces.update({ id: "lab", updateWorkspaceRequest: { name: "Laboratory" } })
  const userIds = ["ada"]
  await workspaces.bulkAddMembers({ id: "lab", bulkAddWorkspaceMembersRequest: { userIds } })
  await workspaces.bulkAddMembers({ id: "lab", bulkAddWorkspaceMembersRequest: { userIds } })
  await workspaces.bulkRemoveMembers({ id: "lab", bulkRemoveWorkspaceMembersRequest: { userIds } })
  const target = { workspaceRef: "lab", interval: "daily" } as const
  await workspaces.setBudget({ ...target, upsertWorkspaceBudgetRequest: { limitUsd: 1 } })
  await workspaces.deleteBudget(target)
  await workspaces.delete({ id: "lab" })
  // Rejected requests change nothing.
  await workspaces.delete({ id: "lab" }).catch(() => {})

  const { body } = await server.ask("/signalbox/audit", "management")
  const entries = getProperty(body, "data") as ReadonlyArray<Readonly<Record<string, unknown>>>
  expect(entries.map(({ action }) => action)).toEqual([
    "workspace.delete",
    "workspace.budget.delete",
    "workspace.budget.put",
    "workspace.members.remove",
    "workspace.members.add",
    "workspace.update",
    "workspace.create"
  ])
  expect(new Set(entries.map(({ target }) => target))).toEqual(new Set([made.id]))
  expect(entries.at(-2)).toMatchObject({
    created_at: iso,
    actor: { key_hash: expect.stringMatching(/^[0-9a-f]{64}$/), user_id: null },
    before: { name: "Lab" },
    after: { name: "Laboratory" }
  })
  expect([entries.at(-1)?.["before"], entries[0]?.["after"]]).toEqual([null, null])
})
