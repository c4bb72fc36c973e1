import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { RateLimited, Unauthenticated } from "../../../src/auth/AuthErrors.ts"
import { findErrorRules } from "../../../src/http/server/findErrorRules.ts"
import type { ReportedError } from "../../../src/http/errors/errorTable.ts"
import type { ErrorResponse, ErrorStatus } from "../../../src/http/errors/ErrorResponse.ts"
import { InternChatFailure } from "../../../src/interns/chat/InternChatErrors.ts"
import { toErrorResponse } from "../../../src/http/errors/toErrorResponse.ts"
import { BodyBufferFull, Draining } from "../../../src/http/errors/HttpErrors.ts"
import { InternalError } from "../../../src/http/errors/ServerErrors.ts"
import { ModelNotFound, NoEndpoints, WrongOperation } from "../../../src/routing/RoutingErrors.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { describeWithReference } from "../../reference.ts"
import { chatReasons, errorCases, models } from "../errors/errorCases.ts"

const errors: ReadonlyArray<ReportedError> = [
  ...Object.values(errorCases).flat(),
  new InternalError()
]

const respond = (
  operation: { readonly group: string; readonly name: string } | undefined,
  error: ReportedError
): ErrorResponse => toErrorResponse(error, findErrorRules(operation))

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >
}

/** Allowed everywhere, whatever the list of the operation says. */
const commonStatuses = [408, 409, 415, 429]

const operations = [
  { name: "submit", path: "/videos", method: "post", beyond: [408, 409, 415, 429] },
  { name: "get", path: "/videos/{jobId}", method: "get", beyond: [408, 409, 415, 429] },
  // The reference client sends no `Range`, which is what 416 answers.
  {
    name: "download",
    path: "/videos/{jobId}/content",
    method: "get",
    beyond: [408, 409, 415, 416, 429]
  }
] as const

const internPath = "/interns/{internId}"
const internOperations = [
  { name: "create", path: "/interns", method: "post", away: 500 },
  { name: "list", path: "/interns", method: "get", away: 500 },
  { name: "get", path: internPath, method: "get", away: 500 },
  { name: "update", path: internPath, method: "patch", away: 500 },
  { name: "delete", path: internPath, method: "delete", away: 502 },
  { name: "provision", path: `${internPath}/provision`, method: "post", away: 502 },
  { name: "suspend", path: `${internPath}/suspend`, method: "post", away: 502 }
] as const

const readReferenceStatuses = (
  file: string,
  method: string,
  path: string
): ReadonlyArray<number> => {
  const { paths }: Document = JSON.parse(readFileSync(file, "utf8"))
  return Object.keys(paths[path]?.[method]?.responses ?? {})
    .map(Number)
    .filter((status) => status >= 400)
}

const sorted = (statuses: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from(new Set(statuses)).toSorted((one, other) => one - other)

const listStatuses = (group: string, name: string): ReadonlyArray<ErrorStatus> =>
  Array.from(new Set(errors.map((error) => respond({ group, name }, error).status))).toSorted(
    (one, other) => one - other
  )

describeWithReference("the statuses of videos", (pathOf) => {
  it.each(operations)("of $name are allowed", ({ beyond, method, name, path }) => {
    const wire = readReferenceStatuses(pathOf("wire/openapi.json"), method, path)
    assert.deepStrictEqual(listStatuses("videos", name).map(Number), sorted([...wire, ...beyond]))
  })
})

describeWithReference("the statuses of interns", (pathOf) => {
  it.each(internOperations)("of $name are allowed", ({ method, name, path }) => {
    assert.deepStrictEqual(
      listStatuses("interns", name).map(Number),
      sorted([
        ...readReferenceStatuses(pathOf("wire/openapi.json"), method, path),
        ...commonStatuses
      ])
    )
  })
})

describeWithReference("the statuses of chats with interns", (pathOf) => {
  it("are allowed", () => {
    const wire = readReferenceStatuses(
      pathOf("wire/openapi.json"),
      "post",
      `${internPath}/chat/completions`
    )
    assert.deepStrictEqual(
      listStatuses("interns", "chat").map(Number),
      sorted([...wire, ...commonStatuses])
    )
  })
})

/** Source: wire, InternChatErrorMetadata. */
const alwaysRetryable: ReadonlySet<unknown> = new Set([
  "busy",
  "intern_not_ready",
  "intern_unreachable",
  "rate_limited",
  "stream_severed",
  "timeout"
])

describe("what a chat with an intern refuses", () => {
  const told = errors.map((error) => respond({ group: "interns", name: "chat" }, error))

  it("has a status for a code, and why in two keys or not at all", () => {
    for (const { code, metadata } of told) {
      assert.isUndefined(code)
      if (metadata === undefined) continue
      assert.hasAllKeys(metadata, ["reason", "retryable"])
      assert.isString(metadata["reason"])
      assert.isBoolean(metadata["retryable"])
    }
  })

  it("may be tried again where its reason says so", () => {
    const reasons = chatReasons.map((reason) => {
      const failure = new InternChatFailure({ reason, problem: "x" })
      return respond({ group: "interns", name: "chat" }, failure).metadata
    })
    assert.deepStrictEqual(
      reasons,
      chatReasons.map((reason) => ({ reason, retryable: alwaysRetryable.has(reason) }))
    )
  })

  it("says when to come back to whoever may do so soon", () => {
    const waiting = told.filter(
      ({ metadata }) => metadata?.["reason"] === "busy" || metadata?.["reason"] === "rate_limited"
    )
    assert.isNotEmpty(waiting)
    for (const { headers } of waiting) assert.isAtLeast(Number(headers?.["retry-after"]), 1)
  })

  it("is no fault of the request when its model is none, or nobody serves it", () => {
    for (const error of [
      new ModelNotFound({ model: "a/b" }),
      new NoEndpoints({ models, rejected: [] }),
      new WrongOperation({ model: "a/b", operation: "chat" })
    ]) {
      const { metadata, status } = respond({ group: "interns", name: "chat" }, error)
      assert.deepStrictEqual([status, metadata], [502, { reason: "turn_failed", retryable: false }])
    }
  })

  it("tells of a closing box as of any other that is full", () => {
    const { metadata, status } = respond({ group: "interns", name: "chat" }, new Draining())
    assert.deepStrictEqual([status, metadata], [503, { reason: "busy", retryable: true }])
  })
})

describe("findErrorRules", () => {
  it("tells of bodies without room as of a closing box, whatever the operation has", () => {
    const full = new BodyBufferFull()
    const crowded = toErrorResponse(full)
    assert.deepStrictEqual(respond({ group: "videos", name: "submit" }, full), crowded)
    const chat = respond({ group: "interns", name: "chat" }, full)
    assert.deepStrictEqual([chat.status, chat.metadata], [503, { reason: "busy", retryable: true }])
    const create = respond({ group: "interns", name: "create" }, full)
    assert.deepStrictEqual(
      [create.status, create.headers, create.metadata],
      [500, crowded.headers, { reason: "bodies_crowded", retryable: true }]
    )
  })

  it("tells a store that is away as the 500 that the wire has, with all that is known", () => {
    const error = new StoreUnavailable({ cause: "x" })
    const refusal = toErrorResponse(error)
    for (const { name } of operations) {
      assert.deepStrictEqual(respond({ group: "videos", name }, error), {
        ...refusal,
        status: 500
      })
    }
    assert.deepStrictEqual(respond({ group: "keys", name: "list" }, error), refusal)
    assert.deepStrictEqual(respond(undefined, error), refusal)
  })

  it("leaves what is said of a box that is closing", () => {
    assert.deepStrictEqual(
      respond({ group: "videos", name: "submit" }, new Draining()),
      toErrorResponse(new Draining())
    )
  })

  it.each(internOperations)(
    "words what $name of interns refuses as interns do",
    ({ away, name }) => {
      for (const error of [new Draining(), new StoreUnavailable({ cause: "x" })]) {
        const told = respond({ group: "interns", name }, error)
        assert.deepStrictEqual(
          [told.status, told.code, told.headers, told.metadata?.["retryable"]],
          [
            away,
            away === 500 ? "internal_error" : "upstream_unavailable",
            { "retry-after": "1" },
            true
          ]
        )
      }
      const often = new RateLimited({ limit: 3, resetAt: 9, retryAfterMillis: 2_000 })
      const told = respond({ group: "interns", name }, often)
      assert.deepStrictEqual([told.status, told.code], [429, undefined])
      assert.deepStrictEqual(told.metadata, { reason: "rate_limit_exceeded", retryable: true })
      assert.deepStrictEqual(told.headers, toErrorResponse(often).headers)
    }
  )

  it("tells of interns either why in two keys, or nothing", () => {
    for (const { name } of internOperations) {
      for (const error of errors) {
        const { code, metadata, status } = respond({ group: "interns", name }, error)
        assert.isTrue(code === undefined || /^[a-z_]+$/.test(code), String(code))
        if (metadata === undefined) continue
        assert.isString(metadata["reason"])
        assert.isBoolean(metadata["retryable"])
        assert.isAtLeast(status, 400)
      }
    }
  })

  it("leaves operations of interns alone that have no list", () => {
    assert.deepStrictEqual(
      respond({ group: "interns", name: "none" }, new Draining()),
      toErrorResponse(new Draining())
    )
  })

  it.each([
    { group: "decisions", name: "create", message: "Missing Authentication header" },
    { group: "videos", name: "get", message: "Missing Authentication header" },
    { group: "interns", name: "list", message: "Invalid or missing API key", retryable: false },
    { group: "interns", name: "chat", message: "Invalid or missing API key", retryable: false },
    { group: "chat", name: "complete", message: "The API key is unknown, disabled or expired" },
    { group: "keys", name: "list", message: "The API key is unknown, disabled or expired" }
  ])(
    "tells a missing key from an unknown one: $group.$name",
    ({ group, message, name, retryable }) => {
      const refused = (reason: Unauthenticated["reason"]) =>
        respond({ group, name }, new Unauthenticated({ reason }))
      const { code, message: said, metadata, status } = refused("unknown_key")
      assert.deepStrictEqual([status, code, said], [401, undefined, message])
      assert.deepStrictEqual(metadata, {
        reason: "unknown_key",
        ...(retryable === undefined ? undefined : { retryable })
      })
      assert.isUndefined(refused("missing_key").metadata)
    }
  )
})
