import { describe, expect, it } from "vitest"
import {
  checkGeminiEvents,
  checkMessagesEvents,
  checkResponsesEvents,
  fault,
  reply,
  type ScriptedUpstream,
  type Step
} from "../src/index.ts"
import { type HttpResponse, post, startUpstream } from "./client.ts"
import { halt, makeFullAnswer } from "./fullAnswer.ts"
import { parseNamedEvents } from "./parseNamedEvents.ts"

interface DialectCase {
  readonly name: string
  readonly send: (
    upstream: ScriptedUpstream,
    parameters: object,
    isStreamed: boolean
  ) => Promise<HttpResponse>
  /** What is wrong with the order of the events of a body. */
  readonly check: (body: string) => ReadonlyArray<string>
  /** Steps besides the steps of every dialect, and the parameters that show all of them. */
  readonly steps: ReadonlyArray<Step>
  readonly parameters: object
  /** The parameters that ask for a structure of this schema. */
  readonly formats: ReadonlyArray<(schema: object) => object>
  /** The text of a whole answer. */
  readonly findText: (body: string) => string
}

const cases: ReadonlyArray<DialectCase> = [
  {
    name: "the Messages API",
    send: ({ url }, parameters, stream) =>
      post(
        `${url}/v1/messages`,
        {
          model: "claude-opus-5",
          max_tokens: 100,
          messages: [{ role: "user", content: "Hello" }],
          stream,
          ...parameters
        },
        { headers: { "anthropic-version": "2023-06-01" } }
      ),
    check: (body) => checkMessagesEvents(parseNamedEvents(body)),
    steps: [fault.errorEvent(529, ["Half "])],
    parameters: {},
    formats: [(schema) => ({ output_config: { format: { type: "json_schema", schema } } })],
    findText: (body) => JSON.parse(body).content[0].text
  },
  {
    name: "the Responses API",
    send: ({ url }, parameters, stream) =>
      post(`${url}/v1/responses`, { model: "gpt-5-mini", input: "Hello", stream, ...parameters }),
    check: checkResponsesEvents,
    steps: [reply.logprobs({ yes: 0.75, no: 0.25 })],
    parameters: {},
    formats: [(schema) => ({ text: { format: { type: "json_schema", name: "answer", schema } } })],
    findText: (body) => JSON.parse(body).output[0].content[0].text
  },
  {
    name: "Google's API",
    send: ({ url }, parameters, isStreamed) =>
      post(
        `${url}/v1beta/models/gemini-3-flash:${
          isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"
        }`,
        { contents: [{ role: "user", parts: [{ text: "Hello" }] }], ...parameters }
      ),
    check: checkGeminiEvents,
    steps: [reply.logprobs({ yes: 0.75, no: 0.25 }), fault.errorEvent(529, ["Half "])],
    parameters: { generationConfig: { responseLogprobs: true, logprobs: 2 } },
    formats: ["responseJsonSchema", "responseSchema"].map((name) => (schema) => ({
      generationConfig: { responseMimeType: "application/json", [name]: schema }
    })),
    findText: (body) => JSON.parse(body).candidates[0].content.parts[0].text
  }
]

const commonSteps = [
  makeFullAnswer(),
  reply.chat(["Hel", "lo"]),
  reply.chat([]),
  reply.chat([], { toolCalls: [halt] }),
  reply.chat("Cut sho", { finishReason: "length" }),
  fault.refusal(),
  fault.refusal("filter")
]

describe.each(cases)("$name", ({ check, findText, formats, parameters, send, steps }) => {
  it("streams in the order that clients rely on", async () => {
    const upstream = await startUpstream()
    for (const step of [...commonSteps, ...steps]) {
      upstream.script(step)
      const { text } = await send(upstream, parameters, true)
      expect(check(text)).toEqual([])
    }
  })

  it.each(formats)(
    "fits the schema of a structured output, and spoils it as scripted",
    async (format) => {
      const upstream = await startUpstream()
      const asked = format({ type: "object", properties: { q0: { type: "number" } } })
      upstream.script(reply.decision(), fault.flawed("not_a_number"))
      const parse = async () => JSON.parse(findText((await send(upstream, asked, false)).text))
      expect(await parse()).toEqual({ q0: 2 / 3 })
      expect(await parse()).toEqual({ q0: "NaN" })
    }
  )
})
