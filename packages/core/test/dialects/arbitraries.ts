/** Random conversations, for the property tests of dialects. */
import * as Base64 from "effect/encoding/Base64"
import * as fc from "fast-check"
import type { Conversation, Tool, ToolChoice, Turn } from "../../src/conversation/Conversation.ts"
import type { CallPart, Part, ResultPart } from "../../src/conversation/Part.ts"

/** The Messages API rejects white space alone. */
const text = fc
  .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
  .filter((said) => said.trim() !== "")
/** Names that every dialect accepts, and one that looks dangerous. */
const name = fc.oneof(fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,12}$/), fc.constant("__proto__"))
const base64 = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Base64.encode(bytes))
const json = fc
  .dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 3 })
  .map((value) => JSON.stringify(value))

const textPart = text.map((said): Part => ({ type: "text", text: said }))
const imagePart = fc.oneof(
  fc.webUrl().map((url): Part => ({ type: "image", source: { type: "url", url } })),
  base64.map((data): Part => ({
    type: "image",
    source: { type: "base64", mediaType: "image/png", data }
  }))
)
const filePart = fc.record({ data: base64, filename: name }).map(({ data, filename }): Part => ({
  type: "file",
  source: { type: "base64", mediaType: "application/pdf", data },
  filename
}))

/** Turns of a user, and of an assistant whose calls are all answered. */
const userTurn = fc
  .array(fc.oneof(textPart, imagePart, filePart), { minLength: 1, maxLength: 3 })
  .map((parts): ReadonlyArray<Turn> => [{ role: "user", parts }])

const assistantTurns = fc
  .record({
    said: fc.option(text, { nil: undefined }),
    calls: fc.array(fc.record({ id: fc.uuid(), name, arguments: json, result: text }), {
      maxLength: 3
    })
  })
  .map(({ calls, said }): ReadonlyArray<Turn> => {
    const texts: ReadonlyArray<Part> =
      said === undefined && calls.length > 0 ? [] : [{ type: "text", text: said ?? "yes" }]
    const asked = calls.map((call): CallPart => ({
      type: "call",
      id: call.id,
      name: call.name,
      arguments: call.arguments
    }))
    const results = calls.map((call): ResultPart => ({
      type: "result",
      callId: call.id,
      content: [{ type: "text", text: call.result }]
    }))
    return [
      { role: "assistant", parts: [...texts, ...asked] },
      ...(results.length === 0 ? [] : [{ role: "tool" as const, parts: results }])
    ]
  })

const tool = fc.record({ name, description: text }).map((declared): Tool => ({
  type: "function",
  ...declared,
  parameters: { type: "object", properties: {}, additionalProperties: false }
}))

export const stopSequence = text

/** A system turn, then turns of user and assistant in alternation; what every dialect can say. */
export const commonConversation: fc.Arbitrary<Conversation> = fc
  .record({
    system: fc.option(text, { nil: undefined }),
    turns: fc.array(fc.tuple(userTurn, assistantTurns), { maxLength: 3 }),
    last: userTurn,
    tools: fc.uniqueArray(tool, { selector: (each) => JSON.stringify(each), maxLength: 3 }),
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    stop: fc.array(stopSequence, { maxLength: 2 })
  })
  .map(({ last, maxOutputTokens, stop, system, tools, turns }) => ({
    turns: [
      ...(system === undefined
        ? []
        : [{ role: "system" as const, parts: [{ type: "text" as const, text: system }] }]),
      ...turns.flat(2),
      ...last
    ],
    tools: uniqueByName(tools),
    sampling: {},
    stop,
    maxOutputTokens
  }))

const schema = fc
  .uniqueArray(name, { minLength: 1, maxLength: 3 })
  .map((names): Readonly<Record<string, unknown>> => ({
    type: "object",
    properties: Object.fromEntries(names.map((each) => [each, { type: "string" }])),
    required: names,
    additionalProperties: false
  }))

/** Models that think refuse sampling, and forced calls. */
const settings = fc.oneof(
  fc.record({
    sampling: fc.record(
      {
        temperature: fc.double({ min: 0, max: 1, noNaN: true }),
        topP: fc.double({ min: 0, max: 1, noNaN: true })
      },
      { requiredKeys: [] }
    ),
    toolChoice: fc.constantFrom("auto", "none", "required", "tool")
  }),
  fc.record({
    reasoning: fc.record({ effort: fc.constantFrom("low", "high") }),
    toolChoice: fc.constantFrom("auto", "none")
  })
)

/** A common conversation with all settings that most dialects have. */
export const wholeConversation: fc.Arbitrary<Conversation> = fc
  .tuple(
    commonConversation,
    settings,
    fc.record(
      {
        parallelCalls: fc.boolean(),
        format: schema.map((described) => ({
          type: "schema" as const,
          name: "answer",
          schema: described
        })),
        logprobs: fc.record({ top: fc.integer({ min: 1, max: 20 }) })
      },
      { requiredKeys: [] }
    )
  )
  .map(([conversation, { toolChoice, ...set }, rest]): Conversation => {
    const [tool] = conversation.tools
    const choice: ToolChoice | undefined =
      tool === undefined || tool.type === "server"
        ? undefined
        : toolChoice === "tool"
          ? { type: "tool", name: tool.name }
          : { type: toolChoice }
    return {
      ...conversation,
      ...set,
      ...rest,
      ...(choice === undefined ? undefined : { toolChoice: choice })
    }
  })

const uniqueByName = (tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> => {
  const seen = new Set<string>()
  return tools.filter((each) => {
    const key = each.type === "server" ? JSON.stringify(each.raw) : each.name
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
