/** The faults of providers, and the statuses that callers receive. */
import { fault, pace, reply, type Step } from "@signalbox/testing"
import type { TestServer } from "../support/TestServer.ts"
import type { DecisionMethod } from "../support/decisionMethods.ts"

/** The effect of a fault on a request. */
interface Outcome {
  /** The status when this provider is the only one. */
  readonly alone: number
  /** Whether the request falls back to the next provider. */
  readonly triesNext: boolean
  /** The status when every provider has this fault. */
  readonly all: number
}

const failOver = (alone: number, all: number): Outcome => ({ alone, all, triesNext: true })
const failRequest = (status: number): Outcome => ({ alone: status, all: status, triesNext: false })

const broken = failOver(502, 503)
const slow = failOver(524, 503)
const overloaded = failOver(529, 503)
const limited = failOver(429, 429)
const rejected = failOver(502, 502)
const notFound = failOver(404, 404)
const unreadable = failOver(502, 502)
const unsupported = failOver(400, 400)
const accepted = failRequest(200)
const badRequest = failRequest(400)
/** A stalled body times out early enough for a fallback. */
const stalled = slow

export interface Fault {
  readonly name: string
  readonly step: (server: TestServer) => Step
  readonly outcome: Outcome | ((method: DecisionMethod) => Outcome)
}

const makeFault = (
  name: string,
  step: Fault["step"] | Step,
  outcome: Fault["outcome"] = unreadable
): Fault => ({ name, step: typeof step === "function" ? step : () => step, outcome })

/** Only the native method validates the flawed part of the answer. */
const toNativeOnlyOutcome = ({ name }: DecisionMethod): Outcome =>
  name === "native" ? unreadable : accepted

const byStatus: ReadonlyArray<readonly [Outcome, ReadonlyArray<number>]> = [
  [unreadable, [201, 202, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308]],
  [badRequest, [400, 413, 422]],
  [rejected, [401, 402, 403, 451]],
  [notFound, [404, 405, 410]],
  [rejected, [421, 423, 424, 426, 498]],
  [limited, [429]],
  [broken, [101, 409, 499, 500, 501, 502, 505, 507, 520, 522, 530, 598, 600, 999]],
  [slow, [408, 504, 524]],
  [overloaded, [503, 529]]
]

const byKind: ReadonlyArray<readonly [Outcome, ReadonlyArray<string>]> = [
  [unsupported, ["context_length_exceeded", "unsupported_parameter", "unsupported_value"]],
  [badRequest, ["content_policy_violation", "content_filter"]],
  [rejected, ["insufficient_quota"]]
]

const makeNestedJson = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

const unexpectedJson: ReadonlyArray<readonly [string, string]> = [
  ["null", "null"],
  ["a number", "1e999"],
  ["a string", '"yes"'],
  ["an array", "[]"],
  ["an empty object", "{}"],
  ["answers of null", '{"model":"m","usage":{"input_tokens":1,"output_tokens":1},"answers":null}'],
  ["no choice", '{"choices":[]}'],
  ["an empty choice", '{"choices":[{}]}'],
  ["a choice that says nothing", '{"choices":[{"message":{"content":null}}]}'],
  ["50,000 levels", makeNestedJson(50_000)],
  [
    "50,000 levels in an answer",
    `{"model":"m","usage":{"input_tokens":1,"output_tokens":1},"answers":{"urgent":${makeNestedJson(50_000)},"team":1,"severity":1}}`
  ],
  ["50,000 levels in a prototype", `{"__proto__":${makeNestedJson(50_000)}}`]
]

/** The size limit for answers, in bytes. */
export const responseBodyLimit = 200_000

/** Faults of the HTTP exchange that occur without a timeout. Both upstream packages handle them in one place. */
export const httpFaults: ReadonlyArray<Fault> = [
  ...byStatus.flatMap(([outcome, statuses]) =>
    statuses.map((status) =>
      makeFault(
        `an empty ${status}`,
        ({ upstreams }) =>
          reply.raw("", {
            status,
            // Redirects are not followed.
            headers: { location: `${upstreams.second.url}/api/alpha/decisions` }
          }),
        outcome
      )
    )
  ),
  ...byKind.flatMap(([outcome, kinds]) =>
    kinds.map((kind) => makeFault(`a 400 ${kind}`, fault.status(400, { kind }), outcome))
  ),
  makeFault("a 500 with an error kind", fault.status(500, { kind: "content_filter" }), broken),
  makeFault("HTML", fault.notJson()),
  makeFault("nothing", fault.empty()),
  makeFault("invalid gzip", reply.raw("no", { headers: { "content-encoding": "gzip" } })),
  makeFault("invalid UTF-8", reply.raw(Uint8Array.of(0x22, 0xff, 0xfe, 0x22))),
  makeFault(
    "headers of 20 kB",
    reply.raw("{}", { headers: { "x-long": "y".repeat(20_000) } }),
    broken
  ),
  makeFault(
    "an oversized body with a content length",
    reply.raw(" ".repeat(responseBodyLimit + 1))
  ),
  makeFault("an oversized chunked body", {
    ...reply.raw(" ".repeat(responseBodyLimit + 1)),
    framing: "chunked"
  }),
  ...(
    ["accept", "request_headers", "request_body", "response_headers", "response_body"] as const
  ).map((phase) => makeFault(`a connection dropped after ${phase}`, fault.drop(phase), broken)),
  makeFault("a body shorter than declared", fault.truncated("length"), broken),
  makeFault("a body without its last chunk", fault.truncated("chunked"), broken),
  makeFault("a delay", pace.delay(20), accepted),
  makeFault("a delay in the middle", pace.delay(20, "response_body"), accepted)
]

/** Faults in the content of answers, which each method parses separately. */
export const contentFaults: ReadonlyArray<Fault> = [
  makeFault("an error envelope", fault.status(500), broken),
  makeFault("a refusal", fault.refusal(), badRequest),
  makeFault("a content filter", fault.refusal("filter"), badRequest),
  ...[400, 401, 429, 500, 529].map((code) =>
    makeFault(`an error ${code} inside a 200`, fault.errorInBody(code), broken)
  ),
  makeFault("a question left out", fault.flawed("missing_question")),
  makeFault("a question that was not asked", fault.flawed("extra_question"), toNativeOnlyOutcome),
  makeFault("an answer of another type", fault.flawed("wrong_type")),
  makeFault("a probability above 1", fault.flawed("unnormalised")),
  makeFault("a number that is none", fault.flawed("not_a_number")),
  makeFault("an event stream", reply.events([{ data: {} }, { data: "[DONE]" }])),
  ...unexpectedJson.map(([name, text]) =>
    makeFault(
      `JSON that is ${name}`,
      reply.raw(text, { headers: { "content-type": "application/json" } })
    )
  ),
  makeFault(
    "negative tokens",
    reply.decision({}, { usage: { inputTokens: -1, outputTokens: 0 } }),
    toNativeOnlyOutcome
  ),
  makeFault(
    "a fractional token count",
    reply.decision({}, { usage: { inputTokens: 0.5, outputTokens: 0 } }),
    toNativeOnlyOutcome
  ),
  makeFault("a negative cost", reply.decision({}, { cost: -1 }), accepted)
]

/** Faults that only a timeout ends. */
export const timeoutFaults: ReadonlyArray<Fault> = [
  makeFault("silence", fault.silent("request_body"), slow),
  makeFault(
    "a response that never starts",
    ({ upstreams }) => pace.hold(upstreams.first.gate()),
    slow
  ),
  // Early hints without a response after them.
  makeFault("a 103 and nothing more", reply.raw("", { status: 103 }), slow)
]

export const stallFaults: ReadonlyArray<Fault> = [
  makeFault("silence after the headers", fault.silent("response_headers"), stalled),
  makeFault("silence in the middle of the body", fault.silent("response_body"), stalled)
]

/** One fault per outcome. */
export const faultGroups: ReadonlyArray<{
  readonly name: string
  readonly step: Step
  readonly outcome: Outcome
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
}> = [
  { name: "an error", step: fault.status(500), outcome: broken, isTransient: true },
  { name: "a timeout", step: fault.status(524), outcome: slow, isTransient: true },
  { name: "overload", step: fault.status(529), outcome: overloaded, isTransient: true },
  { name: "a rate limit", step: fault.status(429), outcome: limited, isTransient: true },
  { name: "a rejected credential", step: fault.status(401), outcome: rejected, isTransient: false },
  { name: "a missing model", step: fault.status(404), outcome: notFound, isTransient: false },
  { name: "an invalid answer", step: fault.notJson(), outcome: unreadable, isTransient: false },
  {
    name: "an excessive context length",
    step: fault.status(400, { kind: "context_length_exceeded" }),
    outcome: unsupported,
    isTransient: false
  },
  { name: "an invalid request", step: fault.status(400), outcome: badRequest, isTransient: false }
]
