/** What servers of the Messages API refuse of a conversation. */
import { findValues } from "./Condition.ts"
import {
  invalid,
  call,
  question,
  since46,
  before46,
  listMessages,
  idsOf
} from "./messagesRefusalParts.ts"
import { isForeign, signatures } from "./signatures.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const messagesConversationRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "anthropic.no-blank-text",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "A text of white space alone is refused, and the whole conversation with it.",
    source: "https://github.com/anthropics/claude-code/issues/23440",
    handling: "Left out; a turn that has nothing else goes without it.",
    when: (body) =>
      [
        ...findValues(body, "messages[].content[type=text].text"),
        ...findValues(body, "messages[].content"),
        ...findValues(body, "system[].text")
      ].some((text) => typeof text === "string" && text !== "" && text.trim() === ""),
    example: { messages: [{ role: "user", content: " " }] },
    status: 400,
    error: invalid("messages: text content blocks must contain non-whitespace text"),
    asked: {
      messages: [
        question,
        { role: "assistant", content: "\n\n" },
        { role: "user", content: "Are you there?" }
      ]
    }
  },
  {
    id: "anthropic.no-blank-text-beside-calls",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "The same beside a call, as many models write it.",
    source: "https://github.com/anomalyco/opencode/issues/31259",
    handling: "Left out.",
    when: { path: "messages[role=assistant].content[type=text].text", matches: /^\s+$/ },
    example: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "\n" },
            { type: "tool_use", id: "call_1", name: "look", input: {} }
          ]
        }
      ]
    },
    status: 400,
    error: invalid("messages: text content blocks must contain non-whitespace text"),
    asked: {
      tools: { look: {} },
      messages: [
        question,
        { role: "assistant", content: " ", tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "Calm." }
      ]
    }
  },
  {
    id: "anthropic.no-empty-text",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "An empty text block is refused.",
    source: "https://github.com/anthropics/claude-code/issues/59812",
    handling: "Left out.",
    when: (body) =>
      findValues(body, "messages[].content[type=text].text").includes("") ||
      listMessages(body).some(({ content }) => content === ""),
    example: { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
    status: 400,
    error: invalid("messages: text content blocks must be non-empty"),
    asked: {
      apis: ["chat", "responses"],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "" },
            { type: "text", text: "Is it calm at sea?" }
          ]
        }
      ]
    }
  },
  {
    id: "anthropic.no-prefill",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Claude 4.6 and later refuse a conversation that ends with an assistant turn.",
    source: "https://github.com/langchain-ai/deepagents/issues/1585",
    handling: "Refused with a clear 400, unless another endpoint of the model continues it.",
    model: "claude-opus-4-6",
    models: since46,
    when: { path: "messages[-1].role", equals: "assistant" },
    example: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "text", text: "It is" }] }
      ]
    },
    status: 400,
    error: invalid(
      "This model does not support assistant message prefill. The conversation must end with a user message."
    ),
    asked: { messages: [question, { role: "assistant", content: "It is" }] },
    outcome: "refused"
  },
  {
    id: "anthropic.no-trailing-space",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Where a last assistant turn is continued, its text may not end with white space.",
    source: "https://github.com/tailcallhq/forgecode/issues/1872",
    handling: "The white space at the end is left out.",
    models: before46,
    when: (body) => {
      const last = listMessages(body).at(-1)
      const texts =
        typeof last?.content === "string" ? [last.content] : findValues(last, "content[-1].text")
      return last?.role === "assistant" && texts.some((text) => /\s$/.test(String(text)))
    },
    example: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "text", text: "It is " }] }
      ]
    },
    status: 400,
    error: invalid("messages: final assistant content cannot end with trailing whitespace"),
    asked: {
      messages: [question, { role: "assistant", content: "It is " }],
      apis: ["chat", "responses"]
    }
  },
  {
    id: "anthropic.call-ids",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "The ids of calls have letters, digits, `_` and `-` only.",
    source: "https://github.com/QwenLM/qwen-code/issues/8160",
    handling: "Another id goes as one made from it, the same in the call and its result.",
    when: (body) =>
      [
        ...findValues(body, "messages[].content[type=tool_use].id"),
        ...findValues(body, "messages[].content[type=tool_result].tool_use_id")
      ].some((id) => !/^[a-zA-Z0-9_-]+$/.test(String(id))),
    example: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "functions.look:0", name: "look", input: {} }]
        }
      ]
    },
    status: 400,
    error: invalid(
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    ),
    asked: { after: "moonshot.call-ids" }
  },
  {
    id: "anthropic.unique-call-ids",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Two calls may not have the same id.",
    source: "https://github.com/trycua/cua/issues/524",
    handling: "A repeated id is made distinct when the answer comes.",
    when: (body) => {
      const ids = findValues(body, "messages[].content[type=tool_use].id")
      return new Set(ids).size < ids.length
    },
    example: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "call_1", name: "look", input: {} },
            { type: "tool_use", id: "call_1", name: "look", input: {} }
          ]
        }
      ]
    },
    status: 400,
    error: invalid("messages.1.content.1: `tool_use` ids must be unique"),
    asked: { after: "other.same-call-ids" }
  },
  {
    id: "anthropic.calls-need-results",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Each call needs a result in the next message.",
    source: "https://github.com/anthropics/claude-code/issues/8612",
    handling: "A call that was interrupted gets a result that says so.",
    when: (body) => {
      const messages = listMessages(body)
      return messages.some((message, at) => {
        const end = messages.findIndex(({ role }, next) => next > at && role === "assistant")
        // Messages of the user that follow each other are one turn.
        const turn = messages.slice(at + 1, end === -1 ? undefined : end)
        const results = new Set(turn.flatMap((each) => idsOf(each, "tool_result", "tool_use_id")))
        return idsOf(message, "tool_use", "id").some((id) => !results.has(id))
      })
    },
    example: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "call_1", name: "look", input: {} }]
        }
      ]
    },
    status: 400,
    error: invalid(
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_1."
    ),
    asked: {
      tools: { look: {} },
      messages: [
        question,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "user", content: "Never mind." }
      ],
      apis: ["chat", "responses"]
    }
  },
  {
    id: "anthropic.foreign-signature",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "A thinking block of another provider's model is refused for its signature, or for having none.",
    source: "https://github.com/can1357/oh-my-pi/issues/6379",
    handling: "The thinking of other families is left out, and the turn goes without it.",
    when: (body) =>
      findValues(body, "messages[].content[type=thinking]").some((thought) =>
        isForeign(findValues(thought, "signature")[0], "anthropic")
      ),
    example: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "thinking", thinking: "plan", signature: "" }] }
      ]
    },
    status: 400,
    error: invalid("messages.1.content.0: Invalid `signature` in `thinking` block"),
    asked: { after: "deepseek.reasoning-before-calls" }
  },
  {
    id: "anthropic.own-thinking",
    kind: "refuses",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Its own thinking must come back as it was, with its signature.",
    source: "https://github.com/anthropics/anthropic-sdk-python/issues/1598",
    handling:
      "Every caller returns the signature in the words of its API, and the block is the same as before.",
    when: (body) =>
      findValues(body, "messages[].content[type=tool_use].id").includes("toolu_look1") &&
      JSON.stringify(findValues(body, "messages[].content[type=thinking]")) !==
        JSON.stringify([{ type: "thinking", thinking: "plan", signature: signatures.anthropic }]),
    example: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_look1", name: "look", input: {} }]
        }
      ]
    },
    status: 400,
    error: invalid("messages.1.content.0: Invalid `signature` in `thinking` block"),
    asked: { after: "anthropic.signed-thinking" }
  }
]
