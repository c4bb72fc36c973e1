/**
 * The scenarios of public failover benchmarks for routers, with the expected results. The sixteenth, a
 * disconnecting caller, receives no response and is tested in `failover.test.ts` itself.
 */
import type { FailureRules } from "@signalbox/core"
import { fault, pace, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import type { TestServerOptions } from "../support/TestServer.ts"
import type { ErrorStatus } from "../decisions/errorStatuses.ts"
import { native, type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

export interface FailoverScenario {
  readonly name: string
  readonly server?: TestServerOptions
  /** How the first provider answers every request; default: the provider is never reached. */
  readonly step?: Step
  /** The kind of failure that the router detects. */
  readonly kind: keyof FailureRules
  /** The status of the provider's response, if any. */
  readonly answered?: number
  /** The status for a caller without a fallback. */
  readonly alone: ErrorStatus
  /** The retry-after header for that caller, in seconds. */
  readonly retryAfter?: string
  /** Whether the request is at fault, which rules out a fallback. */
  readonly isFinal?: true
  /** The number of requests that the first provider receives for one question; default: 1. */
  readonly requests?: (method: DecisionMethod) => number
  /** The methods with which the failure can occur; default: all. */
  readonly methods?: ReadonlyArray<DecisionMethod>
}

const noRequests = () => 0

const unreachable = { kind: "unreachable", alone: 502 } as const
const invalid = { kind: "invalid_answer", alone: 502 } as const
const timedOut = { kind: "timeout", alone: 524 } as const
const contentRefused = { kind: "content_refused", alone: 400, isFinal: true } as const

/** The methods that parse chat completions. */
const chatMethods = decisionMethods.filter((method) => method !== native)

/** A label of a hostname has at most 63 letters, so this one fails without a DNS query. */
const unresolvableUrl = `http://${"n".repeat(64)}.invalid`

/** Failures that occur without a timeout, well before the shortest one of 5 s. */
export const failoverScenarios: ReadonlyArray<FailoverScenario> = [
  {
    name: "1. refused connection",
    ...unreachable,
    server: { toFirstUrl: () => ScriptedUpstream.reserveRefusingUrl() },
    requests: noRequests
  },
  {
    name: "2. unknown host",
    ...unreachable,
    server: { toFirstUrl: () => unresolvableUrl },
    requests: noRequests
  },
  {
    name: "3. TLS with an untrusted certificate",
    ...unreachable,
    server: { tls: true },
    requests: noRequests
  },
  {
    name: "3. TLS with a plaintext server",
    ...unreachable,
    server: { toFirstUrl: (url) => url.replace("http:", "https:") },
    requests: noRequests
  },
  {
    name: "7. 429 with Retry-After",
    step: fault.status(429, { retryAfter: 7 }),
    kind: "rate_limited",
    answered: 429,
    alone: 429,
    retryAfter: "7"
  },
  {
    name: "7. 429 without Retry-After",
    step: fault.status(429),
    kind: "rate_limited",
    answered: 429,
    alone: 429
  },
  ...[500, 502].map((answered): FailoverScenario => ({
    name: `8. ${answered}`,
    step: fault.status(answered, { retryAfter: 7 }),
    kind: "server_error",
    answered,
    alone: 502
  })),
  ...[503, 529].map((answered): FailoverScenario => ({
    name: `8. ${answered}`,
    step: fault.status(answered, { retryAfter: 7 }),
    kind: "overloaded",
    answered,
    alone: 529,
    retryAfter: "7"
  })),
  {
    name: "9. 401 of one provider",
    step: fault.status(401),
    kind: "credential_refused",
    answered: 401,
    alone: 502
  },
  {
    name: "9. 403 of one provider",
    step: fault.status(403),
    kind: "forbidden",
    answered: 403,
    alone: 502
  },
  {
    name: "9. 404 of one provider",
    step: fault.status(404),
    kind: "not_served",
    answered: 404,
    alone: 404
  },
  {
    name: "10. 400 of the request",
    step: fault.status(400),
    kind: "bad_request",
    answered: 400,
    alone: 400,
    isFinal: true
  },
  { name: "11. malformed JSON", ...invalid, step: fault.notJson(), answered: 200 },
  { name: "12. empty 200", ...invalid, step: fault.empty(), answered: 200 },
  {
    name: "13. answer shorter than declared",
    ...unreachable,
    step: fault.truncated("length")
  },
  {
    name: "13. answer without its last chunk",
    ...unreachable,
    step: fault.truncated("chunked")
  },
  {
    name: "13. answer cut at the token limit",
    ...invalid,
    step: reply.chat('{"q0": 0.', { finishReason: "length" }),
    methods: chatMethods,
    // Without a usable token, logprobs fall back to the next method, which asks for text.
    requests: ({ name }) => (name === "logprobs" ? 2 : 1)
  },
  {
    name: "14. error inside a 200",
    step: fault.errorInBody(429),
    kind: "server_error",
    alone: 502
  },
  {
    name: "15. refusal",
    ...contentRefused,
    step: fault.refusal(),
    answered: 400,
    methods: [native]
  },
  {
    name: "15. refusal by the model",
    ...contentRefused,
    step: fault.refusal(),
    methods: chatMethods
  },
  {
    name: "15. refusal by a filter",
    ...contentRefused,
    step: fault.refusal("filter"),
    methods: chatMethods
  }
]

/** In milliseconds; far longer than a healthy provider takes on a busy machine. */
export const deadline = 3_000

const headers: TestServerOptions = { settings: { headersTimeoutMillis: deadline } }
const body: TestServerOptions = { settings: { bodyTimeoutMillis: deadline } }

/** Failures that only a timeout ends, which are the same for every operation. */
export const timeoutScenarios: ReadonlyArray<FailoverScenario> = [
  { name: "4. silence before the headers", ...timedOut, server: headers, step: fault.silent() },
  {
    name: "5. silence after the headers",
    ...timedOut,
    server: body,
    step: fault.silent("response_headers")
  },
  {
    name: "5. silence in the middle of the body",
    ...timedOut,
    server: body,
    step: fault.silent("response_body")
  },
  { name: "6. headers that come too late", ...timedOut, server: headers, step: pace.delay(600_000) }
]
