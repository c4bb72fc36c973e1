import { createHash } from "node:crypto"
import { type Operation, operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeDeliver } from "../support/makeDeliver.ts"
import {
  type OperationCase,
  makeOperationCases,
  type AccountFixture,
  createAccountFixture,
  toOperationName,
  type Permission,
  toPath,
  type ExpectedError,
  toStatus
} from "../support/accountFixture.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { send } from "../support/send.ts"

/** The keys of the test server, and those that this test adds. */
const keys = {
  ...accountKeys,
  organization: "sk-proof-organization-c3d8e4",
  disabledManagement: "sk-proof-disabled-management-18c0",
  disabledMember: "sk-proof-disabled-member-70aa",
  expiredManagement: "sk-proof-expired-management-2f5d",
  expiredMember: "sk-proof-expired-member-d19b",
  deletedManagement: "sk-proof-deleted-management-5be1",
  deletedMember: "sk-proof-deleted-member-9c3f",
  rotated: "sk-proof-rotated-away-e0d7"
} as const

const toKeyPath = (key: string) => {
  const hash = createHash("sha256").update(key).digest("hex")
  return { read: `/api/v1/keys/${hash}`, rotate: `/api/v1/signalbox/keys/${hash}/rotate` }
}

const toBearerHeaders = (key: string) => ({ authorization: `Bearer ${key}` })

/** Callers without valid credentials. */
const unauthenticatedCallers: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["no key", {}],
  ["an empty header", { authorization: "" }],
  ["another scheme", { authorization: `Basic ${keys.management}` }],
  ["a scheme without a key", { authorization: "Bearer" }],
  ["two keys", { authorization: `Bearer ${keys.management} ${keys.member}` }],
  ["a key without a scheme", { authorization: keys.management }],
  ["a key in another header", { "x-api-key": keys.management, cookie: `key=${keys.management}` }],
  ["an unknown key", toBearerHeaders("sk-unknown-to-everybody")],
  ["a key in another case", toBearerHeaders(keys.management.toUpperCase())],
  ["a disabled management key", toBearerHeaders(keys.disabledManagement)],
  ["a disabled member key", toBearerHeaders(keys.disabledMember)],
  ["an expired management key", toBearerHeaders(keys.expiredManagement)],
  ["an expired member key", toBearerHeaders(keys.expiredMember)],
  ["a deleted management key", toBearerHeaders(keys.deletedManagement)],
  ["a deleted member key", toBearerHeaders(keys.deletedMember)],
  ["a secret that was rotated away", toBearerHeaders(keys.rotated)]
]

type CallerKind = "runs models" | "manages" | "manages elsewhere"

/** Callers with valid credentials, and whether they own the requested resource. */
const callers: ReadonlyArray<
  readonly [
    string,
    {
      readonly kind: CallerKind
      readonly key: keyof typeof keys | "own" | "another"
      readonly owns: boolean
      /** Whether it owns what the default workspace has. */
      readonly isOfDefaultWorkspace?: true
    }
  ]
> = [
  ["a member key of the workspace", { kind: "runs models", key: "own", owns: true }],
  [
    "a member key of the default workspace",
    { kind: "runs models", key: "member", owns: false, isOfDefaultWorkspace: true }
  ],
  ["a member key of another workspace", { kind: "runs models", key: "another", owns: false }],
  [
    "an organization key",
    { kind: "runs models", key: "organization", owns: false, isOfDefaultWorkspace: true }
  ],
  ["a management key", { kind: "manages", key: "management", owns: true }],
  [
    "a management key of another account",
    { kind: "manages elsewhere", key: "foreign", owns: false }
  ]
]

const managementError = {
  nothing: undefined,
  "a key": undefined,
  "a key that runs models": "Management keys cannot run models; use a member or organization key",
  "a key of a workspace": "Management keys are of no workspace; use a member or organization key",
  "a key that talks to interns": "Invalid or missing API key",
  "a management key": undefined,
  "a management key of the host's own account": undefined
}

/** The error for a kind of key without the required permission; undefined when it has the permission. */
const permissionErrors: Readonly<
  Record<CallerKind, Readonly<Record<Permission, string | undefined>>>
> = {
  "runs models": {
    nothing: undefined,
    "a key": undefined,
    "a key that runs models": undefined,
    "a key of a workspace": undefined,
    "a key that talks to interns": undefined,
    "a management key": "Only management keys can perform this operation",
    "a management key of the host's own account": "Only management keys can perform this operation"
  },
  manages: managementError,
  "manages elsewhere": {
    ...managementError,
    "a management key of the host's own account":
      "Only management keys of the host's own account can perform this operation"
  }
}

const namedOperations = operations.map(
  (operation) => [toOperationName(operation), operation] as const
)

describe("privileges", () => {
  let server: AccountTestServer
  let accounts: AccountFixture & { readonly secret: string }
  /** The resources of another workspace. */
  let another: typeof accounts

  const ask = (
    headers: Readonly<Record<string, string>>,
    method: string,
    path: string,
    body?: unknown
  ): Promise<HttpResponse> =>
    send(server.root + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    })

  const manage = (method: string, path: string, body?: unknown) =>
    ask(toBearerHeaders(keys.management), method, path, body)
  const furnished = () =>
    createAccountFixture(
      manage,
      (secret) => (method, path, body) => ask(toBearerHeaders(secret), method, path, body),
      makeDeliver(server.instance)
    )

  beforeAll(async () => {
    const past = "2020-01-01T00:00:00Z"
    server = await AccountTestServer.start({
      sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
      keys: [
        { key: keys.organization, kind: "organization" },
        { key: keys.disabledManagement, kind: "management" },
        { key: keys.disabledMember, kind: "member", user: "mem-3" },
        { key: keys.expiredManagement, kind: "management", expiresAt: past },
        { key: keys.expiredMember, kind: "member", user: "mem-3", expiresAt: past },
        { key: keys.deletedManagement, kind: "management" },
        { key: keys.deletedMember, kind: "member", user: "mem-3" },
        { key: keys.rotated, kind: "management" }
      ]
    })
    for (const key of [keys.disabledManagement, keys.disabledMember]) {
      await manage("PATCH", toKeyPath(key).read, { disabled: true })
    }
    for (const key of [keys.deletedManagement, keys.deletedMember]) {
      await manage("DELETE", toKeyPath(key).read)
    }
    await manage("POST", toKeyPath(keys.rotated).rotate)
    accounts = await furnished()
    another = await furnished()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** State that a rejected call must not change: the last audit entry and the number of provider calls. */
  const listTraces = async () => [
    (await manage("GET", "/api/v1/signalbox/audit?limit=1")).text,
    server.calls.length
  ]

  const call = (
    operation: Operation,
    headers: Readonly<Record<string, string>>,
    of: AccountFixture,
    { body, query = "" }: Pick<OperationCase, "body" | "query">
  ) => ask(headers, operation.method, toPath(operation, of) + query, body)

  test("are specified for every operation of the contract and no other", () => {
    expect(Object.keys(makeOperationCases(accounts)).toSorted()).toEqual(
      operations.map(toOperationName).toSorted()
    )
  })

  describe.each(pickSample(unauthenticatedCallers, 3))("with %s", (_, headers) => {
    test.each(namedOperations)("%s", async (__, operation) => {
      const operationCase = getOperationCase(operation, accounts)
      const isOpen = operationCase.permission === "nothing"
      const before = await listTraces()
      const answers = [
        await call(operation, headers, accounts, operationCase),
        await call(operation, headers, accounts, malformBody(operationCase))
      ]
      // The response must not depend on whether the resource exists or the body is valid.
      const refused = toNotFound(operation, headers)
      const expected = toExpectedResponse(operation, isOpen ? operationCase.status : refused)
      expect(answers.map(toActualResponse)).toEqual([expected, expected])
      expect(await listTraces()).toEqual(before)
    })

    test.each(namedOperations.filter(([, { method }]) => method === "GET"))(
      "HEAD %s",
      async (__, operation) => {
        const { permission, status } = getOperationCase(operation, accounts)
        const answer = await ask(headers, "HEAD", toPath(operation, accounts))
        expect([answer.status, answer.text]).toEqual([permission === "nothing" ? status : 401, ""])
      }
    )
  })

  describe.each(callers)("with %s", (_, { isOfDefaultWorkspace, key, kind, owns }) => {
    test.each(namedOperations)("%s", async (__, operation) => {
      // An owner may delete the resources, so it gets fresh ones.
      const of = owns ? await furnished() : accounts
      const headers = toBearerHeaders(
        key === "own" ? of.secret : key === "another" ? another.secret : keys[key]
      )
      const operationCase = getOperationCase(operation, of)
      const message = permissionErrors[kind][operationCase.permission]
      const code = operationCase.permission === "a key that talks to interns" ? 401 : 403
      const refused =
        message === undefined
          ? undefined
          : { code, message, ...(code === 401 ? { metadata: managementKeyMetadata } : undefined) }
      const isOwner =
        owns || (isOfDefaultWorkspace === true && operationCase.isOfDefaultWorkspace === true)
      const expected = toExpectedResponse(
        operation,
        refused ?? (isOwner ? undefined : operationCase.foreign) ?? operationCase.status
      )
      const before = await listTraces()
      const answers = [await call(operation, headers, of, operationCase)]
      // Permissions are checked before the body is read.
      if (refused !== undefined)
        answers.push(await call(operation, headers, of, malformBody(operationCase)))
      expect(answers.map(toActualResponse)).toEqual(answers.map(() => expected))
      const isRefused = expected[1] !== undefined
      expect(isRefused ? await listTraces() : before).toEqual(before)
    })
  })
})

const managementKeyMetadata = { reason: "management_key", retryable: false }

const getOperationCase = (operation: Operation, of: AccountFixture): OperationCase =>
  makeOperationCases(of)[toOperationName(operation)]!

const malformBody = (operationCase: OperationCase): OperationCase =>
  operationCase.body === undefined ? operationCase : { ...operationCase, body: "{" }

/** See https://openrouter.ai/docs/api-reference/errors. */
const toNotFound = (
  { group, name }: Operation,
  { authorization = "", "x-api-key": key }: Readonly<Record<string, string>>
): ExpectedError => {
  // Only there may a key be in this header.
  if (group === "messages" && key !== undefined) {
    return { code: 403, message: managementError["a key that runs models"] }
  }
  const isOfInterns = group === "interns"
  const isMissing = !/^bearer \S+$/i.test(authorization)
  const message = isOfInterns
    ? "Invalid or missing API key"
    : isMissing || group === "decisions" || (group === "videos" && name !== "listModels")
      ? "Missing Authentication header"
      : "The API key is unknown, disabled or expired"
  if (isMissing) return { code: 401, message }
  const reason = "unknown_key"
  return {
    code: 401,
    message,
    metadata: isOfInterns ? { reason, retryable: false } : { reason }
  }
}

type ExpectedResponse = readonly [status: number, envelope: string | undefined]

const toExpectedResponse = (
  { group }: Operation,
  answer: number | ExpectedError
): ExpectedResponse => {
  if (typeof answer === "number") return [answer, undefined]
  const { status: _, ...error } = answer
  const body = group === "messages" ? toMessagesError(answer) : { error }
  return [toStatus(answer), JSON.stringify(body)]
}

/** See https://platform.claude.com/docs/en/api/errors. */
const toMessagesError = ({ code, message, metadata }: ExpectedError) => {
  const { reason } = Object(metadata)
  return {
    type: "error",
    error: {
      type: code === 401 ? "authentication_error" : "permission_error",
      message,
      ...(reason === undefined ? undefined : { details: { error_code: reason } })
    },
    request_id: null
  }
}

/** For a success, the status alone is compared. */
const toActualResponse = ({ status, text }: HttpResponse): ExpectedResponse => [
  status,
  status < 300 ? undefined : text
]
