import { reply } from "../src/index.ts"
import { describe, expect, it } from "vitest"
import { decide, decisionsRequest, post, questions, startUpstream } from "./client.ts"

describe("the Decisions API", () => {
  it("answers every question of a request without a script", async () => {
    const upstream = await startUpstream()
    const { headers, status, text } = await decide(upstream)
    expect(status).toBe(200)
    expect(headers["content-type"]).toBe("application/json")
    expect(JSON.parse(text)).toEqual({
      id: "gen-dec-1700000001-00000000000000000001",
      model: "author/judge",
      provider: "Scripted",
      answers: {
        urgent: { type: "noul", noul: 2 / 3 },
        department: {
          type: "choice",
          choice: "billing",
          confidence: 3 / 6,
          probabilities: { billing: 3 / 6, sales: 2 / 6, support: 1 / 6 }
        },
        severity: {
          type: "score",
          score: 4 / 6,
          confidence: 3 / 6,
          probabilities: { 0: 3 / 6, 1: 2 / 6, 2: 1 / 6 },
          legend: { 0: "fine", 1: "bad", 2: "worse" }
        }
      },
      usage: {
        input_tokens: Math.ceil(JSON.stringify(decisionsRequest).length / 4),
        output_tokens: 0
      }
    })
  })

  it.each(["/api/alpha/decisions", "/api/v1/api/alpha/decisions", "/api/v1/systemone?x=1"])(
    "listens at %s",
    async (path) => {
      const upstream = await startUpstream()
      const { status, text } = await post(`${upstream.url}${path}`, decisionsRequest)
      expect(status).toBe(200)
      expect(Object.keys(JSON.parse(text).answers)).toEqual(Object.keys(questions))
    }
  )

  it("repeats the same answer under a new id", async () => {
    const upstream = await startUpstream()
    const { id: one, ...first } = JSON.parse((await decide(upstream)).text)
    const { id: other, ...second } = JSON.parse((await decide(upstream)).text)
    expect(second).toEqual(first)
    expect(other).not.toBe(one)
  })

  it("answers by script, by name, label and position", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision({
        urgent: 0.05,
        department: { sales: 0.9, support: 0.1 },
        severity: [0, 0.5, 0.5]
      })
    )
    const { answers } = JSON.parse((await decide(upstream)).text)
    expect(answers.urgent).toEqual({ type: "noul", noul: 0.05 })
    expect(answers.department).toMatchObject({
      choice: "sales",
      confidence: 0.9,
      probabilities: { billing: 0, sales: 0.9, support: 0.1 }
    })
    expect(answers.severity).toMatchObject({
      score: 1.5,
      probabilities: { 0: 0, 1: 0.5, 2: 0.5 }
    })
  })

  it("accepts distributions in order, and numbers with another sum than 1", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.decision([{ yes: 0.2, no: 0.9 }, [0.1, 0.7, 0.7]]))
    const { answers } = JSON.parse((await decide(upstream)).text)
    expect(answers.urgent).toEqual({ type: "noul", noul: 0.2 })
    expect(answers.department).toMatchObject({
      choice: "sales",
      probabilities: { billing: 0.1, sales: 0.7, support: 0.7 }
    })
    expect(answers.severity.probabilities).toEqual({ 0: 3 / 6, 1: 2 / 6, 2: 1 / 6 })
  })

  it("reports as scripted", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision(
        {},
        {
          id: "gen-dec-1",
          model: "author/judge-2026-11-01",
          provider: "Elsewhere",
          cost: 0.000125,
          usage: { inputTokens: 7, outputTokens: 3 }
        }
      )
    )
    expect(JSON.parse((await decide(upstream)).text)).toMatchObject({
      id: "gen-dec-1",
      model: "author/judge-2026-11-01",
      provider: "Elsewhere",
      usage: { input_tokens: 7, output_tokens: 3, cost: 0.000125 }
    })
  })

  it("treats names and labels such as __proto__ as data", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.decision(JSON.parse('{"__proto__":{"__proto__":0.25,"b":0.75}}')))
    const body =
      '{"model":"m","state":"s","questions":{"__proto__":' +
      '{"type":"choice","instructions":"?","criteria":{"__proto__":null,"b":null}}}}'
    const { text } = await post(`${upstream.url}/api/alpha/decisions`, body)
    expect(text).toContain(
      '"answers":{"__proto__":{"type":"choice","choice":"b","confidence":0.75,' +
        '"probabilities":{"__proto__":0.25,"b":0.75}}}'
    )
  })

  it("answers single-option questions with certainty", async () => {
    const upstream = await startUpstream()
    const { text } = await post(`${upstream.url}/api/alpha/decisions`, {
      ...decisionsRequest,
      questions: {
        one: { type: "choice", instructions: "?", criteria: { only: null } },
        level: { type: "score", instructions: "?", criteria: ["only"] }
      }
    })
    expect(JSON.parse(text).answers).toMatchObject({
      one: { choice: "only", probabilities: { only: 1 } },
      level: { score: 0, probabilities: { 0: 1 } }
    })
  })

  it.each([
    ["no JSON", "{"],
    ["no model", { ...decisionsRequest, model: undefined }],
    ["no state", { ...decisionsRequest, state: undefined }],
    ["no questions", { ...decisionsRequest, questions: {} }],
    ["questions of another shape", { ...decisionsRequest, questions: ["urgent"] }],
    ["an unknown kind of question", { ...decisionsRequest, questions: { q: { type: "essay" } } }],
    ["a choice without criteria", { ...decisionsRequest, questions: { q: { type: "choice" } } }]
  ])("rejects %s with a 400, as a real upstream would", async (_, body) => {
    const upstream = await startUpstream()
    const { status, text } = await post(`${upstream.url}/api/alpha/decisions`, body)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({
      error: { code: 400, message: "model, state and questions are required" }
    })
  })

  it.each([
    ["a question that is not asked", reply.decision({ colour: 1 }), '"colour" is not asked'],
    ["one distribution too many", reply.decision([1, [1, 0, 0], [1, 0, 0], 1]), '"3" is not asked'],
    ["one number for several options", reply.decision({ severity: 1 }), "one number for 3"],
    ["too few numbers", reply.decision({ severity: [1, 0] }), "2 numbers for 3 options"],
    ["an unknown label", reply.decision({ department: { hr: 1 } }), '"hr" is not an option'],
    ["a chat answer", reply.chat("Hello"), "has no chat answer"],
    ["logprobs", reply.logprobs({ 1: 1 }), "has no logprobs answer"]
  ])("reports a script that holds %s", async (_, step, complaint) => {
    const upstream = await startUpstream()
    upstream.script(step)
    const { status, text } = await decide(upstream)
    expect(status).toBe(500)
    expect(JSON.parse(text).error.message).toContain("The script does not fit")
    expect(JSON.parse(text).error.message).toContain(complaint)
  })
})
