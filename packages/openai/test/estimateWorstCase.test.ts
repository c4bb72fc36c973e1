import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type { Question } from "@signalbox/core"
import { startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { scaleRuns } from "../../../vitest.scope.ts"
import { openai } from "../src/index.ts"
import {
  makeCall,
  type ChatRequest,
  toCompletion,
  parseRequest,
  makeScriptedEndpoint,
  probabilityMode
} from "./ScriptedEndpoint.ts"

const imageTokens = 1_000
const runs = scaleRuns(300)

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "</state-1>", '"\\\n\u0000', "<state-1></state-2>", "\ud800")
)
const guidance = fc.oneof(text, fc.dictionary(text, fc.jsonValue()), fc.array(fc.jsonValue()))
const label = fc.oneof(text, fc.constantFrom("__proto__", "1", "toString"))

const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ type: fc.constant("noul" as const), instructions: guidance }),
  fc.record({
    type: fc.constant("noul" as const),
    instructions: guidance,
    criteria: fc.record({ true: guidance, false: guidance })
  }),
  fc.record({
    type: fc.constant("choice" as const),
    instructions: guidance,
    criteria: fc
      .uniqueArray(fc.tuple(label, fc.option(guidance)), {
        minLength: 1,
        maxLength: 30,
        selector: ([label]) => label
      })
      .map((entries) => Object.fromEntries(entries))
  }),
  fc.record({
    type: fc.constant("score" as const),
    instructions: guidance,
    criteria: fc
      .tuple(guidance, fc.array(guidance, { maxLength: 25 }))
      .map(([first, rest]) => [first, ...rest] as const)
  })
)
const questions = fc
  .uniqueArray(fc.tuple(label, question), {
    minLength: 1,
    maxLength: 6,
    selector: ([label]) => label
  })
  .map((entries) => Object.fromEntries(entries))

const image = text.map((url) => ({ type: "image_url", image_url: { url: `data:,${url}` } }))
const state = fc.oneof(
  text,
  fc.dictionary(text, fc.jsonValue()),
  fc.array(fc.oneof(text, image, fc.jsonValue()), { maxLength: 5 })
)

const parameters = fc.subarray([
  "logprobs",
  "top_logprobs",
  "structured_outputs",
  "response_format",
  "reasoning",
  "reasoning_effort",
  "temperature",
  "max_tokens",
  "max_completion_tokens"
])

/** The tokens that a request shows the model at one per byte, and the framing of its messages. */
const countInputTokens = ({ messages, response_format }: ChatRequest): number => {
  const { content } = messages[1]
  const shown =
    typeof content === "string"
      ? Buffer.byteLength(content)
      : content.reduce(
          (sum, part) => sum + (part.type === "text" ? Buffer.byteLength(part.text) : imageTokens),
          0
        )
  const schema =
    response_format?.type === "json_schema"
      ? Buffer.byteLength(JSON.stringify(response_format.json_schema.schema))
      : 0
  return Buffer.byteLength(messages[0].content) + shown + schema + 32
}

const getMaxOutputTokens = (request: ChatRequest): number =>
  request.max_tokens ?? request.max_completion_tokens ?? Number.NaN

describe("estimateWorstCase", () => {
  it.effect("bounds the tokens of every method, including fallbacks", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((request, response) => {
        // Logprobs never suffice, so that every step runs.
        const { logprobs } = parseRequest(request)
        sendJson(response, toCompletion(logprobs === true ? {} : { content: "no JSON" }))
      })
      const { decisions } = openai({ baseUrl: server.url, maxImageTokens: imageTokens })
      const context = yield* Effect.context()
      let checked = 0
      let largestShare = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(questions, state, parameters, async (questions, state, parameters) => {
            const call = makeCall(questions, parameters, state)
            const bound = decisions!.estimateWorstCase(call)
            const before = server.requests.length
            await Effect.runPromiseWith(context)(
              Effect.ignore(decisions!.decide(call)).pipe(
                Effect.provide(NodeHttpClient.layerUndici)
              )
            )
            const sent = server.requests.slice(before).map(parseRequest)
            const input = sent.reduce((sum, request) => sum + countInputTokens(request), 0)
            const output = sent.reduce((sum, request) => sum + getMaxOutputTokens(request), 0)
            assert.isAtMost(input, bound.inputTokens)
            assert.isAtMost(output, bound.outputTokens)
            assert.isAtMost(sent.length, bound.requests ?? 1)
            if (sent.length === 0) {
              assert.deepStrictEqual(bound, { inputTokens: 0, outputTokens: 0, requests: 0 })
              return
            }
            checked++
            largestShare = Math.max(largestShare, input / bound.inputTokens)
          }),
          { numRuns: runs }
        )
      )
      assert.isAbove(checked, runs / 2)
      // A loose bound would block budgets unnecessarily.
      assert.isAbove(largestShare, 0.5)
    })
  )

  const noul: Question = { type: "noul", instructions: "" }
  const levels: Question = {
    type: "score",
    instructions: "",
    criteria: ["", ...Array.from({ length: 4_999 }, () => "")]
  }
  const labels: Question = {
    type: "choice",
    instructions: "",
    criteria: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [String(i), ""]))
  }
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [String(i), noul]))
  it.effect.each(
    ["structured_outputs", "response_format", "none"].flatMap((supported) => [
      { what: "one question", supported, questions: { q: noul } },
      { what: "2,000 questions", supported, questions: many },
      { what: "5,000 levels", supported, questions: { q: levels } },
      { what: "5,000 labels", supported, questions: { q: labels } }
    ])
  )("bounds our own sentences about $what ($supported)", ({ questions, supported }) =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => ({ content: "" }))
      const call = makeCall(questions, [supported], "")
      yield* Effect.ignore(endpoint.decide(call))
      const bound = openai({ apiKey: null }).decisions!.estimateWorstCase(call)
      const [sent] = endpoint.listRequests()
      assert.isAtMost(countInputTokens(sent!), bound.inputTokens)
      assert.isAtMost(getMaxOutputTokens(sent!), bound.outputTokens)
    })
  )

  it.effect("is close to the actual tokens of one small question", () =>
    Effect.gen(function* () {
      for (const supported of [probabilityMode, []]) {
        const endpoint = yield* makeScriptedEndpoint(() => ({ content: "" }))
        const call = makeCall({ q: noul }, supported, "")
        yield* Effect.ignore(endpoint.decide(call))
        const bound = openai({ apiKey: null }).decisions!.estimateWorstCase(call)
        assert.isAtMost(bound.inputTokens - countInputTokens(endpoint.listRequests()[0]!), 600)
      }
    })
  )

  it("counts each image as maxImageTokens, not by its address", () => {
    const url = `data:image/png;base64,${"A".repeat(400_000)}`
    const state = [{ type: "image_url", image_url: { url } }]
    const call = makeCall({ q: { type: "noul", instructions: "?" } }, [], state)
    const at = (maxImageTokens: number) =>
      openai({ apiKey: null, maxImageTokens }).decisions!.estimateWorstCase(call).inputTokens
    assert.strictEqual(at(5_000) - at(1_000), 4_000)
    assert.isBelow(at(0), 3_000)
    assert.isAtLeast(
      openai({ apiKey: null }).decisions!.estimateWorstCase(call).inputTokens,
      50_000
    )
  })
})
