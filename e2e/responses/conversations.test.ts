/** Random conversations whose answers arrive in random pieces of bytes: the events keep their order, and nothing is lost. */
import { reply } from "@signalbox/testing"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { getProperty } from "../support/getProperty.ts"
import { startCuttingProxy } from "./startCuttingProxy.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

const said = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" })
const json = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.string({ maxLength: 6 }), {
    maxKeys: 2
  })
  .map((fields) => JSON.stringify(fields))
const callName = fc.constantFrom("look", "halt")

/** A call and its output, which may stand far apart. */
const exchange = fc.tuple(callName, json, said, fc.uuid()).map(([name, args, output, id]) => [
  { type: "function_call", call_id: `call_${id}`, name, arguments: args },
  { type: "function_call_output", call_id: `call_${id}`, output }
])
const customExchange = fc.tuple(said, said, fc.uuid()).map(([input, output, id]) => [
  { type: "custom_tool_call", call_id: `call_${id}`, name: "write", input },
  { type: "custom_tool_call_output", call_id: `call_${id}`, output }
])
const turn = fc.oneof(
  said.map((content) => [{ role: "user", content }]),
  said.map((text) => [{ type: "message", role: "user", content: [{ type: "input_text", text }] }]),
  fc.constantFrom("system", "developer").map((role) => [{ role, content: "Be brief." }]),
  said.map((text) => [
    {
      type: "message",
      id: "msg_of_somebody",
      role: "assistant",
      status: "completed",
      phase: "final_answer",
      content: [{ type: "output_text", text, annotations: [] }]
    }
  ]),
  said.map((text) => [
    { type: "reasoning", id: "rs_of_somebody", summary: [{ type: "summary_text", text }] }
  ]),
  exchange,
  customExchange
)

const conversation = fc.record({
  dialect: fc.constantFrom(...providerDialects),
  turns: fc.array(turn, { maxLength: 5 }),
  question: said,
  wantsReasoning: fc.boolean(),
  wantsEncrypted: fc.boolean(),
  pieces: fc.array(said, { minLength: 1, maxLength: 5 }),
  reasoning: fc.option(said, { nil: undefined }),
  calls: fc.array(fc.tuple(callName, json), { maxLength: 3 }),
  isCut: fc.boolean(),
  lengths: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 })
})

const tools = [
  { type: "function", name: "look", parameters: { type: "object", properties: {} } },
  { type: "namespace", name: "harbour", tools: [{ type: "function", name: "halt" }] },
  { type: "custom", name: "write", description: "Writes." }
]

const listItems = (response: unknown, type: string): ReadonlyArray<unknown> =>
  (getProperty(response, "output") as ReadonlyArray<unknown>).filter(
    (item) => getProperty(item, "type") === type
  )

test(
  "random conversations are answered in order, whole and without loss",
  { timeout: 600_000 },
  async () => {
    let lengths: ReadonlyArray<number> = [1]
    let at = 0
    const server = await startResponsesServer({
      toUrl: (url) => startCuttingProxy(url, () => lengths[at++ % lengths.length] ?? 1)
    })
    await fc.assert(
      fc.asyncProperty(conversation, async (given) => {
        const { calls, dialect, isCut, pieces, question, reasoning, turns } = given
        lengths = given.lengths
        at = 0
        const toolCalls = calls.map(([name, args], index) => ({
          id: `call_${index}`,
          name,
          arguments: args
        }))
        server.providers[dialect].always(
          reply.chat(pieces, {
            ...(reasoning === undefined ? undefined : { reasoning }),
            ...(toolCalls.length === 0 ? undefined : { toolCalls }),
            ...(isCut ? { finishReason: "length" } : undefined),
            usage: { inputTokens: 10, outputTokens: 3 }
          })
        )
        const { events, status } = await server.stream({
          model: `proof/${dialect}`,
          // Gemini refuses conversations that the assistant begins.
          input: [
            { role: "user", content: "Hello." },
            ...turns.flat(),
            { role: "user", content: question }
          ],
          tools,
          ...(given.wantsReasoning ? { reasoning: { summary: "auto" } } : undefined),
          ...(given.wantsEncrypted ? { include: ["reasoning.encrypted_content"] } : undefined)
        })
        expect(status).toBe(200)
        const last = events.at(-1)
        expect(last?.["type"]).toBe(isCut ? "response.incomplete" : "response.completed")
        const response = last?.["response"]
        const texts = listItems(response, "message").flatMap(
          (item) => getProperty(item, "content") as ReadonlyArray<unknown>
        )
        expect(texts.map((part) => getProperty(part, "text")).join("")).toBe(pieces.join(""))
        expect(
          listItems(response, "function_call").map((item) => [
            getProperty(item, "name"),
            JSON.parse(String(getProperty(item, "arguments")))
          ])
        ).toEqual(calls.map(([name, args]) => [name, JSON.parse(args)]))
        expect(getProperty(response, "usage")).toMatchObject({ input_tokens: 10, output_tokens: 3 })
      }),
      { numRuns: pickScope({ full: 5_000, sample: 60 }) }
    )
  }
)
