/** Every way in which a provider can fail, and what a caller is to see of it. Source: semantics A7, A8 and H. */
import { fault, pace, reply, type Step } from "@signalbox/testing"
import type { Stage } from "./Stage.ts"
import type { Way } from "./ways.ts"

/** What a failure means for a request. */
interface Outcome {
  /** The status when this provider is the only one. */
  readonly alone: number
  /** Whether the next provider is asked. */
  readonly moves: boolean
  /** The status when every provider fails so. */
  readonly all: number
}

const moving = (alone: number, all: number): Outcome => ({ alone, all, moves: true })
const ending = (status: number): Outcome => ({ alone: status, all: status, moves: false })

const broken = moving(502, 503)
const slow = moving(524, 503)
const overloaded = moving(529, 503)
const limited = moving(429, 429)
const unwilling = moving(502, 502)
const absent = moving(404, 404)
const unreadable = moving(502, 502)
const unfit = moving(400, 400)
const fine = ending(200)
const atFault = ending(400)
/** A body that stalls is given up in time for another provider. */
const stalled = slow

export interface Fault {
  readonly name: string
  readonly step: (stage: Stage) => Step
  readonly outcome: Outcome | ((way: Way) => Outcome)
}

const faultOf = (
  name: string,
  step: Fault["step"] | Step,
  outcome: Fault["outcome"] = unreadable
): Fault => ({ name, step: typeof step === "function" ? step : () => step, outcome })

/** What one flaw of an answer does depends on how much of it is looked at. */
const nativeOnly = ({ name }: Way): Outcome => (name === "native" ? unreadable : fine)

const byStatus: ReadonlyArray<readonly [Outcome, ReadonlyArray<number>]> = [
  [unreadable, [201, 202, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308]],
  [atFault, [400, 413, 422]],
  [unwilling, [401, 402, 403, 451]],
  [absent, [404, 405, 410]],
  [unwilling, [408, 409, 421, 423, 424, 426, 498]],
  [limited, [429]],
  [broken, [101, 500, 501, 502, 505, 507, 520, 522, 530, 598, 600, 999]],
  [slow, [504, 524]],
  [overloaded, [503, 529]]
]

const byKind: ReadonlyArray<readonly [Outcome, ReadonlyArray<string>]> = [
  [unfit, ["context_length_exceeded", "unsupported_parameter", "unsupported_value"]],
  [atFault, ["content_policy_violation", "content_filter"]],
  [unwilling, ["insufficient_quota"]]
]

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

const strangeJson: ReadonlyArray<readonly [string, string]> = [
  ["null", "null"],
  ["a number", "1e999"],
  ["a string", '"yes"'],
  ["an array", "[]"],
  ["an empty object", "{}"],
  ["answers of null", '{"model":"m","usage":{"input_tokens":1,"output_tokens":1},"answers":null}'],
  ["no choice", '{"choices":[]}'],
  ["an empty choice", '{"choices":[{}]}'],
  ["a choice that says nothing", '{"choices":[{"message":{"content":null}}]}'],
  ["50,000 levels", deep(50_000)],
  [
    "50,000 levels in an answer",
    `{"model":"m","usage":{"input_tokens":1,"output_tokens":1},"answers":{"urgent":${deep(50_000)},"team":1,"severity":1}}`
  ],
  ["50,000 levels in a prototype", `{"__proto__":${deep(50_000)}}`]
]

/** The largest answer that is read, in bytes. */
export const answerLimit = 200_000

/** Failures of the exchange, which show at once. Each dialect meets them in one place. */
export const wireFaults: ReadonlyArray<Fault> = [
  ...byStatus.flatMap(([outcome, statuses]) =>
    statuses.map((status) =>
      faultOf(
        `an empty ${status}`,
        ({ upstreams }) =>
          reply.raw("", {
            status,
            // Where a redirect leads, nobody follows.
            headers: { location: `${upstreams.second.url}/api/alpha/decisions` }
          }),
        outcome
      )
    )
  ),
  ...byKind.flatMap(([outcome, kinds]) =>
    kinds.map((kind) => faultOf(`a 400 ${kind}`, fault.status(400, { kind }), outcome))
  ),
  faultOf("a 500 that names a kind", fault.status(500, { kind: "content_filter" }), broken),
  faultOf("HTML", fault.notJson()),
  faultOf("nothing", fault.empty()),
  faultOf("bytes that are no gzip", reply.raw("no", { headers: { "content-encoding": "gzip" } })),
  faultOf("bytes that are no UTF-8", reply.raw(Uint8Array.of(0x22, 0xff, 0xfe, 0x22))),
  faultOf(
    "headers of 20 kB",
    reply.raw("{}", { headers: { "x-long": "y".repeat(20_000) } }),
    broken
  ),
  faultOf("more than is read, declared", reply.raw(" ".repeat(answerLimit + 1))),
  faultOf("more than is read, in pieces", {
    ...reply.raw(" ".repeat(answerLimit + 1)),
    framing: "chunked"
  }),
  ...(
    ["accept", "request_headers", "request_body", "response_headers", "response_body"] as const
  ).map((moment) => faultOf(`a connection dropped after ${moment}`, fault.drop(moment), broken)),
  faultOf("a body shorter than declared", fault.truncated("length"), broken),
  faultOf("a body without its last chunk", fault.truncated("chunked"), broken),
  faultOf("a delay", pace.delay(20), fine),
  faultOf("a delay in the middle", pace.delay(20, "response_body"), fine)
]

/** Failures of what is said. Each way of asking reads it on its own. */
export const contentFaults: ReadonlyArray<Fault> = [
  faultOf("an error envelope", fault.status(500), broken),
  faultOf("a refusal", fault.refusal(), atFault),
  faultOf("a content filter", fault.refusal("filter"), atFault),
  ...[400, 401, 429, 500, 529].map((code) =>
    faultOf(`an error ${code} inside a 200`, fault.errorInside(code), broken)
  ),
  faultOf("a question left out", fault.flawed("missing_question")),
  faultOf("a question nobody asked", fault.flawed("extra_question"), nativeOnly),
  faultOf("an answer of another type", fault.flawed("wrong_type")),
  faultOf("a probability above 1", fault.flawed("unnormalised")),
  faultOf("a number that is none", fault.flawed("not_a_number")),
  faultOf("an event stream", reply.events([{ data: {} }, { data: "[DONE]" }])),
  ...strangeJson.map(([name, text]) =>
    faultOf(
      `JSON that is ${name}`,
      reply.raw(text, { headers: { "content-type": "application/json" } })
    )
  ),
  faultOf(
    "negative tokens",
    reply.decision({}, { usage: { inputTokens: -1, outputTokens: 0 } }),
    nativeOnly
  ),
  faultOf(
    "a part of a token",
    reply.decision({}, { usage: { inputTokens: 0.5, outputTokens: 0 } }),
    nativeOnly
  ),
  faultOf("a negative cost", reply.decision({}, { cost: -1 }), fine)
]

/** Failures that only a deadline ends, and the settings under which it does. */
export const silences: ReadonlyArray<Fault> = [
  faultOf("silence", fault.silent("request_body"), slow),
  faultOf("a gate that stays shut", ({ upstreams }) => pace.hold(upstreams.first.gate()), slow),
  // Early hints, and no answer after them.
  faultOf("a 103 and nothing more", reply.raw("", { status: 103 }), slow)
]

export const stalls: ReadonlyArray<Fault> = [
  faultOf("silence after the headers", fault.silent("response_headers"), stalled),
  faultOf("silence in the middle of the body", fault.silent("response_body"), stalled)
]

/** One failure of each meaning. */
export const kinds: ReadonlyArray<{
  readonly name: string
  readonly step: Step
  readonly outcome: Outcome
  /** Whether it may be gone by the time a caller asks again. */
  readonly passes: boolean
}> = [
  { name: "an error", step: fault.status(500), outcome: broken, passes: true },
  { name: "a timeout", step: fault.status(524), outcome: slow, passes: true },
  { name: "overload", step: fault.status(529), outcome: overloaded, passes: true },
  { name: "a rate limit", step: fault.status(429), outcome: limited, passes: true },
  { name: "a refused credential", step: fault.status(401), outcome: unwilling, passes: false },
  { name: "a missing model", step: fault.status(404), outcome: absent, passes: false },
  { name: "no answer", step: fault.notJson(), outcome: unreadable, passes: false },
  {
    name: "too long a request",
    step: fault.status(400, { kind: "context_length_exceeded" }),
    outcome: unfit,
    passes: false
  },
  { name: "a wrong request", step: fault.status(400), outcome: atFault, passes: false }
]
