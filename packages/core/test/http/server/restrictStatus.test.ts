import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import {
  NotPermitted,
  WorkspaceNotFound,
  RateLimited,
  Unauthenticated
} from "../../../src/auth/AuthErrors.ts"
import { restrictStatus } from "../../../src/http/server/restrictStatus.ts"
import type { ErrorStatus } from "../../../src/http/errors/ErrorResponse.ts"
import {
  InternChatFailure,
  type InternChatReason
} from "../../../src/interns/chat/InternChatErrors.ts"
import {
  drainingResponse,
  type ExpectedError,
  toErrorResponse,
  internalErrorResponse
} from "../../../src/http/errors/toErrorResponse.ts"
import {
  BodyBufferFull,
  BodyTimedOut,
  NotJson,
  WorkspaceMismatch,
  RegionalHostname,
  RequestTimedOut,
  UnsupportedContentCoding
} from "../../../src/http/errors/HttpErrors.ts"
import {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../../src/interns/InternErrors.ts"
import { InternId } from "../../../src/interns/InternId.ts"
import { internEvents } from "../../../src/interns/lifecycle.ts"
import { LimitExceeded } from "../../../src/ledger/LedgerErrors.ts"
import { ModelNotListed } from "../../../src/listing/ListingErrors.ts"
import {
  AttemptsFailed,
  ModelNotFound,
  ContextLengthExceeded,
  NoEndpoints,
  DeadlineExceeded,
  WrongOperation
} from "../../../src/routing/RoutingErrors.ts"
import { FailureKind, UpstreamFailure } from "../../../src/upstreams/failures/UpstreamFailure.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import {
  InvalidRequest,
  ResourceNotFound,
  RequestTooLarge
} from "../../../src/values/errors/RequestErrors.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { SecretUnbound, SecretUnreadable, VaultClosed } from "../../../src/vaults/VaultErrors.ts"
import { BlobFailed } from "../../../src/videos/content/BlobStore.ts"
import {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  RangeNotSatisfiable,
  NotCompleted,
  TooManyActiveJobs
} from "../../../src/videos/VideoErrors.ts"
import { makeCandidate } from "../../routing/makeCandidate.ts"
import { describeWithReference } from "../../reference.ts"
import { QuotaExceeded } from "../../../src/values/enforceQuota.ts"

const models = ["a/b"]
const intern = InternId.make("intern_0123456789abcdefghij")
const limitOf = (kind: "credits" | "key" | "workspace") =>
  new LimitExceeded({
    amount: nano(1n),
    available: zero,
    limit: {
      kind,
      id: "one",
      interval: "lifetime",
      window: "lifetime",
      endsAt: Infinity,
      countsByok: false,
      cap: zero
    }
  })

const chatReasons: ReadonlyArray<InternChatReason> = [
  "attachment_failed",
  "bad_request",
  "busy",
  "client_closed_request",
  "interaction_not_pending",
  "interaction_unknown",
  "intern_not_ready",
  "intern_rejected",
  "intern_unreachable",
  "not_found",
  "payload_too_large",
  "rate_limited",
  "run_ended",
  "stream_severed",
  "timeout",
  "turn_failed"
]

/** Each error there is; the compiler sees to it that none is forgotten. */
const errorCases: {
  readonly [Tag in ExpectedError["_tag"]]: ReadonlyArray<Extract<ExpectedError, { _tag: Tag }>>
} = {
  AllRateLimited: [new AllRateLimited({ models, retryAfterMillis: 1 })],
  AttemptsFailed: FailureKind.literals.map(
    (kind) =>
      new AttemptsFailed({
        models,
        isFinal: false,
        attempts: [
          {
            candidate: makeCandidate({ provider: "one" }),
            chargedAt: 0,
            startedAt: 0,
            latencyMillis: 0,
            failure: new UpstreamFailure({ kind })
          }
        ]
      })
  ),
  BlobFailed: [new BlobFailed({ problem: "it is gone" })],
  // Told by every operation, as below.
  BodyBufferFull: [],
  BodyTimedOut: [new BodyTimedOut({ timeoutMillis: 1 })],
  ContextLengthExceeded: [
    new ContextLengthExceeded({
      models,
      inputTokens: 9,
      outputTokens: 0,
      limit: 8,
      rejected: []
    })
  ],
  CreationBusy: [new CreationBusy({ intern })],
  ContentGone: [new ContentGone()],
  ContentUnavailable: [new ContentUnavailable({ provider: "One" })],
  // It ends streams, whose status is out.
  Draining: [],
  IdempotencyKeyReused: [new IdempotencyKeyReused()],
  InternChatFailure: chatReasons.map((reason) => new InternChatFailure({ reason, problem: "x" })),
  InvalidRequest: [new InvalidRequest({ path: [], problem: "x" })],
  LimitExceeded: (["credits", "key", "workspace"] as const).map(limitOf),
  LossUnacknowledged: [new LossUnacknowledged()],
  ResourceNotFound: [new ResourceNotFound({ resource: "video", id: "x" })],
  ModelNotFound: [new ModelNotFound({ model: "a/b" })],
  ModelNotListed: [new ModelNotListed({ model: "a/b" })],
  NameTaken: [new NameTaken({ name: "ada" })],
  NoActingUser: [new NoActingUser()],
  NoEndpoints: [new NoEndpoints({ models, rejected: [] })],
  RangeNotSatisfiable: [new RangeNotSatisfiable({ total: 9 })],
  NotJson: [new NotJson()],
  NotCompleted: [new NotCompleted({ status: "pending" })],
  WorkspaceNotFound: [new WorkspaceNotFound({ account: "acme", workspace: "lab" })],
  NotPermitted: [new NotPermitted({ kind: "member", needs: "a management key" })],
  WorkspaceMismatch: [new WorkspaceMismatch()],
  DeadlineExceeded: [new DeadlineExceeded({ models })],
  QuotaExceeded: [
    new QuotaExceeded({ what: "interns", of: "account", most: 1, setting: "maxInternsPerAccount" })
  ],
  RateLimited: [new RateLimited({ limit: 1, resetAt: 1, retryAfterMillis: 1 })],
  RegionalHostname: [new RegionalHostname()],
  RequestTimedOut: [new RequestTimedOut({ timeoutMillis: 1 })],
  RequestTooLarge: [new RequestTooLarge({ limitBytes: 1 })],
  SecretUnbound: [new SecretUnbound({ name: "token" })],
  SecretUnreadable: [new SecretUnreadable({ name: "token", sealedUnder: "k1" })],
  StoreUnavailable: [new StoreUnavailable({ cause: "x" })],
  TooManyActiveJobs: [new TooManyActiveJobs({ limit: 1 })],
  Unauthenticated: (["missing_key", "unknown_key", "management_key"] as const).map(
    (reason) => new Unauthenticated({ reason })
  ),
  UnsupportedContentCoding: [new UnsupportedContentCoding({ coding: "zstd", supported: ["gzip"] })],
  UpstreamUnavailable: [new UpstreamUnavailable({ intern, problem: "no room" })],
  VaultClosed: [new VaultClosed()],
  WrongOperation: [new WrongOperation({ model: "a/b", operation: "videos" })],
  WrongStatus: internEvents.map((event) => new WrongStatus({ status: "queued", event }))
}
const errorResponses = [
  ...Object.values(errorCases).flat().map(toErrorResponse),
  internalErrorResponse
]

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
  Array.from(
    new Set(errorResponses.map((refusal) => restrictStatus({ group, name }, refusal).status))
  ).toSorted((one, other) => one - other)

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
  const told = errorResponses.map((refusal) =>
    restrictStatus({ group: "interns", name: "chat" }, refusal)
  )

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
      const refusal = toErrorResponse(new InternChatFailure({ reason, problem: "x" }))
      return restrictStatus({ group: "interns", name: "chat" }, refusal).metadata
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
      const { metadata, status } = restrictStatus(
        { group: "interns", name: "chat" },
        toErrorResponse(error)
      )
      assert.deepStrictEqual([status, metadata], [502, { reason: "turn_failed", retryable: false }])
    }
  })

  it("tells of a closing box as of any other that is full", () => {
    const { metadata, status } = restrictStatus(
      { group: "interns", name: "chat" },
      drainingResponse
    )
    assert.deepStrictEqual([status, metadata], [503, { reason: "busy", retryable: true }])
  })
})

describe("listed", () => {
  it("tells of bodies without room as of a closing box, whatever the operation has", () => {
    const crowded = toErrorResponse(new BodyBufferFull())
    assert.strictEqual(restrictStatus({ group: "videos", name: "submit" }, crowded), crowded)
    const chat = restrictStatus({ group: "interns", name: "chat" }, crowded)
    assert.deepStrictEqual([chat.status, chat.metadata], [503, { reason: "busy", retryable: true }])
    const create = restrictStatus({ group: "interns", name: "create" }, crowded)
    assert.deepStrictEqual(
      [create.status, create.headers, create.metadata],
      [500, crowded.headers, { reason: "bodies_crowded", retryable: true }]
    )
  })

  it("tells a store that is away as the 500 that the wire has, with all that is known", () => {
    const refusal = toErrorResponse(new StoreUnavailable({ cause: "x" }))
    for (const { name } of operations) {
      assert.deepStrictEqual(restrictStatus({ group: "videos", name }, refusal), {
        ...refusal,
        status: 500
      })
    }
    assert.strictEqual(restrictStatus({ group: "keys", name: "list" }, refusal), refusal)
    assert.strictEqual(restrictStatus(undefined, refusal), refusal)
  })

  it("leaves what is said of a box that is closing", () => {
    assert.strictEqual(
      restrictStatus({ group: "videos", name: "submit" }, drainingResponse),
      drainingResponse
    )
  })

  it.each(internOperations)(
    "words what $name of interns refuses as interns do",
    ({ away, name }) => {
      for (const refusal of [
        drainingResponse,
        toErrorResponse(new StoreUnavailable({ cause: "x" }))
      ]) {
        const told = restrictStatus({ group: "interns", name }, refusal)
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
      const often = toErrorResponse(
        new RateLimited({ limit: 3, resetAt: 9, retryAfterMillis: 2_000 })
      )
      const told = restrictStatus({ group: "interns", name }, often)
      assert.deepStrictEqual([told.status, told.code], [429, undefined])
      assert.deepStrictEqual(told.metadata, { reason: "rate_limit_exceeded", retryable: true })
      assert.deepStrictEqual(told.headers, often.headers)
    }
  )

  it("tells of interns either why in two keys, or nothing", () => {
    for (const { name } of internOperations) {
      for (const refusal of errorResponses) {
        const { code, metadata, status } = restrictStatus({ group: "interns", name }, refusal)
        assert.isTrue(code === undefined || /^[a-z_]+$/.test(code), String(code))
        if (metadata === undefined) continue
        assert.isString(metadata["reason"])
        assert.isBoolean(metadata["retryable"])
        assert.isAtLeast(status, 400)
      }
    }
  })

  it("leaves operations of interns alone that have no list", () => {
    assert.strictEqual(
      restrictStatus({ group: "interns", name: "none" }, drainingResponse),
      drainingResponse
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
        restrictStatus({ group, name }, toErrorResponse(new Unauthenticated({ reason })))
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
