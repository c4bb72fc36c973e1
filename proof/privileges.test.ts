import { createHash } from "node:crypto"
import { type Operation, operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { deliverIn } from "./deliver.ts"
import {
  type Asking,
  askings,
  type Estate,
  furnish,
  nameOf,
  type Needs,
  pathOf,
  type Refused,
  statusOf
} from "./estate.ts"
import { ObservedStage, observedKeys } from "./ObservedStage.ts"
import { send } from "./send.ts"

/** Keys of the stage beside those it always has. */
const keys = {
  ...observedKeys,
  organization: "sk-proof-organization-c3d8e4",
  disabledManagement: "sk-proof-disabled-management-18c0",
  disabledMember: "sk-proof-disabled-member-70aa",
  expiredManagement: "sk-proof-expired-management-2f5d",
  expiredMember: "sk-proof-expired-member-d19b",
  deletedManagement: "sk-proof-deleted-management-5be1",
  deletedMember: "sk-proof-deleted-member-9c3f",
  rotated: "sk-proof-rotated-away-e0d7"
} as const

const pathOfKey = (key: string) => {
  const hash = createHash("sha256").update(key).digest("hex")
  return { read: `/api/v1/keys/${hash}`, rotate: `/api/v1/signalbox/keys/${hash}/rotate` }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Those that come with nothing that opens a door. */
const strangers: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["no key", {}],
  ["an empty header", { authorization: "" }],
  ["another scheme", { authorization: `Basic ${keys.management}` }],
  ["a scheme without a key", { authorization: "Bearer" }],
  ["two keys", { authorization: `Bearer ${keys.management} ${keys.member}` }],
  ["a key without a scheme", { authorization: keys.management }],
  ["a key in another header", { "x-api-key": keys.management, cookie: `key=${keys.management}` }],
  ["an unknown key", bearer("sk-unknown-to-everybody")],
  ["a key in another case", bearer(keys.management.toUpperCase())],
  ["a disabled management key", bearer(keys.disabledManagement)],
  ["a disabled member key", bearer(keys.disabledMember)],
  ["an expired management key", bearer(keys.expiredManagement)],
  ["an expired member key", bearer(keys.expiredMember)],
  ["a deleted management key", bearer(keys.deletedManagement)],
  ["a deleted member key", bearer(keys.deletedMember)],
  ["a secret that was rotated away", bearer(keys.rotated)]
]

type Kind = "runs models" | "manages" | "manages elsewhere"

/** Those that are let in, and whether what is asked for is theirs. */
const callers: ReadonlyArray<
  readonly [
    string,
    {
      readonly kind: Kind
      readonly key: keyof typeof keys | "own" | "another"
      readonly owns: boolean
    }
  ]
> = [
  ["a member key of the workspace", { kind: "runs models", key: "own", owns: true }],
  ["a member key of the default workspace", { kind: "runs models", key: "member", owns: false }],
  ["a member key of another workspace", { kind: "runs models", key: "another", owns: false }],
  ["an organization key", { kind: "runs models", key: "organization", owns: false }],
  ["a management key", { kind: "manages", key: "management", owns: true }],
  [
    "a management key of another account",
    { kind: "manages elsewhere", key: "foreign", owns: false }
  ]
]

const managing = {
  nothing: undefined,
  "a key": undefined,
  "a key that runs models": "Management keys cannot run models; use a member or organization key",
  "a key of a workspace": "Management keys are of no workspace; use a member or organization key",
  "a key that talks to interns": "Invalid or missing API key",
  "a management key": undefined,
  "a management key of the host's own account": undefined
}

/** What a key of this kind is told that asks for what takes another kind; undefined: it may ask. */
const refusals: Readonly<Record<Kind, Readonly<Record<Needs, string | undefined>>>> = {
  "runs models": {
    nothing: undefined,
    "a key": undefined,
    "a key that runs models": undefined,
    "a key of a workspace": undefined,
    "a key that talks to interns": undefined,
    "a management key": "Only management keys can perform this operation",
    "a management key of the host's own account": "Only management keys can perform this operation"
  },
  manages: managing,
  "manages elsewhere": {
    ...managing,
    "a management key of the host's own account":
      "Only management keys of the host's own account can perform this operation"
  }
}

const named = operations.map((operation) => [nameOf(operation), operation] as const)

describe("privileges", () => {
  let stage: ObservedStage
  let estate: Estate & { readonly secret: string }
  /** What another workspace has. */
  let another: typeof estate

  const ask = (
    headers: Readonly<Record<string, string>>,
    method: string,
    path: string,
    body?: unknown
  ): Promise<Answer> =>
    send(stage.root + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    })

  const manage = (method: string, path: string, body?: unknown) =>
    ask(bearer(keys.management), method, path, body)
  const furnished = () =>
    furnish(
      manage,
      (secret) => (method, path, body) => ask(bearer(secret), method, path, body),
      deliverIn(stage.box)
    )

  beforeAll(async () => {
    const past = "2020-01-01T00:00:00Z"
    stage = await ObservedStage.open({
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
      await manage("PATCH", pathOfKey(key).read, { disabled: true })
    }
    for (const key of [keys.deletedManagement, keys.deletedMember]) {
      await manage("DELETE", pathOfKey(key).read)
    }
    await manage("POST", pathOfKey(keys.rotated).rotate)
    estate = await furnished()
    another = await furnished()
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  /** What a call that is refused must leave as it is: what was changed, and what providers were asked. */
  const traces = async () => [
    (await manage("GET", "/api/v1/signalbox/audit?limit=1")).text,
    stage.calls.length
  ]

  const call = (
    operation: Operation,
    headers: Readonly<Record<string, string>>,
    of: Estate,
    { body, query = "" }: Pick<Asking, "body" | "query">
  ) => ask(headers, operation.method, pathOf(operation, of) + query, body)

  test("are said of every operation of the contract, and of no other", () => {
    expect(Object.keys(askings(estate)).toSorted()).toEqual(operations.map(nameOf).toSorted())
  })

  describe.each(strangers)("with %s", (_, headers) => {
    test.each(named)("%s", async (__, operation) => {
      const asking = askingOf(operation, estate)
      const isOpen = asking.needs === "nothing"
      const before = await traces()
      const answers = [
        await call(operation, headers, estate, asking),
        await call(operation, headers, estate, garbled(asking))
      ]
      // The same words for all of a kind, whatever is asked for and whatever was sent.
      const refused = unknownTo(operation, headers)
      const expected = told(isOpen ? asking.status : refused)
      expect(answers.map(heard)).toEqual([expected, expected])
      expect(await traces()).toEqual(before)
    })

    test.each(named.filter(([, { method }]) => method === "GET"))(
      "HEAD %s",
      async (__, operation) => {
        const { needs, status } = askingOf(operation, estate)
        const answer = await ask(headers, "HEAD", pathOf(operation, estate))
        expect([answer.status, answer.text]).toEqual([needs === "nothing" ? status : 401, ""])
      }
    )
  })

  describe.each(callers)("with %s", (_, { key, kind, owns }) => {
    test.each(named)("%s", async (__, operation) => {
      // A fresh one for who may delete it.
      const of = owns ? await furnished() : estate
      const headers = bearer(
        key === "own" ? of.secret : key === "another" ? another.secret : keys[key]
      )
      const asking = askingOf(operation, of)
      const message = refusals[kind][asking.needs]
      const code = asking.needs === "a key that talks to interns" ? 401 : 403
      const refused =
        message === undefined
          ? undefined
          : { code, message, ...(code === 401 ? { metadata: ofManagement } : undefined) }
      const expected = told(refused ?? (owns ? undefined : asking.foreign) ?? asking.status)
      const before = await traces()
      const answers = [await call(operation, headers, of, asking)]
      // Who may not ask is told so before its body is read.
      if (refused !== undefined) answers.push(await call(operation, headers, of, garbled(asking)))
      expect(answers.map(heard)).toEqual(answers.map(() => expected))
      const isRefused = expected[1] !== undefined
      expect(isRefused ? await traces() : before).toEqual(before)
    })
  })
})

const ofManagement = { reason: "management_key", retryable: false }

const askingOf = (operation: Operation, of: Estate): Asking => askings(of)[nameOf(operation)]!

const garbled = (asking: Asking): Asking =>
  asking.body === undefined ? asking : { ...asking, body: "{" }

/** Source: interface specification, Errors. */
const unknownTo = (
  { group }: Operation,
  { authorization = "" }: Readonly<Record<string, string>>
): Refused => {
  const isOfInterns = group === "interns" || group === "internChats"
  const isMissing = !/^bearer \S+$/i.test(authorization)
  const message = isOfInterns
    ? "Invalid or missing API key"
    : isMissing || group === "decisions" || group === "videos"
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

type Told = readonly [status: number, envelope: string | undefined]

const told = (answer: number | Refused): Told => {
  if (typeof answer === "number") return [answer, undefined]
  const { status: _, ...error } = answer
  return [statusOf(answer), JSON.stringify({ error })]
}

/** Of what went well the status will do. */
const heard = ({ status, text }: Answer): Told => [status, status < 300 ? undefined : text]
