/**
 * The situations that public failover benchmarks put a router into, each with all that is to come of
 * it. Sources: semantics A7, A8 and H. The last of the sixteen, a caller who leaves, asks for no answer
 * and stands in `failover.test.ts` itself.
 */
import type { FailureRules } from "@signalbox/core"
import { fault, pace, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import type { TestServerOptions } from "../support/TestServer.ts"
import type { ErrorStatus } from "../decisions/errorStatuses.ts"
import { native, type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

export interface FailoverScenario {
  readonly name: string
  readonly server?: TestServerOptions
  /** What the first provider does with every request; default: it is never reached. */
  readonly step?: Step
  /** What that is taken for. */
  readonly kind: keyof FailureRules
  /** The status it answers with, if it answers. */
  readonly answered?: number
  /** The status for a caller without a fallback. */
  readonly alone: ErrorStatus
  /** What such a caller is told to wait, in seconds. */
  readonly retryAfter?: string
  /** The request is at fault, so there is no fallback. */
  readonly isFinal?: true
  /** How many requests the first provider sees when it is asked one question; default: 1. */
  readonly requests?: (method: DecisionMethod) => number
  /** The ways of asking in which it can happen; default: all. */
  readonly methods?: ReadonlyArray<DecisionMethod>
}

const noRequests = () => 0

const unreachable = { kind: "unreachable", alone: 502 } as const
const invalid = { kind: "invalid_answer", alone: 502 } as const
const timedOut = { kind: "timeout", alone: 524 } as const
const contentRefused = { kind: "content_refused", alone: 400, isFinal: true } as const

/** The ways that differ from the native one in what they read. */
const chatMethods = decisionMethods.filter((method) => method !== native)

/** A label of a hostname has at most 63 letters, so this one fails without a DNS query. */
const unresolvableUrl = `http://${"n".repeat(64)}.invalid`

/** What shows at once. Nothing of it takes as long as the shortest deadline, which is 5 s. */
export const failoverScenarios: ReadonlyArray<FailoverScenario> = [
  {
    name: "1. refused connection",
    ...unreachable,
    server: { toFirstUrl: () => ScriptedUpstream.reserveRefusingUrl() },
    requests: noRequests
  },
  {
    name: "2. no such host",
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
    name: "3. TLS where there is none",
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
    // What no token can be read from is asked for in words: one step down the ladder.
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
    name: "15. refusal of the model",
    ...contentRefused,
    step: fault.refusal(),
    methods: chatMethods
  },
  {
    name: "15. refusal of a filter",
    ...contentRefused,
    step: fault.refusal("filter"),
    methods: chatMethods
  }
]

/** In milliseconds; far longer than a healthy provider takes on a busy machine. */
export const deadline = 3_000

const headers: TestServerOptions = { settings: { headersTimeoutMillis: deadline } }
const body: TestServerOptions = { settings: { bodyTimeoutMillis: deadline } }

/** What only a deadline ends, and on the wire is the same whatever is asked. */
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
