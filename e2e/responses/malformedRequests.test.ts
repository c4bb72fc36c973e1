/** Requests of the Responses API that are wrong in one place: each gets the envelope of a 400, and no provider is called. */
import { reply } from "@signalbox/testing"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

type Json = Readonly<Record<string, unknown>>

const valid = {
  model: "proof/chat",
  input: [{ role: "user", content: "Is it calm at sea?" }],
  temperature: 1
}

const text = fc.string({ maxLength: 8 })
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const noText = fc.oneof(number, fc.boolean(), fc.array(text), fc.dictionary(text, text))
const noNumber = fc.oneof(text, fc.boolean(), fc.array(number), fc.dictionary(text, text))
const noObject = fc.oneof(text, number, fc.boolean(), fc.array(text))
const noList = fc.oneof(text, number, fc.boolean(), fc.dictionary(text, text))
const noCount = fc.oneof(noNumber, fc.integer({ max: 0 }), fc.constantFrom(0.5, 1e300))
const filledText = fc.string({ minLength: 1, maxLength: 8 })

/** Fields that make every request with them invalid. */
const field = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  value.map((given) => ({ [name]: given }))

/** The input in which one item is wrong. */
const item = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  fc.tuple(value, fc.boolean()).map(([given, isFirst]) => ({
    input: isFirst ? [given, ...valid.input] : [...valid.input, given]
  }))

const content = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  item(value.map((given) => ({ role: "user", content: given })))

const tool = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  field(
    "tools",
    value.map((given) => [given])
  )

const wrong: ReadonlyArray<fc.Arbitrary<Json>> = [
  // What needs stored responses.
  field("store", fc.constant(true)),
  field("background", fc.constant(true)),
  field("previous_response_id", text),
  field("conversation", fc.oneof(text, fc.record({ id: text }))),
  field("prompt", fc.record({ id: text })),
  item(text.map((id) => ({ type: "item_reference", id: `msg_${id}` }))),
  // Fields of another API.
  ...["messages", "n", "max_tokens", "response_format"].map((name) => field(name, noText)),
  // Other types than the API says.
  field("input", fc.oneof(number, fc.boolean(), fc.dictionary(text, text), fc.constant([]))),
  ...["instructions", "service_tier", "prompt_cache_key", "safety_identifier"].map((name) =>
    field(name, noText)
  ),
  ...["temperature", "top_p", "top_k", "presence_penalty"].map((name) => field(name, noNumber)),
  ...["max_output_tokens", "max_tool_calls"].map((name) => field(name, noCount)),
  field("top_logprobs", fc.oneof(noNumber, fc.integer({ min: 21 }), fc.integer({ max: -1 }))),
  ...["reasoning", "metadata", "text"].map((name) => field(name, noObject)),
  field(
    "parallel_tool_calls",
    noObject.filter((value) => typeof value !== "boolean")
  ),
  field("stream", text),
  field("include", noList),
  field("truncation", filledText),
  field("model", fc.oneof(number, fc.constant(""))),
  field("models", noList),
  field("provider", noObject),
  field("user", number),
  field("session_id", number),
  field("metadata", fc.dictionary(filledText, number, { minKeys: 1 })),
  field(
    "text",
    fc
      .oneof(noObject, fc.constant({}), fc.record({ type: fc.constant("json_schema"), name: text }))
      .map((format) => ({ format }))
  ),
  // Items.
  item(fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, {}, []))),
  item(filledText.map((role) => ({ role: `not ${role}`, content: "x" }))),
  content(fc.oneof(number, fc.boolean(), fc.constant(null), fc.dictionary(text, text))),
  content(fc.oneof(text, number, fc.constantFrom(null, {})).map((part) => [part])),
  content(
    fc
      .constantFrom("input_text", "input_image", "input_file", "input_audio", "input_video")
      .map((type) => [{ type }])
  ),
  item(text.map((name) => ({ type: "function_call", name, arguments: "{}" }))),
  item(
    // Some clients send the arguments as an object.
    fc
      .oneof(number, fc.boolean(), fc.array(text))
      .map((given) => ({ type: "function_call", call_id: "a", name: "f", arguments: given }))
  ),
  item(filledText.map((call_id) => ({ type: "function_call_output", call_id, output: "x" }))),
  // Tools.
  field("tools", noList),
  tool(fc.oneof(text, number, fc.constant(null))),
  tool(fc.constantFrom({}, { type: "function" }, { type: "custom" }, { type: "namespace" })),
  tool(noObject.map((parameters) => ({ type: "function", name: "f", parameters }))),
  field(
    "tool_choice",
    fc.oneof(
      number,
      fc.boolean(),
      filledText.map((word) => `${word}!`)
    )
  )
]

const body = fc.oneof(
  ...wrong.map((fields) => fields.map((given) => JSON.stringify({ ...valid, ...given }))),
  fc.oneof(text, number, fc.array(number), fc.constant(null)).map((json) => JSON.stringify(json)),
  text.map((rest) => `{${rest}`).filter((json) => json.trim() !== "{}")
)

test("a malformed request gets a 400 in the envelope of a chat", async () => {
  const server = await startResponsesServer()
  server.providers.chat.always(reply.chat(["Never."]))
  await fc.assert(
    fc.asyncProperty(body, async (request) => {
      const answer = await server.ask(request)
      expect(answer.body).toMatchObject({ error: { code: 400, message: expect.any(String) } })
      expect(answer.status).toBe(400)
      expect(Object.keys(Object(answer.body))).toEqual(["error"])
    }),
    { numRuns: scaleRuns(300) }
  )
  expect(server.providers.chat.requests).toHaveLength(0)
})

test("an empty body, and one of another type, get a 400", async () => {
  const server = await startResponsesServer()
  expect((await server.ask("")).status).toBe(400)
  const headers = { "content-type": "text/plain" }
  const answer = await server.ask(valid, { headers })
  expect(answer.body).toMatchObject({ error: { code: 400 } })
})
