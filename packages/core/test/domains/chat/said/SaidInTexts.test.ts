import fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import type { Conversation } from "../../../../src/conversation/Conversation.ts"
import { isUnread, type UnreadConversation } from "../../../../src/dialects/PlainTexts.ts"
import {
  parseMessagesRequest,
  readMessagesRequest
} from "../../../../src/dialects/messages/parseRequest.ts"
import {
  parseResponsesRequest,
  readResponsesRequest
} from "../../../../src/dialects/responses/parseRequest.ts"
import { SaidInTexts, SaidInTurns } from "../../../../src/domains/chat/said/SaidInTurns.ts"
import { countMostParts } from "../../../../src/domains/chat/said/turnFacts.ts"
import { toChatConversation } from "../../../../src/dialects/responses/toChatConversation.ts"

type Json = Readonly<Record<string, unknown>>
type Read = Result.Result<Conversation | UnreadConversation, unknown>

const text = fc.constantFrom("Hello.", " ", "", "a\nb", "{")
const settings = fc.record(
  {
    temperature: fc.constantFrom(0.5, 1, "hot"),
    top_p: fc.constant(0.9),
    tools: fc.constantFrom([], [{ name: "f", type: "function", input_schema: {} }]),
    tool_choice: fc.constantFrom({ type: "auto" }, "auto"),
    parallel_tool_calls: fc.boolean(),
    metadata: fc.constant({ user_id: "ada" })
  },
  { requiredKeys: [] }
)

const textBlock = fc.record(
  {
    type: fc.constant("text"),
    text,
    cache_control: fc.constant({ type: "ephemeral" }),
    citations: fc.constant([])
  },
  { requiredKeys: ["type", "text"] }
)
const otherBlock = fc.constantFrom(
  { type: "thinking", thinking: "Hm.", signature: "s" },
  { type: "tool_use", id: "1", name: "f", input: {} },
  { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
  { type: "text", text: 1 }
)
const orOther = <A, B>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other })
const blocks = fc.oneof(text, fc.array(orOther(textBlock, otherBlock), { maxLength: 3 }))
const messagesBody = fc
  .tuple(
    settings,
    fc.record(
      {
        messages: fc.array(
          fc.record({
            role: orOther(
              fc.constantFrom("user", "assistant", "assistant", "system"),
              fc.constant("tool")
            ),
            content: orOther(blocks, fc.constant(null))
          })
        ),
        system: blocks,
        max_tokens: fc.constantFrom(0, 9)
      },
      { requiredKeys: ["messages"] }
    )
  )
  .map(([one, other]): Json => ({ ...one, ...other }))

const part = fc.record({
  type: fc.constantFrom("input_text", "output_text", "text"),
  text,
  annotations: fc.constant([])
})
const otherPart = fc.constantFrom(
  { type: "input_image", image_url: "https://example.com/a.png" },
  { type: "refusal", refusal: "No." }
)
const content = fc.oneof(text, fc.array(orOther(part, otherPart), { maxLength: 3 }))
const item = fc.record(
  {
    type: fc.constant("message"),
    role: fc.constantFrom("user", "assistant", "assistant", "system", "developer"),
    content,
    phase: fc.constant("commentary")
  },
  { requiredKeys: ["role", "content"] }
)
const otherItem = fc.constantFrom(
  { type: "reasoning", summary: [], encrypted_content: "abc" },
  { type: "function_call", call_id: "1", name: "f", arguments: "{}" }
)
const responsesBody = fc
  .tuple(
    settings,
    fc.record(
      {
        input: fc.oneof(text, fc.array(orOther(item, otherItem))),
        instructions: orOther(text, fc.constant(1)),
        max_output_tokens: fc.constant(9)
      },
      { requiredKeys: ["input"] }
    )
  )
  .map(([one, other]): Json => ({ ...one, ...other }))

/** All that the router asks. */
const askAll = (said: SaidInTurns) => ({
  messages: said.countMessages(),
  media: said.listMedia(),
  families: said.findReasoningFamilies(),
  prefill: said.findPrefill(),
  opener: said.findOpener(),
  written: said.toMessages(),
  conversation: said.toConversation({}, false),
  limited: said.toConversation({ max_tokens: 3 }, true)
})

const toChat = (read: Read) => Result.map(read, toChatConversation)

/** What both say, which must be the same. */
const compare = (
  read: Read,
  parsed: Result.Result<Conversation, unknown>
): readonly [unknown, unknown] => {
  if (Result.isFailure(read) || Result.isFailure(parsed)) return [read, parsed]
  if (!isUnread(read.success)) return [read, parsed]
  const { settings, texts } = read.success
  const { turns, ...others } = parsed.success
  return [
    [settings, texts.mostParts, askAll(new SaidInTexts(read.success))],
    [others, countMostParts(turns), askAll(new SaidInTurns(parsed.success))]
  ]
}

describe("a request of texts says the same as its translation", () => {
  it("in the Messages API", () => {
    fc.assert(
      fc.property(messagesBody, (body) => {
        const [read, parsed] = compare(readMessagesRequest(body), parseMessagesRequest(body))
        expect(read).toEqual(parsed)
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("in the Responses API", () => {
    fc.assert(
      fc.property(responsesBody, (body) => {
        const [read, parsed] = compare(
          toChat(readResponsesRequest(body)),
          // Safe: what has turns keeps them.
          toChat(parseResponsesRequest(body)) as Result.Result<Conversation, unknown>
        )
        expect(read).toEqual(parsed)
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("without being translated", () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "Hello." }] }]
    const read = [
      readMessagesRequest({ messages, system: "Be brief." }),
      readResponsesRequest({ input: "Hello.", instructions: "Be brief." })
    ]
    for (const each of read) expect(isUnread(Result.getOrThrow(each))).toBe(true)
  })
})
