import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Conversation } from "../../src/conversation/Conversation.ts"
import { writeChatRequest } from "../../src/dialects/chat/writeChatRequest.ts"
import { writeGeminiRequest } from "../../src/dialects/gemini/writeGeminiRequest.ts"
import { parseMessagesRequest } from "../../src/dialects/messages/parseMessagesRequest.ts"
import { writeMessagesRequest } from "../../src/dialects/messages/writeMessagesRequest.ts"
import { parseResponsesRequest } from "../../src/dialects/responses/parseResponsesRequest.ts"
import { writeResponsesRequest } from "../../src/dialects/responses/writeResponsesRequest.ts"

const png = "iVBORw0KGgo="
const schema = { type: "object", properties: { at: { type: "integer" } } }

/** The same conversation in the two dialects that a client may speak. */
const bodies = {
  messages: (results: ReadonlyArray<string>) =>
    parseMessagesRequest({
      model: "m",
      max_tokens: 321,
      system: "Be brief.",
      tools: [{ name: "look", description: "Looks there.", input_schema: schema }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: png } }
          ]
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me look." },
            { type: "tool_use", id: "call_a", name: "look", input: { at: 1 } },
            { type: "tool_use", id: "call_b", name: "look", input: { at: 2 } }
          ]
        },
        {
          role: "user",
          content: results.map((id) => ({
            type: "tool_result",
            tool_use_id: id,
            content: `seen by ${id}`
          }))
        }
      ]
    }),
  responses: (results: ReadonlyArray<string>) =>
    parseResponsesRequest({
      model: "m",
      max_output_tokens: 321,
      instructions: "Be brief.",
      tools: [
        {
          type: "function",
          name: "look",
          description: "Looks there.",
          parameters: schema,
          strict: false
        }
      ],
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Is it calm?" },
            { type: "input_image", image_url: `data:image/png;base64,${png}` }
          ]
        },
        { role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
        { type: "function_call", call_id: "call_a", name: "look", arguments: '{"at":1}' },
        { type: "function_call", call_id: "call_b", name: "look", arguments: '{"at":2}' },
        ...results.map((id) => ({
          type: "function_call_output",
          call_id: id,
          output: `seen by ${id}`
        }))
      ]
    })
}

const writers = {
  chat: (conversation: Conversation) => Result.succeed(writeChatRequest(conversation)),
  messages: (conversation: Conversation) =>
    writeMessagesRequest(conversation, { maxOutputTokens: 1_000 }),
  gemini: (conversation: Conversation) => writeGeminiRequest(conversation),
  responses: (conversation: Conversation) => writeResponsesRequest(conversation, { model: "m" })
}

/** In the order of the conversation; arguments are JSON in JSON where the dialect has them as text. */
const said = [
  ["Is it calm?"],
  [png],
  ["Let me look."],
  ['{"at":1}', '{\\"at\\":1}'],
  ['{"at":2}', '{\\"at\\":2}'],
  ["seen by call_a"],
  ["seen by call_b"]
]

describe.each(Object.entries(bodies))("a conversation of the dialect %s", (_, parse) => {
  it.each(Object.entries(writers))("reaches the dialect %s whole and in order", (_name, write) => {
    const conversation = Result.getOrThrow(parse(["call_a", "call_b"]))
    const written: Result.Result<object, unknown> = write(conversation)
    const body = Result.getOrThrow(written)
    const text = JSON.stringify(body)
    let from = 0
    // Instructions, tools and settings may be before or after what was said.
    for (const once of ["Be brief.", "Looks there.", '"look"', "321"]) assert.include(text, once)
    const turns = text.slice(text.indexOf("Is it calm?"))
    for (const forms of said) {
      const places = forms.map((form) => turns.indexOf(form, from)).filter((place) => place >= 0)
      assert.isNotEmpty(places, `${forms[0]} after ${turns.slice(0, from)}`)
      from = Math.min(...places)
    }
  })

  it.each(Object.entries(writers).filter(([name]) => name !== "chat"))(
    "is refused by the dialect %s with the id of a result that answers no call",
    (_name, write) => {
      const parsed = parse(["call_a", "call_nobody"])
      const written: Result.Result<object, { readonly problem?: unknown }> = Result.isFailure(
        parsed
      )
        ? Result.fail(parsed.failure)
        : write(parsed.success)
      assert.include(JSON.stringify(Result.getOrThrow(Result.flip(written))), "call_nobody")
    }
  )
})
