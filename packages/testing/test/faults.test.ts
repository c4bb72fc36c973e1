import { fault, type Flaw, reply } from "../src/index.ts"
import { describe, expect, it } from "vitest"
import { chat, decide, schema, startUpstream } from "./client.ts"

const parseContent = (text: string) => JSON.parse(JSON.parse(text).choices[0].message.content)

describe("statuses", () => {
  it.each([
    [400, "Bad Request", null],
    [401, "Unauthorized", "invalid_api_key"],
    [402, "Payment Required", null],
    [403, "Forbidden", null],
    [404, "Not Found", "model_not_found"],
    [413, "Payload Too Large", null],
    [422, "Unprocessable Entity", null],
    [429, "Too Many Requests", "rate_limit_exceeded"],
    [500, "Internal Server Error", null],
    [502, "Bad Gateway", null],
    [503, "Service Unavailable", null],
    [504, "Gateway Timeout", null],
    [524, "A Timeout Occurred", null],
    [529, "Overloaded", null]
  ])("answers %i in the envelope of either dialect", async (status, message, code) => {
    const upstream = await startUpstream()
    upstream.always(fault.status(status))
    const decided = await decide(upstream)
    expect(decided.status).toBe(status)
    expect(decided.headers["content-type"]).toBe("application/json")
    expect(decided.headers["retry-after"]).toBeUndefined()
    expect(JSON.parse(decided.text)).toEqual({ error: { code: status, message } })
    const chatted = await chat(upstream)
    expect(chatted.status).toBe(status)
    expect(JSON.parse(chatted.text)).toEqual({
      error: {
        message,
        type: status < 500 ? "invalid_request_error" : "server_error",
        param: null,
        code
      }
    })
  })

  it("sends Retry-After in seconds, as a date, or in another header", async () => {
    const upstream = await startUpstream()
    const date = new Date(Date.UTC(2030, 0, 2, 3, 4, 5))
    upstream.script(
      fault.status(503, { retryAfter: 2 }),
      fault.status(429, { retryAfter: date }),
      fault.status(429, { headers: { "retry-after-ms": "250", "x-ratelimit-remaining": "0" } })
    )
    expect((await decide(upstream)).headers["retry-after"]).toBe("2")
    expect((await decide(upstream)).headers["retry-after"]).toBe("Wed, 02 Jan 2030 03:04:05 GMT")
    expect((await decide(upstream)).headers).toMatchObject({
      "retry-after-ms": "250",
      "x-ratelimit-remaining": "0"
    })
  })

  it("names the kind of error where each API does", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.status(400, { kind: "context_length_exceeded", message: "Too long" }))
    expect(JSON.parse((await decide(upstream)).text)).toEqual({
      error: { code: 400, message: "Too long", metadata: { error_type: "context_length_exceeded" } }
    })
    expect(JSON.parse((await chat(upstream)).text).error).toMatchObject({
      message: "Too long",
      code: "context_length_exceeded"
    })
  })

  it("puts an error into a 200", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.errorInBody(), fault.errorInBody(429, "Slow down"))
    const { status, text } = await decide(upstream)
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { error: { code: 502, message: "Bad Gateway" } }
    ])
    const chatted = await chat(upstream)
    expect(chatted.status).toBe(200)
    expect(JSON.parse(chatted.text).error).toMatchObject({
      message: "Slow down",
      code: "rate_limit_exceeded"
    })
  })
})

describe("refusals", () => {
  it("refuses in both APIs", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.refusal())
    const decided = await decide(upstream)
    expect([decided.status, JSON.parse(decided.text)]).toEqual([
      400,
      {
        error: {
          code: 400,
          message: "The request was refused by the content policy",
          metadata: { error_type: "content_policy_violation" }
        }
      }
    ])
    const chatted = await chat(upstream)
    expect(chatted.status).toBe(200)
    expect(JSON.parse(chatted.text).choices[0]).toMatchObject({
      message: { content: null, refusal: "I can't help with that." },
      finish_reason: "stop"
    })
  })

  it("stops a chat by the provider's filter", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.refusal("filter"))
    expect(JSON.parse((await chat(upstream)).text).choices[0]).toMatchObject({
      message: { content: "", refusal: null },
      finish_reason: "content_filter"
    })
    expect((await decide(upstream)).status).toBe(400)
  })
})

describe("flaws", () => {
  const noul = { type: "noul", noul: 2 / 3 }
  const choice = {
    type: "choice",
    choice: "billing",
    confidence: 1 / 2,
    probabilities: { billing: 1 / 2, sales: 1 / 3, support: 1 / 6 }
  }
  const score = expect.objectContaining({ type: "score" })

  it.each<[Flaw, string | undefined, unknown]>([
    ["missing_question", undefined, { department: choice, severity: score }],
    ["missing_question", "severity", { urgent: noul, department: choice }],
    [
      "extra_question",
      undefined,
      { urgent: noul, department: choice, severity: score, never_asked: noul }
    ],
    [
      "wrong_type",
      "urgent",
      { urgent: { type: "score", score: 1 }, department: choice, severity: score }
    ],
    [
      "wrong_type",
      "department",
      { urgent: noul, department: { type: "noul", noul: 0.5 }, severity: score }
    ],
    [
      "unnormalised",
      "urgent",
      { urgent: { type: "noul", noul: 2000 / 3 }, department: choice, severity: score }
    ],
    [
      "unnormalised",
      "department",
      {
        urgent: noul,
        department: { ...choice, probabilities: { billing: 1, sales: 2 / 3, support: 1 / 3 } },
        severity: score
      }
    ],
    [
      "not_a_number",
      "urgent",
      { urgent: { type: "noul", noul: "NaN" }, department: choice, severity: score }
    ],
    [
      "not_a_number",
      "department",
      {
        urgent: noul,
        department: {
          ...choice,
          probabilities: { billing: "NaN", sales: "NaN", support: "NaN" }
        },
        severity: score
      }
    ]
  ])("gives a Decision the flaw %s in %s", async (flaw, question, answers) => {
    const upstream = await startUpstream()
    upstream.script(fault.flawed(flaw, question))
    const { status, text } = await decide(upstream)
    expect(status).toBe(200)
    expect(JSON.parse(text).answers).toEqual(answers)
  })

  it("leaves nothing if the only answer is missing", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.flawed("missing_question"), fault.flawed("missing_question", "colour"))
    const asked = schema({ q0: { type: "number" } })
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({})
    const { status, text } = await chat(upstream, asked)
    expect(status).toBe(500)
    expect(text).toContain("is not asked; asked are: q0")
  })

  const asked = schema({
    q0: { type: "number" },
    q1: { type: "object", properties: { o0: { type: "number" }, o1: { type: "number" } } },
    q2: { type: "array", items: { type: "number" }, minItems: 2 },
    q3: { enum: ["a", "b"] }
  })
  const good = { q0: 2 / 3, q1: { o0: 2 / 3, o1: 1 / 3 }, q2: [2 / 3, 1 / 3], q3: "a" }

  it.each<[Flaw, string, unknown]>([
    ["missing_question", "q1", { q0: good.q0, q2: good.q2, q3: "a" }],
    ["extra_question", "q1", { ...good, never_asked: good.q1 }],
    ["wrong_type", "q0", { ...good, q0: {} }],
    ["wrong_type", "q1", { ...good, q1: "certainly" }],
    ["wrong_type", "q2", { ...good, q2: {} }],
    ["unnormalised", "q0", { ...good, q0: 2000 / 3 }],
    ["unnormalised", "q1", { ...good, q1: { o0: 4 / 3, o1: 2 / 3 } }],
    ["unnormalised", "q2", { ...good, q2: [4 / 3, 2 / 3] }],
    ["not_a_number", "q0", { ...good, q0: "NaN" }],
    ["not_a_number", "q1", { ...good, q1: { o0: "NaN", o1: "NaN" } }],
    ["not_a_number", "q3", { ...good, q3: "NaN" }]
  ])("gives structured output the flaw %s in %s", async (flaw, question, content) => {
    const upstream = await startUpstream()
    upstream.script(fault.flawed(flaw, question))
    expect(parseContent((await chat(upstream, asked)).text)).toEqual(content)
  })

  it("sends a token that is not an option for an answer of one token", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.flawed("missing_question"))
    const { text } = await chat(upstream, {
      messages: [{ role: "user", content: "Options:\n1: a\n2: b" }],
      logprobs: true,
      top_logprobs: 5
    })
    const [choice] = JSON.parse(text).choices
    expect(choice.message.content).toBe("Well")
    expect(
      choice.logprobs.content[0].top_logprobs.map(({ token }: { token: string }) => token)
    ).toEqual(["Well", "Perhaps"])
  })
})

describe("bodies of any shape", () => {
  it("sends other text, and nothing, as JSON", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.notJson(), fault.empty())
    const notJson = await decide(upstream)
    expect(notJson.status).toBe(200)
    expect(notJson.headers["content-type"]).toBe("application/json")
    expect(() => JSON.parse(notJson.text)).toThrow(SyntaxError)
    const empty = await decide(upstream)
    expect([empty.status, empty.text, empty.headers["content-length"]]).toEqual([200, "", "0"])
  })

  it("sends any JSON, any bytes, any status, any header", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.json({ answers: [] }),
      reply.json("only a string", 201),
      reply.raw("<h1>524</h1>", { status: 524, headers: { "content-type": "text/html" } }),
      reply.raw(Uint8Array.of(0xff, 0xfe))
    )
    expect((await decide(upstream)).text).toBe('{"answers":[]}')
    expect(await chat(upstream)).toMatchObject({ status: 201, text: '"only a string"' })
    expect(await decide(upstream)).toMatchObject({
      status: 524,
      text: "<h1>524</h1>",
      headers: { "content-type": "text/html" }
    })
    const bytes = await decide(upstream)
    expect(bytes.headers["content-length"]).toBe("2")
    expect(bytes.headers["content-type"]).toBeUndefined()
  })
})
