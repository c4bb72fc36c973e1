import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { RateLimited, Unauthenticated } from "../../../src/tenants/auth/AuthErrors.ts"
import { contractOperations } from "../../../src/api/contractOperations.ts"
import { findErrorRules } from "../../../src/api/server/IncomingRequest.ts"
import type { ReportedError } from "../../../src/api/errors/errorTable.ts"
import type { ErrorResponse, ErrorStatus } from "../../../src/api/errors/ErrorResponse.ts"
import { InternChatFailure } from "../../../src/domains/interns/chat/InternChatRequest.ts"
import { toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import { BodyBufferFull, Draining, InternalError } from "../../../src/api/errors/HttpErrors.ts"
import { ModelNotFound, NoEndpoints, WrongOperation } from "../../../src/routing/RoutingErrors.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { referencePage } from "../../../src/api/server/routeTable.ts"
import { describeWithReference } from "../../reference.ts"
import { chatReasons, errorCases, models } from "../errors/errorCases.ts"

const errors: ReadonlyArray<ReportedError> = [
  ...Object.values(errorCases).flat(),
  new InternalError()
]

const respond = (
  operation: { readonly group: string; readonly name: string } | undefined,
  error: ReportedError
): ErrorResponse =>
  toErrorResponse(
    error,
    findErrorRules(
      contractOperations.find(
        ({ group, name }) => group === operation?.group && name === operation.name
      )
    )
  )

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >
}

/** Every operation may return these statuses. */
const commonStatuses = [408, 409, 415, 429]

const operations = [
  { name: "submit", path: "/videos", method: "post", beyond: [408, 409, 415, 429] },
  { name: "get", path: "/videos/{jobId}", method: "get", beyond: [408, 409, 415, 429] },
  // OpenRouter's API does not document 416, because its clients send no `Range`.
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

describeWithReference("the error statuses of videos", (pathOf) => {
  it.each(operations)("equal the documented ones for $name", ({ beyond, method, name, path }) => {
    const documented = readReferenceStatuses(pathOf("wire/openapi.json"), method, path)
    assert.deepStrictEqual(
      listStatuses("videos", name).map(Number),
      sorted([...documented, ...beyond])
    )
  })
})

describeWithReference("the error statuses of interns", (pathOf) => {
  it.each(internOperations)("equal the documented ones for $name", ({ method, name, path }) => {
    assert.deepStrictEqual(
      listStatuses("interns", name).map(Number),
      sorted([
        ...readReferenceStatuses(pathOf("wire/openapi.json"), method, path),
        ...commonStatuses
      ])
    )
  })
})

describeWithReference("the error statuses of chats with interns", (pathOf) => {
  it("equal the documented ones", () => {
    const documented = readReferenceStatuses(
      pathOf("wire/openapi.json"),
      "post",
      `${internPath}/chat/completions`
    )
    assert.deepStrictEqual(
      listStatuses("interns", "chat").map(Number),
      sorted([...documented, ...commonStatuses])
    )
  })
})

/** Reasons that the API documents as retryable. */
const alwaysRetryable: ReadonlySet<unknown> = new Set([
  "busy",
  "intern_not_ready",
  "intern_unreachable",
  "rate_limited",
  "stream_severed",
  "timeout"
])

describe("an error of a chat with an intern", () => {
  const responses = errors.map((error) => respond({ group: "interns", name: "chat" }, error))

  it("has no named code, and metadata of exactly reason and retryable, if any", () => {
    for (const { code, metadata } of responses) {
      assert.isUndefined(code)
      if (metadata === undefined) continue
      assert.hasAllKeys(metadata, ["reason", "retryable"])
      assert.isString(metadata["reason"])
      assert.isBoolean(metadata["retryable"])
    }
  })

  it("is retryable according to its reason", () => {
    const reasons = chatReasons.map((reason) => {
      const failure = new InternChatFailure({ reason, problem: "x" })
      return respond({ group: "interns", name: "chat" }, failure).metadata
    })
    assert.deepStrictEqual(
      reasons,
      chatReasons.map((reason) => ({ reason, retryable: alwaysRetryable.has(reason) }))
    )
  })

  it("has a Retry-After header if it is busy or rate limited", () => {
    const waiting = responses.filter(
      ({ metadata }) => metadata?.["reason"] === "busy" || metadata?.["reason"] === "rate_limited"
    )
    assert.isNotEmpty(waiting)
    for (const { headers } of waiting) assert.isAtLeast(Number(headers?.["retry-after"]), 1)
  })

  it("is a 502 if the intern's model is unknown or has no endpoint", () => {
    for (const error of [
      new ModelNotFound({ model: "a/b" }),
      new NoEndpoints({ models, rejected: [] }),
      new WrongOperation({ model: "a/b", operation: "chat" })
    ]) {
      const { metadata, status } = respond({ group: "interns", name: "chat" }, error)
      assert.deepStrictEqual([status, metadata], [502, { reason: "turn_failed", retryable: false }])
    }
  })

  it("is busy if the instance is closing", () => {
    const { metadata, status } = respond({ group: "interns", name: "chat" }, new Draining())
    assert.deepStrictEqual([status, metadata], [503, { reason: "busy", retryable: true }])
  })
})

describe("the error rules of an operation", () => {
  it("keep the status of a full body buffer, except for interns", () => {
    const full = new BodyBufferFull()
    const response = toErrorResponse(full)
    assert.deepStrictEqual(respond({ group: "videos", name: "submit" }, full), response)
    const chat = respond({ group: "interns", name: "chat" }, full)
    assert.deepStrictEqual([chat.status, chat.metadata], [503, { reason: "busy", retryable: true }])
    const create = respond({ group: "interns", name: "create" }, full)
    assert.deepStrictEqual(
      [create.status, create.headers, create.metadata],
      [500, response.headers, { reason: "bodies_crowded", retryable: true }]
    )
  })

  it("turn an unavailable store into a 500 for operations that declare no 503", () => {
    const error = new StoreUnavailable({ cause: "x" })
    const response = toErrorResponse(error)
    for (const { name } of operations) {
      assert.deepStrictEqual(respond({ group: "videos", name }, error), {
        ...response,
        status: 500
      })
    }
    assert.deepStrictEqual(respond({ group: "keys", name: "list" }, error), response)
    assert.deepStrictEqual(respond(undefined, error), response)
  })

  it("keep the response of a closing instance", () => {
    assert.deepStrictEqual(
      respond({ group: "videos", name: "submit" }, new Draining()),
      toErrorResponse(new Draining())
    )
  })

  it.each(internOperations)("use the intern envelope for errors of $name", ({ away, name }) => {
    for (const error of [new Draining(), new StoreUnavailable({ cause: "x" })]) {
      const response = respond({ group: "interns", name }, error)
      assert.deepStrictEqual(
        [response.status, response.code, response.headers, response.metadata?.["retryable"]],
        [
          away,
          away === 500 ? "internal_error" : "upstream_unavailable",
          { "retry-after": "1" },
          true
        ]
      )
    }
    const rateLimited = new RateLimited({ limit: 3, resetAt: 9, retryAfterMillis: 2_000 })
    const response = respond({ group: "interns", name }, rateLimited)
    assert.deepStrictEqual([response.status, response.code], [429, undefined])
    assert.deepStrictEqual(response.metadata, { reason: "rate_limit_exceeded", retryable: true })
    assert.deepStrictEqual(response.headers, toErrorResponse(rateLimited).headers)
  })

  it("give intern errors a reason and retryable, if they have metadata", () => {
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

  it("do not apply to pages outside the contract", () => {
    assert.deepStrictEqual(
      toErrorResponse(new Draining(), findErrorRules(referencePage)),
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
    "report an unknown key with the declared message: $group.$name",
    ({ group, message, name, retryable }) => {
      const reject = (reason: Unauthenticated["reason"]) =>
        respond({ group, name }, new Unauthenticated({ reason }))
      const { metadata, ...response } = reject("unknown_key")
      assert.deepStrictEqual(
        [response.status, response.code, response.message],
        [401, undefined, message]
      )
      assert.deepStrictEqual(metadata, {
        reason: "unknown_key",
        ...(retryable === undefined ? undefined : { retryable })
      })
      assert.isUndefined(reject("missing_key").metadata)
    }
  )
})
