/** Resources of an account or workspace are not visible to other tenants. */
import { type Operation, operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeDeliver } from "../support/makeDeliver.ts"
import {
  type SendRequest,
  makeOperationCases,
  type AccountFixture,
  createAccountFixture,
  toOperationName,
  missingFixture,
  toPath,
  toStatus
} from "../support/accountFixture.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { send } from "../support/send.ts"
import { recordStoreCalls } from "../support/recordStoreCalls.ts"
import { videoRequest } from "../support/fakeVideoProvider.ts"

let server: AccountTestServer
let storeCalls: () => ReadonlyArray<string>
/** The fixtures of the default account and of the one that tries to access it. */
let ownAccount: FixtureWithSecret
let otherAccount: FixtureWithSecret

/** An account fixture with the secret of a key of its workspace. */
type FixtureWithSecret = Awaited<ReturnType<typeof createAccountFixture>>

const makeSendRequest =
  (key: string): SendRequest =>
  (method, path, body) =>
    send(server.root + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? undefined : { "content-type": "application/json" })
      },
      body: body === undefined ? undefined : JSON.stringify(body)
    })

/** Chooses the caller with the required permission: a management key or a key of the workspace. */
const getSender = (
  operation: Operation,
  sendAsManager: SendRequest,
  { secret }: FixtureWithSecret
): SendRequest => {
  const needs = makeOperationCases(missingFixture())[toOperationName(operation)]?.permission
  return needs === "a key of a workspace" ||
    needs === "a key that runs models" ||
    needs === "a key that talks to interns"
    ? makeSendRequest(secret)
    : sendAsManager
}

const manage: SendRequest = (...requested) => makeSendRequest(accountKeys.management)(...requested)
const sendAsOtherAccount: SendRequest = (...requested) =>
  makeSendRequest(accountKeys.foreign)(...requested)

beforeAll(async () => {
  server = await AccountTestServer.start({
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
    // Background queries, and keys that expire between two requests, would be counted as store calls of a response.
    settings: {
      videoSweepMillis: 3_600_000,
      alertDelayMillis: 3_600_000,
      keyCacheTtlMillis: 3_600_000,
      unknownKeyCacheTtlMillis: 3_600_000
    }
  })
  storeCalls = recordStoreCalls(server.instance)
  ownAccount = await createAccountFixture(manage, makeSendRequest, makeDeliver(server.instance))
  otherAccount = await createAccountFixture(
    sendAsOtherAccount,
    makeSendRequest,
    makeDeliver(server.instance, "foreign")
  )
})
afterAll(() => server[Symbol.asyncDispose]())

/** Everything in which two responses can differ, except the request id and the requested ids. */
const toComparable = ({ headers, status, text }: HttpResponse, accounts: AccountFixture) => {
  const { date: _, "x-request-id": __, ...rest } = headers
  return {
    status,
    headers: rest,
    text: Object.entries(accounts).reduce((all, [name, id]) => all.replaceAll(id, name), text)
  }
}

/** Sends a request for a resource of the fixture and returns the response and its store calls. */
const observeLookup = async (
  accounts: AccountFixture,
  ask: (accounts: AccountFixture) => Promise<HttpResponse>
) => {
  storeCalls()
  const answer = toComparable(await ask(accounts), accounts)
  return { answer, calls: storeCalls() }
}

/** Looks up a foreign resource and a missing one. */
const compareWithMissing = async (ask: (accounts: AccountFixture) => Promise<HttpResponse>) => {
  // The first request caches the key.
  await ask(missingFixture())
  return {
    known: await observeLookup(ownAccount, ask),
    unknown: await observeLookup(missingFixture(), ask)
  }
}

/** Operations that compare the given workspace with the key's, without a lookup. */
const operationsWithoutLookup = new Set(["interns.create"])

const operationsWithId = operations.filter(
  (operation) =>
    makeOperationCases(missingFixture())[toOperationName(operation)]?.foreign !== undefined &&
    !operationsWithoutLookup.has(toOperationName(operation))
)

describe("a resource of another account is indistinguishable from a missing one", () => {
  test("in every operation with an id in its path", () => {
    // Names of secrets and presets are chosen by callers and are not ids: these operations create.
    const withId = operations.filter(
      (operation) =>
        operation.path.includes(":") &&
        // Customers and experiments are the host's.
        !["customers", "endpoints", "experiments", "imageModels", "models", "providers"].includes(
          operation.group
        ) &&
        !/^(?:vaults\.put|presets\.save\w+)$/.test(toOperationName(operation))
    )
    expect(operationsWithId.map(toOperationName)).toEqual(
      expect.arrayContaining(withId.map(toOperationName))
    )
  })

  test.each(operationsWithId.map((operation) => [toOperationName(operation), operation] as const))(
    "%s",
    async (name, operation) => {
      const { known, unknown } = await compareWithMissing((accounts) => {
        const { body, query = "" } = makeOperationCases(accounts)[name]!
        const ask = getSender(operation, sendAsOtherAccount, otherAccount)
        return ask(operation.method, toPath(operation, accounts) + query, body)
      })
      expect(known).toEqual(unknown)
      expect(known.answer.status).toBe(toStatus(makeOperationCases(ownAccount)[name]!.foreign!))
      expect(known.calls).not.toEqual([])
    }
  )

  /** Operations that refer to the resource outside of its own path. */
  const mentions: ReadonlyArray<{
    readonly what: string
    readonly status: number
    readonly method: string
    readonly path: (accounts: AccountFixture) => string
    readonly body?: (accounts: AccountFixture) => object
  }> = [
    ...["keys", "guardrails", "byok", "signalbox/byok"].flatMap((list) =>
      (["workspace", "slug"] as const).map((by) => ({
        what: `${list} of a workspace, by its ${by}`,
        status: 400,
        method: "GET",
        path: (accounts: AccountFixture) => `/${list}?workspace_id=${accounts[by]}`
      }))
    ),
    ...Object.entries({
      keys: { name: "x" },
      guardrails: { name: "x" },
      byok: { provider: "first", key: "sk-x" }
    }).map(([list, body]) => ({
      what: `${list} created in a workspace`,
      status: 400,
      method: "POST",
      path: () => `/${list}`,
      body: ({ workspace }: AccountFixture) => ({ ...body, workspace_id: workspace })
    })),
    {
      what: "a workspace in a dry run",
      status: 400,
      method: "POST",
      path: () => "/signalbox/plan",
      body: ({ workspace }) => ({ request: videoRequest, workspace_id: workspace })
    },
    {
      what: "a video to be continued in a dry run",
      status: 404,
      method: "POST",
      path: () => "/signalbox/plan",
      body: ({ video }) => ({
        request: { ...videoRequest, previous_job_id: video },
        workspace_id: otherAccount.workspace
      })
    },
    {
      what: "a workspace by its slug",
      status: 404,
      method: "GET",
      path: ({ slug }) => `/workspaces/${slug}`
    },
    {
      what: "a key in the assignment of a guardrail",
      status: 400,
      method: "POST",
      path: () => `/guardrails/${otherAccount.guardrail}/assignments/keys`,
      body: ({ key }) => ({ key_hashes: [key] })
    },
    {
      what: "a key in the removal of an assignment",
      status: 200,
      method: "POST",
      path: () => `/guardrails/${otherAccount.guardrail}/assignments/keys/remove`,
      body: ({ key }) => ({ key_hashes: [key] })
    },
    {
      what: "a member in the removal of an assignment",
      status: 200,
      method: "POST",
      path: () => `/guardrails/${otherAccount.guardrail}/assignments/members/remove`,
      body: ({ user }) => ({ member_user_ids: [user] })
    },
    {
      what: "a member removed from a workspace",
      status: 200,
      method: "POST",
      path: () => `/workspaces/${otherAccount.workspace}/members/remove`,
      body: ({ user }) => ({ user_ids: [user] })
    },
    {
      what: "a signing secret",
      status: 404,
      method: "DELETE",
      path: ({ signing }) =>
        `/signalbox/workspaces/${otherAccount.workspace}/webhook/secrets/${signing}`
    },
    {
      what: "the order of credentials",
      status: 400,
      method: "PUT",
      path: () => "/signalbox/byok/order",
      body: ({ credential }) => ({ ids: [otherAccount.credential, credential] })
    }
  ]

  test.each(mentions)("$what", async ({ body, method, path, status }) => {
    const { known, unknown } = await compareWithMissing((accounts) =>
      sendAsOtherAccount(method, `/api/v1${path(accounts)}`, body?.(accounts))
    )
    expect(known).toEqual(unknown)
    expect(known.answer.status).toBe(status)
    expect(known.calls).not.toEqual([])
  })

  test("a slug used by another account is available", async () => {
    const { known, unknown } = await compareWithMissing((accounts) =>
      sendAsOtherAccount("POST", "/api/v1/workspaces", { name: "x", slug: accounts.slug })
    )
    expect([known.answer.status, known.calls]).toEqual([201, unknown.calls])
  })
})

test("a record of another workspace is indistinguishable from a missing one", async () => {
  const { known, unknown } = await compareWithMissing(({ generation }) =>
    makeSendRequest(accountKeys.otherWorkspace)("GET", `/api/v1/generation?id=${generation}`)
  )
  expect(known).toEqual(unknown)
  expect(known.answer.status).toBe(404)
})

const readOperations = operations.filter(({ method }) => method === "GET")

/** The end of a series that was asked for until now. */
const untilNow = /"(?:to|from)":"[^"]*",/g

/** Reads everything of a fixture and returns the responses by operation. */
const readAll = (all: ReadonlyArray<Operation>, accounts: FixtureWithSecret, scope = "") =>
  Promise.all(
    all.map(async (operation) => {
      const { query = scope } = makeOperationCases(accounts)[toOperationName(operation)]!
      const ask = getSender(operation, manage, accounts)
      const { status, text } = await ask("GET", toPath(operation, accounts) + query)
      return [toOperationName(operation), status, text.replace(untilNow, "")] as const
    })
  )

/** Whether the read succeeded. */
const isRead = ([, status]: readonly [string, number, string]): boolean => status === 200

const updateOperations = operations.filter(({ method }) => method === "PATCH" || method === "PUT")

/** Creates an account fixture with `ask` and runs every update except the given ones. */
const createAndUpdate = async (
  ask: SendRequest,
  unchanged: ReadonlyArray<string> = []
): Promise<FixtureWithSecret> => {
  const accounts = await createAccountFixture(
    ask,
    makeSendRequest,
    makeDeliver(server.instance, ask === sendAsOtherAccount ? "foreign" : undefined)
  )
  for (const operation of updateOperations) {
    const name = toOperationName(operation)
    const { permission } = makeOperationCases(accounts)[name]!
    const isRefused =
      ask === sendAsOtherAccount && permission === "a management key of the host's own account"
    if (unchanged.includes(name) || isRefused) continue
    const answer = await getSender(operation, ask, accounts)(
      operation.method,
      toPath(operation, accounts),
      makeOperationCases(accounts)[name]?.body
    )
    if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`)
  }
  return accounts
}

const deleteWorkspace = (ask: SendRequest, { workspace }: AccountFixture): Promise<HttpResponse> =>
  ask("DELETE", `/api/v1/workspaces/${workspace}`)

describe("creations, updates and deletions", () => {
  test("in another account do not affect reads of this account", async () => {
    // Endpoints are measured across the requests of all accounts, and recordings hold those.
    const shared = new Set([
      "endpoints.list",
      "endpoints.listZdr",
      "live.listEndpoints",
      "live.listProcesses",
      "live.watchEndpoints",
      "recordings.list"
    ])
    const all = readOperations.filter(
      (operation) => operation.group !== "reports" && !shared.has(toOperationName(operation))
    )
    const before = await readAll(all, ownAccount)
    expect(before.every(isRead)).toBe(true)
    const accounts = await createAndUpdate(sendAsOtherAccount)
    await sendAsOtherAccount("PATCH", "/api/v1/signalbox/account", { only: ["nobody"] })
    expect(await readAll(all, ownAccount)).toEqual(before)
    expect((await deleteWorkspace(sendAsOtherAccount, accounts)).status).toBe(200)
    expect(await readAll(all, ownAccount)).toEqual(before)
  })

  test("in another workspace do not affect reads of this workspace", async () => {
    const lists = new Set([
      "byok.list",
      "byok.listStates",
      "deliveries.list",
      "guardrails.list",
      "interns.list",
      "keys.list",
      "vaults.list"
    ])
    const all = readOperations.filter((operation) => {
      const name = toOperationName(operation)
      return lists.has(name) || makeOperationCases(ownAccount)[name]?.foreign !== undefined
    })
    const ofOurs = `?workspace_id=${ownAccount.workspace}`
    const before = await readAll(all, ownAccount, ofOurs)
    expect(before.every(isRead)).toBe(true)
    // The order of credentials is shared by all workspaces of an account.
    const accounts = await createAndUpdate(manage, ["byok.reorder"])
    expect(await readAll(all, ownAccount, ofOurs)).toEqual(before)
    expect((await deleteWorkspace(manage, accounts)).status).toBe(200)
    expect(await readAll(all, ownAccount, ofOurs)).toEqual(before)
  })
})
