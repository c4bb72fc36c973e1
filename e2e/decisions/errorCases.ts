/** For every error status of a Decision, the requests that cause it. */
import type { Upstream } from "@signalbox/core/upstream"
import { fault, pace } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import {
  keys,
  makeDecisionRequest,
  type TestServerOptions,
  type TestServer
} from "../support/TestServer.ts"
import type { ErrorStatus } from "./errorStatuses.ts"

export interface ErrorCase {
  readonly status: ErrorStatus
  readonly name: string
  readonly server?: TestServerOptions
  /** Brings the server into the state in which the request fails. */
  readonly prepare?: (server: TestServer) => Promise<void> | void
  /** The differences from a valid request. */
  readonly changes?: {
    readonly model?: string
    readonly state?: string
    readonly provider?: { readonly only?: Array<string>; readonly order?: Array<string> }
  }
  readonly key?: string
  /** Whether a function of the host throws, whose error belongs in the log and not in the response. */
  readonly failsInternally?: true
  /** The complete message. */
  readonly message: string | RegExp
  /** The expected rate limit and retry headers by name; all others must be absent. */
  readonly headers?: Readonly<Record<string, RegExp>>
}

const onlyFirstProvider = { provider: { only: ["first"] } }
const limit = 1_048_576

const makeThrowingUpstream = (
  slug: string,
  decide: NonNullable<Upstream["decisions"]>["decide"]
): Upstream => ({
  slug,
  name: "Broken",
  decisions: { decide, estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 }) }
})

/** The message of the error thrown by the host's function, which no response may contain. */
export const thrownDetail = "row 17 of the host's own table"

export const errorCases: ReadonlyArray<ErrorCase> = [
  {
    status: 400,
    name: "an unknown model",
    changes: { model: "nobody/knows" },
    message: "nobody/knows is not a valid model ID"
  },
  {
    status: 400,
    name: "a model without decisions",
    server: { extraUpstreams: [{ slug: "mute", name: "Mute" }] },
    changes: { model: "proof/mute" },
    message: "proof/mute cannot be used with the decisions endpoint"
  },
  {
    status: 400,
    name: "a request that the provider rejects",
    prepare: ({ upstreams }) => upstreams.first.always(fault.status(422, { message: "No." })),
    message: "Provider returned error: First: bad_request (422): No."
  },
  {
    status: 401,
    name: "an unknown key",
    key: "sk-nobody",
    message: "Missing Authentication header"
  },
  {
    status: 402,
    name: "credits that do not cover the worst case",
    server: {
      price: { prompt: "0", completion: "0", request: "0.25" },
      credits: { default: "0.2" }
    },
    // Calls are billed individually, and one method needs several.
    message:
      /^This request requires more credits: it may cost up to (0\.25|1) USD, but only 0\.2 USD are available$/
  },
  {
    status: 403,
    name: "a management key",
    key: keys.management,
    message: "Management keys cannot run models; use a member or organization key"
  },
  {
    status: 404,
    name: "preferences that exclude every provider",
    changes: { provider: { only: ["third"] } },
    message:
      "No allowed providers are available for the selected model. Removed by: only (2). " +
      "To relax: only of the request"
  },
  {
    status: 404,
    name: "a provider that does not have the model",
    prepare: ({ upstreams }) => upstreams.first.always(fault.status(404, { message: "Gone." })),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: not_served (404): Gone."
  },
  {
    status: 413,
    name: "a text of 1 MiB",
    changes: { state: "x".repeat(limit) },
    message: `The request body is larger than ${limit} bytes (maxBodyBytes)`
  },
  {
    status: 429,
    name: "a key above its rate limit",
    server: { settings: { rateLimit: { requests: 2, windowMillis: 600_000 } } },
    prepare: async (server) => {
      await server.ask()
      await server.ask()
    },
    message: "Rate limit exceeded: 2 requests per window for this key",
    headers: {
      "retry-after": /^([1-9]|[1-9]\d|[1-5]\d\d|600)$/,
      "x-ratelimit-limit": /^2$/,
      "x-ratelimit-remaining": /^0$/,
      "x-ratelimit-reset": /^\d{13}$/
    }
  },
  {
    status: 429,
    name: "a rate-limited provider",
    prepare: ({ upstreams }) =>
      upstreams.first.always(fault.status(429, { retryAfter: 7, message: "Slowly." })),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: rate_limited (429): Slowly.",
    headers: { "retry-after": /^7$/ }
  },
  {
    status: 429,
    name: "providers that are all rate limited",
    prepare: ({ upstreams }) => {
      upstreams.first.always(fault.status(429, { retryAfter: 7, message: "Slowly." }))
      upstreams.second.always(fault.status(429, { retryAfter: 3, message: "Slowly." }))
    },
    message: "All 2 attempts failed; the last one: Second: rate_limited (429): Slowly.",
    headers: { "retry-after": /^3$/ }
  },
  {
    status: 500,
    name: "an authenticator that throws",
    server: { authenticate: () => Promise.reject(new Error(thrownDetail)) },
    failsInternally: true,
    message: "Internal Server Error"
  },
  {
    status: 502,
    name: "an upstream that dies",
    server: {
      extraUpstreams: [makeThrowingUpstream("dying", () => Effect.die(new Error(thrownDetail)))]
    },
    changes: { model: "proof/dying", provider: {} },
    failsInternally: true,
    message: /^Provider returned error: \w+: defect: the provider's code has a defect$/
  },
  {
    status: 502,
    name: "an upstream that throws",
    server: {
      extraUpstreams: [
        makeThrowingUpstream("throwing", () => {
          throw new Error(thrownDetail)
        })
      ]
    },
    changes: { model: "proof/throwing", provider: {} },
    failsInternally: true,
    message: /^Provider returned error: \w+: defect: the provider's code has a defect$/
  },
  {
    status: 502,
    name: "a provider with a server error",
    prepare: ({ upstreams }) => upstreams.first.always(fault.status(500, { message: "Ouch." })),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: server_error (500): Ouch."
  },
  {
    status: 502,
    name: "a provider that resets the connection",
    prepare: ({ upstreams }) => upstreams.first.always(fault.drop("request_body")),
    changes: onlyFirstProvider,
    // Node 22 treats a reset that arrives together with data as a normal end.
    message: /^Provider returned error: First: unreachable: (ECONNRESET|UND_ERR_SOCKET)$/
  },
  {
    status: 502,
    name: "a provider with an invalid answer",
    prepare: ({ upstreams }) => upstreams.first.always(fault.empty()),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: invalid_answer (200): the answer is empty"
  },
  {
    status: 503,
    name: "a closed instance",
    prepare: ({ instance }) => instance.close(),
    message: "The service is shutting down",
    headers: { "retry-after": /^1$/ }
  },
  {
    status: 503,
    name: "providers that all fail",
    prepare: ({ upstreams }) => {
      upstreams.first.always(fault.status(500, { message: "Ouch." }))
      upstreams.second.always(fault.status(529, { retryAfter: 4, message: "Too much." }))
    },
    message: "All 2 attempts failed; the last one: Second: overloaded (529): Too much.",
    headers: { "retry-after": /^4$/ }
  },
  {
    status: 524,
    name: "a provider that never starts its answer",
    server: { settings: { headersTimeoutMillis: 50 } },
    prepare: ({ upstreams }) => upstreams.first.always(fault.silent("request_body")),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: timeout"
  },
  {
    status: 524,
    name: "a provider that never ends its answer",
    server: { settings: { totalTimeoutMillis: 150 } },
    prepare: ({ upstreams }) =>
      upstreams.first.always(pace.hold(upstreams.first.gate(), "response_body")),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: timeout"
  },
  {
    status: 529,
    name: "an overloaded provider",
    prepare: ({ upstreams }) =>
      upstreams.first.always(fault.status(529, { retryAfter: 9, message: "Too much." })),
    changes: onlyFirstProvider,
    message: "Provider returned error: First: overloaded (529): Too much.",
    headers: { "retry-after": /^9$/ }
  }
]

/** The request of this error case. */
export const toRequest = ({ changes }: ErrorCase) => makeDecisionRequest(changes)
