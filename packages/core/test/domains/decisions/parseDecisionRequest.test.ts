import { assert, describe, it } from "vitest"
import * as Result from "effect/Result"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { parseDecisionRequest } from "../../../src/domains/decisions/parseDecisionRequest.ts"
import type { ParseOptions } from "../../../src/routing/parseRequest.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const parse = (request: unknown, options: Partial<ParseOptions> = {}) => {
  const text = typeof request === "string" ? request : JSON.stringify(request)
  const bytes = Buffer.byteLength(text)
  return parseDecisionRequest(text, { bytes, settings: Settings.defaults, ...options })
}
const read = (...args: Parameters<typeof parse>) => Result.getOrThrow(parse(...args)).request
const refusal = (...args: Parameters<typeof parse>) =>
  Result.getOrThrow(Result.flip(parse(...args)))

const questions = { q: { type: "noul", instructions: "?" } }
const base = { model: "a/b", state: "s", questions }
const withQuestion = (question: unknown) => ({ ...base, questions: { q: question } })
const preferring = (provider: unknown) => ({ ...base, provider })

const many = (count: number) => Array.from({ length: count }, (_, index) => String(index))

const labels = (count: number) => Object.fromEntries(many(count).map((name) => [name, null]))
const choosing = (count: number) => ({
  type: "choice",
  instructions: "?",
  criteria: labels(count)
})
const scoring = (count: number) => ({ type: "score", instructions: "?", criteria: many(count) })

describe("parseDecisionRequest", () => {
  it("parses a request, and ignores unknown keys", () => {
    const request = {
      ...base,
      state: [{ a: null }, "b", 1.5],
      provider: { only: ["one"], max_price: { prompt: "1.5", completion: 2 }, sort: { by: null } },
      session_id: "s".repeat(256),
      user: "😀".repeat(128),
      trace: { trace_id: "t", customer: { tier: [1] } }
    }
    assert.deepStrictEqual<unknown>(read({ ...request, images: [], stream: true }), request)
    assert.deepStrictEqual<unknown>(read(preferring(null)), preferring(null))
  })

  it("measures state and questions as they are sent", () => {
    const { questions } = base
    const bytesOf = (state: string) =>
      Buffer.byteLength(`{"state":${state},"questions":${JSON.stringify(questions)}}`)
    const read = (state: string, more = "") => {
      const text = `{"model":"a/b","questions":${JSON.stringify(questions)},"state":${state}${more}}`
      return Result.getOrThrow(parse(text)).size.get()
    }
    assert.strictEqual(read('"ä😀"'), bytesOf('"ä😀"'))
    assert.strictEqual(read('"x"', ',"trace":{"long":"yes, very"}'), bytesOf('"x"'))
    // Serialized again, 1e20 has 21 digits.
    assert.strictEqual(read("[1e20]"), bytesOf("[100000000000000000000]"))
  })

  const counted: ReadonlyArray<
    readonly [
      string,
      (count: number) => object,
      ReadonlyArray<string>,
      keyof Settings.SettingsShape
    ]
  > = [
    [
      "questions",
      (count) => ({
        ...base,
        questions: Object.fromEntries(many(count).map((name) => [name, questions.q]))
      }),
      ["questions"],
      "maxQuestions"
    ],
    [
      "labels",
      (count) => withQuestion(choosing(count)),
      ["questions", "q", "criteria"],
      "maxLabels"
    ],
    [
      "levels",
      (count) => withQuestion(scoring(count)),
      ["questions", "q", "criteria"],
      "maxLevels"
    ],
    [
      "labels and levels",
      (count) => ({ ...base, questions: { a: choosing(count - 3), b: scoring(3) } }),
      ["questions"],
      "maxOptions"
    ],
    ["items", (count) => ({ ...base, state: many(count) }), ["state"], "maxStateItems"]
  ]
  it.each(counted)(
    "rejects more %s than a setting allows, and names the setting",
    (_, requestOf, path, setting) => {
      const settings = { ...Settings.defaults, [setting]: 10 }
      assert.isTrue(Result.isSuccess(parse(requestOf(10), { settings })))
      assert.deepInclude(refusal(requestOf(11), { settings }), {
        _tag: "InvalidRequest",
        path,
        problem: `must have at most 10 (${setting}), got 11`
      })
    }
  )

  it("rejects 60,000 labels or 150,000 levels without decoding each of them", () => {
    const path = ["questions", "q", "criteria"]
    assert.deepInclude(refusal(withQuestion(choosing(60_000))), { path })
    const levels = Array.from({ length: 150_000 }, () => "a")
    assert.deepInclude(refusal(withQuestion({ ...scoring(0), criteria: levels })), { path })
    // Invalid labels are not decoded either.
    const strange = {
      ...choosing(0),
      criteria: Object.fromEntries(many(60_000).map((name) => [name, 5]))
    }
    assert.deepInclude(refusal(withQuestion(strange)), {
      problem: "must have at most 1000 (maxLabels), got 60000"
    })
  })

  it("uses the last value of a duplicate key", () => {
    assert.strictEqual(
      read(
        '{"model":"x","state":"s","questions":{"q":{"type":"noul","instructions":"?"}},"model":"y"}'
      ).model,
      "y"
    )
  })

  it("accepts names, labels and trace keys such as __proto__", () => {
    const text =
      '{"model":"a/b","state":{"__proto__":1},"questions":{"__proto__":{"type":"choice",' +
      '"instructions":"?","criteria":{"__proto__":null,"constructor":{"__proto__":[]}}},' +
      '"toString":{"type":"score","instructions":"?","criteria":["x"]}},' +
      '"trace":{"__proto__":{"x":1},"hasOwnProperty":null}}'
    const request = read(text)
    assert.strictEqual(JSON.stringify(request), text)
    assert.deepStrictEqual(Object.keys(request.questions), ["__proto__", "toString"])
    assert.deepStrictEqual(Object.keys(request.trace!), ["__proto__", "hasOwnProperty"])
    assert.isUndefined(Object.getPrototypeOf(request.questions).type)
  })

  const guidance = "expected a string, an object or an array"
  const question = 'expected a question of type "noul", "choice" or "score"'
  const noul = { type: "noul", instructions: "?" }
  const choice = { type: "choice", instructions: "?" }
  const score = { type: "score", instructions: "?" }
  const faults: ReadonlyArray<[unknown, ReadonlyArray<string | number>, string]> = [
    ["", [], "the body is not valid JSON"],
    ["{", [], "the body is not valid JSON"],
    ['{"model":"a/b",}', [], "the body is not valid JSON"],
    ["null", [], "the body must be a JSON object"],
    ["[]", [], "the body must be a JSON object"],
    ['"x"', [], "the body must be a JSON object"],
    ["5", [], "the body must be a JSON object"],
    [{}, ["model"], "missing"],
    [{ ...base, model: null }, ["model"], "expected string"],
    [{ ...base, model: 5 }, ["model"], "expected string"],
    [{ ...base, model: "" }, ["model"], "expected a value with a length of at least 1"],
    [{ model: "a/b", questions }, ["state"], "missing"],
    [{ ...base, state: null }, ["state"], guidance],
    [{ ...base, state: 5 }, ["state"], guidance],
    [{ ...base, state: true }, ["state"], guidance],
    [{ model: "a/b", state: "s" }, ["questions"], "missing"],
    [{ ...base, questions: null }, ["questions"], "expected object"],
    [{ ...base, questions: [noul] }, ["questions"], "expected object"],
    [{ ...base, questions: {} }, ["questions"], "expected a value with at least 1 entry"],
    [{ ...base, questions: { "a.b": null } }, ["questions", "a.b"], question],
    [withQuestion([]), ["questions", "q"], question],
    [withQuestion({}), ["questions", "q"], question],
    [withQuestion({ type: "rank", instructions: "?" }), ["questions", "q"], question],
    [withQuestion({ type: "noul" }), ["questions", "q", "instructions"], "missing"],
    [withQuestion({ ...noul, instructions: null }), ["questions", "q", "instructions"], guidance],
    [withQuestion({ ...noul, criteria: null }), ["questions", "q", "criteria"], "expected object"],
    [
      withQuestion({ ...noul, criteria: { true: "" } }),
      ["questions", "q", "criteria", "false"],
      "missing"
    ],
    [
      withQuestion({ ...noul, criteria: { true: "", false: 0 } }),
      ["questions", "q", "criteria", "false"],
      guidance
    ],
    [withQuestion(choice), ["questions", "q", "criteria"], "missing"],
    [
      withQuestion({ ...choice, criteria: ["a"] }),
      ["questions", "q", "criteria"],
      'expected an object with a key for each label, such as {"yes": null, "no": null}'
    ],
    [
      withQuestion({ ...choice, criteria: {} }),
      ["questions", "q", "criteria"],
      "expected a value with at least 1 entry"
    ],
    [
      withQuestion({ ...choice, criteria: { a: 5 } }),
      ["questions", "q", "criteria", "a"],
      guidance
    ],
    [withQuestion(score), ["questions", "q", "criteria"], "missing"],
    [
      withQuestion({ ...score, criteria: {} }),
      ["questions", "q", "criteria"],
      'expected a list of levels, the lowest first, such as ["low", "high"]'
    ],
    [withQuestion({ ...score, criteria: [] }), ["questions", "q", "criteria", 0], "missing"],
    [
      withQuestion({ ...score, criteria: ["a", null] }),
      ["questions", "q", "criteria", 1],
      guidance
    ],
    [preferring("one"), ["provider"], "expected object | null"],
    [preferring([]), ["provider"], "expected object | null"],
    [preferring({ Only: [] }), ["provider", "Only"], "unknown routing preference"],
    [
      preferring({ max_price: { promt: "1" } }),
      ["provider", "max_price", "promt"],
      "unknown routing preference"
    ],
    [
      preferring({ sort: { bye: "price" } }),
      ["provider", "sort", "bye"],
      "unknown routing preference"
    ],
    [
      preferring({ preferred_max_latency: { p95: 1 } }),
      ["provider", "preferred_max_latency", "p95"],
      "unknown routing preference"
    ],
    [preferring({ only: "one" }), ["provider", "only"], "expected array | null"],
    [preferring({ ignore: [5] }), ["provider", "ignore", 0], "expected string"],
    [preferring({ order: ["a", null] }), ["provider", "order", 1], "expected string"],
    [preferring({ zdr: "yes" }), ["provider", "zdr"], "expected boolean | null"],
    [
      preferring({ data_collection: "no" }),
      ["provider", "data_collection"],
      'expected "allow" | "deny"'
    ],
    [
      preferring({ max_price: { prompt: "cheap" } }),
      ["provider", "max_price", "prompt"],
      "expected a decimal number"
    ],
    [
      preferring({ max_price: { image: -1 } }),
      ["provider", "max_price", "image"],
      "expected a value greater than or equal to 0"
    ],
    [
      preferring({ sort: "fast" }),
      ["provider", "sort"],
      'expected "price" | "throughput" | "latency" | "exacto"'
    ],
    [
      preferring({ sort: { partition: "all" } }),
      ["provider", "sort", "partition"],
      'expected "model" | "none"'
    ],
    [
      preferring({ preferred_max_latency: { p50: "1" } }),
      ["provider", "preferred_max_latency", "p50"],
      "expected number | null"
    ],
    [{ ...base, session_id: 5 }, ["session_id"], "expected string"],
    [
      { ...base, session_id: "s".repeat(257) },
      ["session_id"],
      "expected a value with a length of at most 256"
    ],
    [{ ...base, user: null }, ["user"], "expected string"],
    [{ ...base, user: "u".repeat(257) }, ["user"], "expected a value with a length of at most 256"],
    [{ ...base, trace: [] }, ["trace"], "expected object"],
    [{ ...base, trace: { trace_id: 5 } }, ["trace", "trace_id"], "expected string"],
    [
      '{"model":"a/b","state":"s","questions":{"__proto__":5}}',
      ["questions", "__proto__"],
      question
    ],
    [
      '{"model":"a/b","state":"s","questions":{},"provider":{"__proto__":{}}}',
      ["provider", "__proto__"],
      "unknown routing preference"
    ]
  ]
  it.each(faults)("names the path at fault in %j", (request, path, problem) => {
    const error = refusal(request)
    assert(error._tag === "InvalidRequest")
    assert.deepStrictEqual({ path: error.path, problem: error.problem }, { path, problem })
  })

  it("does not repeat values of the caller", () => {
    for (const request of [
      { ...base, model: { secret: 1 } },
      preferring({ sort: "secret" }),
      withQuestion({ type: "secret" })
    ]) {
      assert.notInclude(JSON.stringify(refusal(request)), "secret")
    }
  })
})

/** The session for one in the body and one in the header. */
const session = (body: string | undefined, header: string | undefined) =>
  read(body === undefined ? base : { ...base, session_id: body }, { session: header }).session_id

describe("the session", () => {
  it("is that of the body, else that of the header", () => {
    assert.strictEqual(session("body", "header"), "body")
    assert.strictEqual(session(undefined, "header"), "header")
    assert.strictEqual(session("body", undefined), "body")
    assert.isUndefined(session(undefined, undefined))
    assert.strictEqual(session("body", "h".repeat(257)), "body")
    assert.strictEqual(session("", "header"), "")
  })

  it("has at most 256 characters, also in the header", () => {
    assert.strictEqual(session(undefined, "h".repeat(256)), "h".repeat(256))
    const error = refusal(base, { session: "h".repeat(257) })
    assert.deepInclude(error, {
      _tag: "InvalidRequest",
      path: ["session_id"],
      problem: "expected a value with a length of at most 256"
    })
  })
})

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
/** A request with a state of this depth. */
const deepRequest = (levels: number) =>
  `{"model":"a/b","state":${nested(levels)},"questions":{"q":{"type":"noul","instructions":"?"}}}`

describe("the depth", () => {
  it("is limited by a setting; the body counts as one level", () => {
    assert.isTrue(Result.isSuccess(parse(deepRequest(999))))
    assert.deepInclude(refusal(deepRequest(1_000)), {
      _tag: "InvalidRequest",
      path: [],
      problem: "the body nests deeper than 1000 levels"
    })
    const settings = Settings.make({ maxJsonDepth: 4 })
    assert.isTrue(Result.isSuccess(parse(deepRequest(3), { settings })))
    assert.deepInclude(refusal(deepRequest(4), { settings }), {
      problem: "the body nests deeper than 4 levels"
    })
  })

  it("does not overflow the stack, however deep a megabyte is nested", () => {
    assert.deepInclude(refusal(deepRequest(500_000)), { _tag: "InvalidRequest", path: [] })
  })
})

describe("the size", () => {
  const settings = Settings.make({ maxBodyBytes: 1_000, maxImageBodyBytes: 2_000 })
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }
  const sized = (state: unknown, bytes: number) => parse({ ...base, state }, { bytes, settings })
  const cases: ReadonlyArray<[string, unknown, number]> = [
    ["text", "s", 1_000],
    ["an object", { image }, 1_000],
    ["one image", image, 1_000],
    ["a list without images", ["s", { type: "text" }, null, [image]], 1_000],
    ["a list with an image", ["s", image], 2_000]
  ]
  it.each(cases)("of a body whose state is %s is limited", (_, state, limitBytes) => {
    assert.isTrue(Result.isSuccess(sized(state, limitBytes)))
    const error = Result.getOrThrow(Result.flip(sized(state, limitBytes + 1)))
    assert.deepInclude(error, { _tag: "RequestTooLarge", limitBytes })
  })
})

const imageAt = (url: string) => ({ type: "image_url", image_url: { url } })

describe("the images of a state", () => {
  it("are rejected in private networks, with their path", () => {
    assert.deepInclude(refusal({ ...base, state: ["s", imageAt("http://169.254.169.254/")] }), {
      _tag: "InvalidRequest",
      path: ["state", 1, "image_url", "url"]
    })
    assert.deepInclude(refusal({ ...base, state: [imageAt("file:///etc/passwd")] }), {
      path: ["state", 0, "image_url", "url"]
    })
    const settings = Settings.make({ allowPrivateNetworks: true })
    const state = [imageAt("http://127.0.0.1/a.png")]
    assert.isTrue(Result.isSuccess(parse({ ...base, state }, { settings })))
  })

  it("are not searched for in content that a model reads as text", () => {
    const log = { role: "user", content: [imageAt("http://localhost/a.png")] }
    assert.isTrue(Result.isSuccess(parse({ ...base, state: { log } })))
    assert.isTrue(Result.isSuccess(parse({ ...base, state: [log] })))
  })
})

describe("any body", () => {
  it("is either parsed or rejected", () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const almost = fc
      .tuple(
        fc.constantFrom("model", "state", "questions", "provider", "session_id", "trace", "user"),
        json
      )
      .map(([key, value]) => JSON.stringify({ ...base, [key]: value }))
    const broken = fc
      .tuple(almost, fc.nat(200))
      .map(([text, at]) => text.slice(0, at) + text.slice(at + 1))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          json.map((value) => JSON.stringify(value)),
          almost,
          broken
        ),
        fc.option(fc.string(), { nil: undefined }),
        (text, session) => {
          const result = parse(text, { session })
          const again = Result.isSuccess(result) ? parse(result.success.request) : undefined
          // Parsing a parsed request gives the same request.
          if (again !== undefined) {
            assert.deepStrictEqual(Result.getOrThrow(again).request, read(text, { session }))
          }
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("has valid questions with any names", () => {
    const name = fc.oneof(
      fc.constantFrom("__proto__", "constructor", "toString", "", "0", "a.b", "😀"),
      fc.string({ unit: "grapheme" })
    )
    const guidance = fc.oneof(
      fc.string(),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
    )
    const question = fc.oneof(
      fc.record({ type: fc.constant("noul"), instructions: guidance }),
      fc.record({
        type: fc.constant("choice"),
        instructions: guidance,
        criteria: fc
          .uniqueArray(name, { minLength: 1, maxLength: 20 })
          .map((labels) => Object.fromEntries(labels.map((label) => [label, null])))
      }),
      fc.record({
        type: fc.constant("score"),
        instructions: guidance,
        criteria: fc.array(guidance, { minLength: 1, maxLength: 5 })
      })
    )
    const many = fc
      .uniqueArray(fc.tuple(name, question), {
        minLength: 1,
        maxLength: 5,
        selector: ([name]) => name
      })
      .map((entries) => Object.fromEntries(entries))
    fc.assert(
      fc.property(many, (questions) => {
        const text = JSON.stringify({ ...base, questions })
        assert.strictEqual(JSON.stringify(read(text).questions), JSON.stringify(questions))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
