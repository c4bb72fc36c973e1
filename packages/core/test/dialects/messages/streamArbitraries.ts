/** Random streamed answers, in the form of chat. */
import * as fc from "fast-check"

type Json = Readonly<Record<string, unknown>>

/** A part of an answer in the order of its provider. */
export type SpokenPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly signature: string }
  | { readonly type: "redacted"; readonly data: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: Json }

const text = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" })
const name = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/), fc.constant("__proto__"))

const part: fc.Arbitrary<SpokenPart> = fc.oneof(
  text.map((said) => ({ type: "text" as const, text: said })),
  fc.record({
    type: fc.constant("thinking" as const),
    text: fc.oneof(text, fc.constant("")),
    signature: name
  }),
  name.map((data) => ({ type: "redacted" as const, data })),
  fc.record({
    type: fc.constant("call" as const),
    id: fc.uuid(),
    name,
    input: fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  })
)

/** Two texts in a row are one. */
export const spokenParts: fc.Arbitrary<ReadonlyArray<SpokenPart>> = fc
  .array(part, { maxLength: 6 })
  .map((parts) =>
    parts.filter((each, at) => !(each.type === "text" && parts[at - 1]?.type === "text"))
  )

/** Splits a text; the pieces may cut a character in two. */
const cut = (said: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let rest = said
  for (const size of sizes) {
    pieces.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return [...pieces, rest].filter((piece) => piece !== "")
}

/** The deltas of the parts, in pieces of these sizes. */
export const toDeltas = (
  parts: ReadonlyArray<SpokenPart>,
  sizes: ReadonlyArray<number>
): ReadonlyArray<Json> => {
  let calls = 0
  return parts.flatMap((each, index): ReadonlyArray<Json> => {
    const format = "anthropic-claude-v1"
    switch (each.type) {
      case "text":
        return cut(each.text, sizes).map((content) => ({ content }))
      case "thinking":
        return [
          ...cut(each.text, sizes).map((thought) => ({
            reasoning: thought,
            reasoning_details: [{ type: "reasoning.text", text: thought, format, index }]
          })),
          {
            reasoning_details: [
              { type: "reasoning.text", signature: each.signature, format, index }
            ]
          }
        ]
      case "redacted":
        return [
          {
            reasoning_details: [{ type: "reasoning.encrypted", data: each.data, format, index }]
          }
        ]
      case "call": {
        const at = calls++
        const head = { index: at, id: each.id, type: "function" }
        return [
          { tool_calls: [{ ...head, function: { name: each.name, arguments: "" } }] },
          ...cut(JSON.stringify(each.input), sizes).map((args) => ({
            tool_calls: [{ index: at, function: { arguments: args } }]
          }))
        ]
      }
    }
  })
}

export const pieceSizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 })

/** The blocks of the parts in a message. */
export const toBlocks = (parts: ReadonlyArray<SpokenPart>): ReadonlyArray<Json> =>
  parts.map((each) => {
    switch (each.type) {
      case "text":
        return { type: "text", text: each.text, citations: null }
      case "thinking":
        return { type: "thinking", thinking: each.text, signature: each.signature }
      case "redacted":
        return { type: "redacted_thinking", data: each.data }
      case "call":
        return { type: "tool_use", id: each.id, name: each.name, input: each.input }
    }
  })
