import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { NotPermitted, RateLimited, Unauthenticated } from "../../../src/tenants/auth/AuthErrors.ts"
import { InvalidRequest, RequestTooLarge } from "../../../src/values/errors/RequestErrors.ts"
import type { ExpectedError } from "../../../src/api/errors/errorTable.ts"
import {
  Draining,
  InternalError,
  NotJson,
  UnknownPath
} from "../../../src/api/errors/HttpErrors.ts"
import { toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import { LimitExceeded } from "../../../src/engine/ledger/LedgerErrors.ts"
import type { RouteAttempt } from "../../../src/routing/attempt/RouteAttempt.ts"
import type { Exclusion } from "../../../src/routing/Reason.ts"
import {
  AttemptsFailed,
  DeadlineExceeded,
  ModelNotFound,
  NoEndpoints,
  WrongOperation
} from "../../../src/routing/RoutingErrors.ts"
import { failureRules } from "../../../src/routing/attempt/failureRules.ts"
import {
  FailureKind,
  UpstreamFailure
} from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { makeCandidate } from "../../routing/makeCandidate.ts"

const models = ["a/b"]
const attempt = (
  failure: ConstructorParameters<typeof UpstreamFailure>[0],
  provider = "one"
): RouteAttempt => ({
  candidate: makeCandidate({ provider, name: provider.toUpperCase() }),
  chargedAt: 0,
  startedAt: 0,
  latencyMillis: 0,
  failure: new UpstreamFailure(failure)
})
const makeAttemptsFailed = (first: RouteAttempt, ...rest: ReadonlyArray<RouteAttempt>) =>
  toErrorResponse(
    new AttemptsFailed({
      models,
      attempts: [first, ...rest],
      isFinal: !failureRules[[first, ...rest].at(-1)!.failure!.kind].fallback
    })
  )
const makeAttemptsFailedBy = (first: FailureKind, ...rest: ReadonlyArray<FailureKind>) =>
  makeAttemptsFailed(attempt({ kind: first }), ...rest.map((kind) => attempt({ kind })))
const findCode = ({ metadata }: ReturnType<typeof toErrorResponse>) => metadata?.["availability"]

const storageUnavailable: ReturnType<typeof toErrorResponse> = {
  status: 503,
  message: "The storage of the service is unavailable",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "storage_unavailable", retryable: true }
  },
  headers: { "retry-after": "1" }
}

const makeRejected = (...rules: ReadonlyArray<ReadonlyArray<Exclusion>>) =>
  toErrorResponse(
    new NoEndpoints({
      models,
      rejected: rules.map((rules) => ({
        candidate: makeCandidate({ provider: "one" }),
        reasons: rules.map((rule) => ({ rule, source: "request", wanted: "", found: "" }))
      }))
    })
  )

const availability = (code: string) => ({ code, retryable: false, requested_models: models })

describe("toErrorResponse of errors before any attempt", () => {
  const table: ReadonlyArray<[ExpectedError, ReturnType<typeof toErrorResponse>]> = [
    [new StoreUnavailable({ cause: "postgres://secret" }), storageUnavailable],
    [
      new Unauthenticated({ reason: "missing_key" }),
      { status: 401, message: "Missing Authentication header" }
    ],
    [
      new Unauthenticated({ reason: "unknown_key" }),
      {
        status: 401,
        message: "The API key is unknown, disabled or expired",
        metadata: { reason: "unknown_key" }
      }
    ],
    [
      new NotPermitted({ kind: "member", needs: "a management key" }),
      { status: 403, message: "Only management keys can perform this operation" }
    ],
    [
      new NotPermitted({ kind: "management", needs: "a member or organization key" }),
      {
        status: 403,
        message: "Management keys cannot run models; use a member or organization key"
      }
    ],
    [
      new RateLimited({ limit: 3, retryAfterMillis: 1_001, resetAt: 1_700_000_001_001 }),
      {
        status: 429,
        message: "Rate limit exceeded: 3 requests per window for this key",
        metadata: {
          error_type: "rate_limit_exceeded",
          headers: {
            "x-ratelimit-limit": "3",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": "1700000001001",
            "retry-after": "2"
          }
        },
        headers: {
          "x-ratelimit-limit": "3",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": "1700000001001",
          "retry-after": "2"
        }
      }
    ],
    [
      new InvalidRequest({ path: ["questions", "q", "criteria", 0], problem: "missing" }),
      {
        status: 400,
        message: "questions.q.criteria.0: missing",
        metadata: { error_type: "invalid_request", path: ["questions", "q", "criteria", 0] }
      }
    ],
    [
      new InvalidRequest({ path: [], problem: "the body is not valid JSON" }),
      {
        status: 400,
        message: "Invalid request: the body is not valid JSON",
        metadata: { error_type: "invalid_request", path: [] }
      }
    ],
    [
      new RequestTooLarge({ limitBytes: 1_048_576 }),
      {
        status: 413,
        message: "The request body is larger than 1048576 bytes",
        metadata: { error_type: "payload_too_large", limit_bytes: 1_048_576 }
      }
    ],
    [
      new ModelNotFound({ model: "a/b" }),
      {
        status: 400,
        message: "a/b is not a valid model ID",
        metadata: {
          error_type: "invalid_request",
          availability: availability("model_not_found")
        }
      }
    ],
    [
      new WrongOperation({ model: "a/b", operation: "decisions" }),
      {
        status: 400,
        message: "a/b cannot be used with the decisions endpoint",
        metadata: { error_type: "invalid_request", availability: availability("wrong_endpoint") }
      }
    ],
    [
      new DeadlineExceeded({ models }),
      {
        status: 524,
        message: "The request ran out of time before a provider could be asked",
        metadata: {
          error_type: "timeout",
          availability: { code: "timeout", retryable: true, requested_models: models }
        }
      }
    ],
    [
      // Exhausted credits and spending limits are 402.
      new LimitExceeded({
        limit: {
          kind: "credits",
          id: "default",
          interval: "lifetime",
          window: "lifetime",
          endsAt: Infinity,
          countsByok: false,
          cap: zero
        },
        amount: nano(2_500_000n),
        available: nano(1n)
      }),
      {
        status: 402,
        message:
          "This request requires more credits: it may cost up to 0.0025 USD, but only 0.000000001 USD are available",
        metadata: { error_type: "payment_required", required_usd: 0.0025, available_usd: 1e-9 }
      }
    ]
  ]
  it.each(table.map(([error, response]) => [error._tag, error, response] as const))(
    "%s",
    (_, error, response) => {
      assert.deepStrictEqual(toErrorResponse(error), response)
    }
  )

  it("is 404 when rules remove every endpoint, and counts the removals per rule", () => {
    assert.deepStrictEqual(makeRejected(["only", "zdr"], ["zdr", "zdr"]), {
      status: 404,
      message:
        "No allowed providers are available for the selected model. Removed by: zdr (2), only (1). " +
        "To relax: zdr of the request",
      metadata: {
        error_type: "not_found",
        availability: {
          ...availability("privacy_restricted"),
          excluded_by: ["data_policy:zdr", "allowed_providers"]
        },
        filters: [
          { rule: "zdr", source: "request", wanted: "", removed: 2 },
          { rule: "only", source: "request", wanted: "", removed: 1 }
        ],
        relax: [{ rule: "zdr", source: "request", wanted: "" }]
      }
    })
  })

  // The code depends on the endpoint with the fewest reasons against it.
  const codes: ReadonlyArray<[ReadonlyArray<ReadonlyArray<Exclusion>>, string]> = [
    [[["zdr"], ["data_collection"]], "privacy_restricted"],
    [[["zdr", "data_collection"], ["max_price"]], "constraint_filtered"],
    [[["zdr", "max_price"]], "constraint_filtered"],
    [[["context_length"]], "constraint_filtered"],
    [[["quantization"], ["require_parameters"]], "constraint_filtered"],
    [[["unknown_price"]], "constraint_filtered"],
    [[["ignore"]], "no_endpoints"],
    [[["allow_fallbacks"], ["max_price"]], "no_endpoints"]
  ]
  it.each(codes)("has for the removals %j the code %s", (rules, code) => {
    assert.deepInclude(findCode(makeRejected(...rules)), { code, retryable: false })
  })

  it("has fixed messages for errors of the server itself", () => {
    assert.deepStrictEqual(
      [
        toErrorResponse(new InternalError()),
        toErrorResponse(new UnknownPath({})),
        toErrorResponse(new NotJson(), { runsModel: true }),
        toErrorResponse(new Draining())
      ].map(({ message, status }) => [status, message]),
      [
        [500, "Internal Server Error"],
        [404, "Not Found"],
        [400, "Invalid request: the content type must be application/json"],
        [503, "The service is shutting down"]
      ]
    )
    assert.deepStrictEqual(toErrorResponse(new Draining()).headers, { "retry-after": "1" })
  })
})

/** The headers after a first attempt without a `Retry-After` and further ones with these. */
const getRetryHeaders = (kind: FailureKind, ...millis: ReadonlyArray<number | undefined>) =>
  makeAttemptsFailed(
    attempt({ kind }),
    ...millis.map((retryAfterMillis) =>
      attempt({ kind, ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }) })
    )
  ).headers

describe("toErrorResponse of failed attempts", () => {
  // A single attempt shows its provider's error.
  const alone: Readonly<Record<FailureKind, [status: number, code: string, retryable: boolean]>> = {
    unreachable: [502, "provider_unavailable", true],
    timeout: [524, "timeout", true],
    rate_limited: [429, "capacity_exhausted", true],
    overloaded: [529, "provider_overloaded", true],
    server_error: [502, "provider_unavailable", true],
    credential_refused: [502, "provider_unavailable", true],
    forbidden: [502, "provider_unavailable", true],
    not_served: [404, "model_unavailable_upstream", false],
    bad_request: [400, "invalid_request", false],
    context_length: [400, "context_length_exceeded", false],
    unsupported_parameter: [400, "invalid_request", false],
    content_refused: [400, "content_policy_violation", false],
    invalid_answer: [502, "provider_unavailable", true],
    defect: [502, "provider_unavailable", true]
  }
  it.each(FailureKind.literals)("one %s", (kind) => {
    const [status, code, retryable] = alone[kind]
    const response = makeAttemptsFailedBy(kind)
    assert.strictEqual(response.status, status)
    assert.deepStrictEqual(findCode(response), { code, retryable, requested_models: models })
    assert.strictEqual(response.message, `Provider returned error: ONE: ${kind}`)
  })

  // Several attempts show what they have in common.
  const together: Readonly<Record<FailureKind, [status: number, code: string]>> = {
    unreachable: [503, "temporarily_unavailable"],
    timeout: [503, "temporarily_unavailable"],
    rate_limited: [429, "capacity_exhausted"],
    overloaded: [503, "temporarily_unavailable"],
    server_error: [503, "temporarily_unavailable"],
    credential_refused: [502, "provider_unavailable"],
    forbidden: [502, "provider_unavailable"],
    not_served: [404, "model_unavailable_upstream"],
    bad_request: [400, "invalid_request"],
    context_length: [400, "context_length_exceeded"],
    unsupported_parameter: [400, "invalid_request"],
    content_refused: [400, "content_policy_violation"],
    invalid_answer: [502, "provider_unavailable"],
    defect: [502, "provider_unavailable"]
  }
  it.each(FailureKind.literals)("repeated %s", (kind) => {
    const [status, code] = together[kind]
    const response = makeAttemptsFailedBy(kind, kind, kind)
    assert.strictEqual(response.status, status)
    assert.deepInclude(findCode(response), { code })
  })

  const mixed: ReadonlyArray<[[FailureKind, ...Array<FailureKind>], number, string]> = [
    [["timeout", "overloaded"], 503, "temporarily_unavailable"],
    [["rate_limited", "unreachable", "server_error"], 503, "temporarily_unavailable"],
    [["overloaded", "rate_limited"], 503, "temporarily_unavailable"],
    [["timeout", "forbidden"], 502, "provider_unavailable"],
    [["rate_limited", "invalid_answer"], 502, "provider_unavailable"],
    [["not_served", "timeout"], 502, "provider_unavailable"],
    [["timeout", "overloaded", "bad_request"], 400, "invalid_request"],
    [["rate_limited", "content_refused"], 400, "content_policy_violation"],
    [["context_length", "unsupported_parameter"], 400, "invalid_request"],
    [["server_error", "context_length"], 502, "provider_unavailable"]
  ]
  it.each(mixed)("%j", (kinds, status, code) => {
    const response = makeAttemptsFailedBy(...kinds)
    assert.strictEqual(response.status, status)
    assert.deepInclude(findCode(response), { code })
  })

  it("reports a provider's 426 as its failure, not as a missing model", () => {
    assert.strictEqual(makeAttemptsFailed(attempt({ kind: "not_served", status: 426 })).status, 502)
    assert.strictEqual(makeAttemptsFailed(attempt({ kind: "not_served", status: 404 })).status, 404)
  })

  const types: ReadonlyArray<[[FailureKind, ...Array<FailureKind>], string]> = [
    [["rate_limited", "rate_limited"], "rate_limit_exceeded"],
    [["timeout", "unreachable"], "provider_overloaded"],
    [["not_served", "not_served"], "not_found"],
    [["overloaded"], "provider_overloaded"],
    [["invalid_answer", "forbidden"], "provider_unavailable"]
  ]
  it.each(types)("has for %j the error type %s", (kinds, type) => {
    assert.strictEqual(makeAttemptsFailedBy(...kinds).metadata?.["error_type"], type)
  })

  it("lists the failure of each provider, and the last one's message", () => {
    const { message, metadata } = makeAttemptsFailed(
      attempt({ kind: "timeout", phase: "headers" }, "one"),
      attempt({ kind: "server_error", status: 500, detail: "gone away" }, "two")
    )
    assert.strictEqual(
      message,
      "All 2 attempts failed; the last one: TWO: server_error (500): gone away"
    )
    assert.deepInclude(metadata, {
      provider_name: "TWO",
      raw: "gone away",
      previous_errors: [
        { provider: "ONE", code: "timeout" },
        { provider: "TWO", code: "server_error", status: 500 }
      ]
    })
    assert.notProperty(makeAttemptsFailedBy("timeout").metadata, "raw")
  })

  it("reports only the last failure if the request is invalid", () => {
    const { message } = makeAttemptsFailed(
      attempt({ kind: "timeout" }, "one"),
      attempt({ kind: "bad_request", status: 422, detail: "no such label" }, "two")
    )
    assert.strictEqual(message, "Provider returned error: TWO: bad_request (422): no such label")
  })

  it("passes on the shortest Retry-After of the providers", () => {
    assert.deepStrictEqual(getRetryHeaders("rate_limited", 30_000, undefined, 4_200), {
      "retry-after": "5"
    })
    assert.deepStrictEqual(getRetryHeaders("overloaded", 60_000), { "retry-after": "60" })
    assert.deepStrictEqual(getRetryHeaders("rate_limited", 0), { "retry-after": "1" })
    assert.deepStrictEqual(
      makeAttemptsFailed(attempt({ kind: "overloaded", retryAfterMillis: 1 })).headers,
      {
        "retry-after": "1"
      }
    )
    assert.isUndefined(getRetryHeaders("rate_limited", undefined))
    // Waiting does not help against these failures.
    assert.isUndefined(getRetryHeaders("forbidden", 1_000))
    assert.isUndefined(getRetryHeaders("not_served", 1_000))
  })

  it("has a documented status and a Retry-After of at least a second, for any attempts", () => {
    const failure = fc.record(
      {
        kind: fc.constantFrom(...FailureKind.literals),
        status: fc.integer({ min: 400, max: 599 }),
        retryAfterMillis: fc.nat(1_000_000),
        detail: fc.string()
      },
      { requiredKeys: ["kind"] }
    )
    fc.assert(
      fc.property(failure, fc.array(failure, { maxLength: 5 }), (first, rest) => {
        const { headers, status } = makeAttemptsFailed(
          attempt(first),
          ...rest.map((failure) => attempt(failure))
        )
        assert.oneOf(status, [400, 404, 429, 502, 503, 524, 529])
        const waits = [first, ...rest].flatMap(({ retryAfterMillis }) => retryAfterMillis ?? [])
        const isTemporary = status === 429 || status === 503 || status === 529
        assert.deepStrictEqual(
          headers,
          waits.length > 0 && isTemporary
            ? { "retry-after": String(Math.max(1, Math.ceil(Math.min(...waits) / 1_000))) }
            : undefined
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
