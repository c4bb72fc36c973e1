/** Requests that are invalid in one respect each, and the expected rejections. */
import { makeDecisionRequest } from "../support/TestServer.ts"

export interface MalformedRequest {
  readonly name: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly status: 400 | 413
  /** The path that the error names, or its prefix. Empty: the request as a whole. */
  readonly path: ReadonlyArray<string | number>
}

/** A value of each JSON type; `undefined` omits the key. */
const values = {
  absent: undefined,
  null: null,
  boolean: true,
  number: 1,
  negative: -1.5,
  "empty string": "",
  string: "text",
  "empty array": [],
  array: [1],
  "empty object": {},
  object: { x: 1 }
} as const

type Kind = keyof typeof values

const kinds = Object.keys(values) as ReadonlyArray<Kind>

const text: ReadonlyArray<Kind> = ["empty string", "string"]
const anyObject: ReadonlyArray<Kind> = ["empty object", "object"]
const guidance: ReadonlyArray<Kind> = [...text, ...anyObject, "empty array", "array"]
const optionalText: ReadonlyArray<Kind> = ["absent", ...text]
const optional: ReadonlyArray<Kind> = ["absent", "null"]
const flag: ReadonlyArray<Kind> = [...optional, "boolean"]
const list: ReadonlyArray<Kind> = [...optional, "empty array"]
const percentileCutoff: ReadonlyArray<Kind> = [...optional, "number", "negative"]

type Path = ReadonlyArray<string | number>

/** Every path of a request, and the types it accepts. */
const jsonPaths: ReadonlyArray<readonly [Path, ReadonlyArray<Kind>]> = [
  [["model"], ["string"]],
  [["state"], guidance],
  [["questions"], []],
  [["questions", "urgent"], ["absent"]],
  ...["urgent", "team", "severity"].flatMap((name) => [
    [["questions", name, "type"], []] as const,
    [["questions", name, "instructions"], guidance] as const
  ]),
  [["questions", "urgent", "criteria"], ["absent"]],
  [["questions", "urgent", "criteria", "true"], guidance],
  [["questions", "urgent", "criteria", "false"], guidance],
  [["questions", "team", "criteria"], []],
  [
    ["questions", "team", "criteria", "tech"],
    ["absent", "null", ...guidance]
  ],
  [["questions", "severity", "criteria"], []],
  [["questions", "severity", "criteria", 1], guidance],
  [["session_id"], optionalText],
  [["user"], optionalText],
  [["trace"], ["absent", ...anyObject]],
  ...["trace_id", "trace_name", "span_name", "generation_name", "parent_span_id"].map(
    (key) => [["trace", key], optionalText] as const
  ),
  [["provider"], [...optional, "empty object"]],
  ...["allow_fallbacks", "enforce_distillable_text", "require_parameters", "zdr"].map(
    (key) => [["provider", key], flag] as const
  ),
  [["provider", "data_collection"], optional],
  ...["ignore", "only", "order"].flatMap((key) => [
    [["provider", key], list] as const,
    [["provider", key, 0], text] as const
  ]),
  [["provider", "quantizations"], list],
  [["provider", "quantizations", 0], []],
  [
    ["provider", "max_price"],
    ["absent", ...anyObject]
  ],
  ...["prompt", "completion", "image", "audio", "request"].map(
    (key) =>
      [
        ["provider", "max_price", key],
        ["absent", "number"]
      ] as const
  ),
  [
    ["provider", "sort"],
    [...optional, ...anyObject]
  ],
  [["provider", "sort", "by"], optional],
  [["provider", "sort", "partition"], optional],
  ...["preferred_max_latency", "preferred_min_throughput"].flatMap((key) => [
    [
      ["provider", key],
      [...percentileCutoff, ...anyObject]
    ] as const,
    ...["p50", "p75", "p90", "p99"].map((p) => [["provider", key, p], percentileCutoff] as const)
  ])
]

/** A valid request with a value at every path. */
const fullRequest = () =>
  makeDecisionRequest({
    questions: {
      urgent: { type: "noul", instructions: "?", criteria: { true: "yes", false: "no" } },
      team: { type: "choice", instructions: "?", criteria: { billing: null, tech: "it" } },
      severity: { type: "score", instructions: "?", criteria: ["fine", "bad"] }
    },
    session_id: "s",
    user: "u",
    trace: { trace_id: "t" },
    provider: {
      ignore: ["x"],
      only: ["first"],
      order: ["first"],
      quantizations: ["unknown"],
      max_price: {},
      sort: {},
      preferred_max_latency: {},
      preferred_min_throughput: {}
    }
  })

/** Returns `json` with `value` at `path`, or without the key when `value` is undefined. */
const withValue = (json: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value
  if (Array.isArray(json)) {
    return json.map((item: unknown, i) => (i === key ? withValue(item, rest, value) : item))
  }
  const others = Object.entries(Object(json)).filter(([name]) => name !== key)
  const before: unknown = Object(json)[key]
  return Object.fromEntries([...others, [key, withValue(before, rest, value)]])
}

const wrongTypes: ReadonlyArray<MalformedRequest> = jsonPaths.flatMap(([path, allowed]) =>
  kinds
    .filter((kind) => !allowed.includes(kind))
    .map((kind) => ({
      name: `${path.join(".")}: ${kind}`,
      body: JSON.stringify(withValue(fullRequest(), path, values[kind])),
      status: 400,
      // Without a known type, the error can only name the question as a whole.
      path: path.at(-1) === "type" ? path.slice(0, -1) : path
    }))
)

const unknownPreferences: ReadonlyArray<MalformedRequest> = [
  "",
  " ",
  "Order",
  "order ",
  "max-price",
  "maxPrice",
  "prices",
  "allow_fallback",
  "sorts",
  "fallbacks",
  "options",
  "zero_data_retention",
  "__proto__",
  "constructor",
  "toString",
  "0",
  "\u043e\u0440\u0434\u0435\u0440",
  "\ud800"
].map((key) => ({
  name: `provider with the key ${JSON.stringify(key)}`,
  body: JSON.stringify(
    makeDecisionRequest({
      provider: Object.fromEntries([
        ["zdr", false],
        [key, null]
      ])
    })
  ),
  status: 400,
  path: ["provider", key]
}))

const validBody = JSON.stringify(makeDecisionRequest())

const unreadableBodies: ReadonlyArray<MalformedRequest> = [
  ...Array.from({ length: 40 }, (_, i) =>
    validBody.slice(0, Math.floor((i * validBody.length) / 40))
  ),
  " ",
  "undefined",
  "NaN",
  "{}{}",
  "{'model':1}",
  '{"model":"a",}',
  '{"model":"a" "state":"b"}',
  "{model:1}",
  '{"state":"\n"}',
  '{"state":"\\x"}',
  '{"state":"\\u12"}',
  '{"state":01}',
  "// none\n{}",
  "\u0000",
  `${validBody}\u0000`,
  `${validBody},`,
  `\u2028${validBody}`,
  "[",
  "[".repeat(500_000)
].map((body, i) => ({
  name: `text that is no JSON (${i}): ${body.slice(-20)}`,
  body,
  status: 400,
  path: []
}))

const nonObjectBodies: ReadonlyArray<MalformedRequest> = [
  "null",
  "true",
  "0",
  '"x"',
  "[]",
  `[${validBody}]`
].map((body) => ({
  name: `JSON that is no object: ${body.slice(0, 20)}`,
  body,
  status: 400,
  path: []
}))

const withBytesInState = (bytes: ReadonlyArray<number>): Uint8Array => {
  const [before = "", after = ""] = JSON.stringify(makeDecisionRequest({ state: "|" })).split("|")
  return Buffer.concat([Buffer.from(before), Uint8Array.from(bytes), Buffer.from(after)])
}

const invalidUtf8: ReadonlyArray<MalformedRequest> = Object.entries({
  "an invalid start byte": [0xff],
  "an unexpected continuation byte": [0x80],
  "a truncated character": [0xe2, 0x82],
  "an overlong encoding": [0xc0, 0xaf],
  "a surrogate": [0xed, 0xa0, 0x80],
  "beyond Unicode": [0xf4, 0x90, 0x80, 0x80]
}).map(([name, bytes]) => ({
  name: `bytes that are no UTF-8: ${name}`,
  body: withBytesInState(bytes),
  status: 400,
  path: []
}))

const unsupportedEncodings: ReadonlyArray<MalformedRequest> = [
  { name: "UTF-16", body: Buffer.from(`\ufeff${validBody}`, "utf16le"), status: 400, path: [] },
  {
    name: "Latin-1",
    body: Buffer.from(validBody.replace("!", "\u00e9"), "latin1"),
    status: 400,
    path: []
  }
]

const wrongContentTypes: ReadonlyArray<MalformedRequest> = [
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/jsonp",
  "application/json-seq",
  "application/jsonl",
  "application/*",
  "json",
  "x"
].map((type) => ({
  name: `the content type ${type}`,
  body: validBody,
  headers: { "content-type": type },
  status: 400,
  path: []
}))

/** A placeholder for the nested levels, as older versions of Node cannot serialize that many. */
const nestedJson = "deep"

const tooDeepRequests: ReadonlyArray<MalformedRequest> = [
  { place: "state", changes: { state: nestedJson }, levels: 1_000 },
  { place: "state (100,000)", changes: { state: nestedJson }, levels: 100_000 },
  {
    place: "instructions",
    changes: { questions: { q: { type: "noul", instructions: nestedJson } } },
    levels: 998
  },
  {
    place: "criteria",
    changes: { questions: { q: { type: "score", instructions: "", criteria: nestedJson } } },
    levels: 998
  },
  { place: "a trace", changes: { trace: { x: nestedJson } }, levels: 999 },
  { place: "an unknown key", changes: { x: nestedJson }, levels: 1_000 }
].map(({ changes, levels, place }) => ({
  name: `more than 1,000 levels in ${place}`,
  body: JSON.stringify(makeDecisionRequest(changes)).replace(
    JSON.stringify(nestedJson),
    "[".repeat(levels) + "]".repeat(levels)
  ),
  status: 400,
  path: []
}))

const tooLongRequests: ReadonlyArray<MalformedRequest> = [
  {
    name: "a session of 257 characters",
    body: JSON.stringify(makeDecisionRequest({ session_id: "s".repeat(257) })),
    status: 400,
    path: ["session_id"]
  },
  {
    name: "a session of 257 characters in the header",
    body: validBody,
    headers: { "x-session-id": "s".repeat(257) },
    status: 400,
    path: ["session_id"]
  },
  {
    name: "a session of 12,000 characters in the header",
    body: validBody,
    headers: { "x-session-id": "s".repeat(12_000) },
    status: 400,
    path: ["session_id"]
  },
  {
    name: "a user of 257 characters",
    body: JSON.stringify(makeDecisionRequest({ user: "\u00e9".repeat(257) })),
    status: 400,
    path: ["user"]
  }
]

const duplicatedKeys: ReadonlyArray<MalformedRequest> = Object.entries({
  model: 1,
  state: null,
  questions: {},
  provider: "first"
}).map(([key, value]) => ({
  name: `a second ${key}, which is wrong`,
  body: `${validBody.slice(0, -1)},"${key}":${JSON.stringify(value)}}`,
  status: 400,
  path: [key]
}))

const invalidPrices: ReadonlyArray<MalformedRequest> = [
  "1,5",
  " 1",
  "0x1",
  "1e",
  "-1",
  "Infinity",
  "\u0661"
].map((price) => ({
  name: `a price of ${JSON.stringify(price)}`,
  body: JSON.stringify(makeDecisionRequest({ provider: { max_price: { prompt: price } } })),
  status: 400,
  path: ["provider", "max_price", "prompt"]
}))

export const malformedRequests: ReadonlyArray<MalformedRequest> = [
  ...wrongTypes,
  ...unknownPreferences,
  ...unreadableBodies,
  ...nonObjectBodies,
  ...invalidUtf8,
  ...unsupportedEncodings,
  ...wrongContentTypes,
  ...tooDeepRequests,
  ...tooLongRequests,
  ...duplicatedKeys,
  ...invalidPrices
]
