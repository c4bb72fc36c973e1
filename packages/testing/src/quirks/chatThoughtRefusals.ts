/** What servers of the chat dialect refuse of the thinking in earlier turns. */
import {
  invalid,
  forbidden,
  afterAnswer,
  assistant,
  call,
  callWithoutThought,
  keepsThinking,
  leftOut
} from "./chatRefusalParts.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const chatThoughtRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "deepseek.needs-reasoning-content",
    kind: "refuses",
    providers: ["deepseek"],
    dialect: "chat",
    what: "A turn of a thinking model that called tools must come back with its `reasoning_content`.",
    source: "https://github.com/SaladDay/cc-switch-cli/issues/170",
    handling: keepsThinking,
    when: callWithoutThought,
    example: afterAnswer({ tool_calls: [call("call_1")] }),
    status: 400,
    error: invalid(
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      "invalid_request_error"
    ),
    asked: { after: "deepseek.reasoning-before-calls" }
  },
  {
    id: "deepseek.needs-reasoning-content-of-others",
    kind: "refuses",
    providers: ["deepseek"],
    dialect: "chat",
    what: "The same counts for a turn that another provider's model made.",
    source: "https://github.com/NousResearch/hermes-agent/pull/15228",
    handling: keepsThinking,
    when: callWithoutThought,
    example: afterAnswer({ tool_calls: [call("call_1")] }),
    status: 400,
    error: invalid(
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      "invalid_request_error"
    ),
    asked: { after: "ollama.stop-after-calls" }
  },
  {
    id: "moonshot.needs-reasoning-content",
    kind: "refuses",
    providers: ["moonshot"],
    dialect: "chat",
    what: "A turn of a thinking model that called tools must come back with its `reasoning_content`.",
    source: "https://github.com/mastra-ai/mastra/issues/12592",
    handling: keepsThinking,
    when: callWithoutThought,
    example: afterAnswer({ tool_calls: [call("call_1")] }),
    status: 400,
    error: invalid(
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1"
    ),
    asked: { after: "moonshot.call-ids" }
  },
  {
    id: "mistral.no-reasoning-content",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "Assistant messages may not have `reasoning_content`.",
    source: "https://github.com/charmbracelet/crush/issues/1590",
    handling: leftOut,
    when: assistant("reasoning_content"),
    example: afterAnswer({ reasoning_content: "Hm." }),
    status: 422,
    error: forbidden("messages", "1", "assistant", "reasoning_content"),
    asked: { after: "deepseek.reasoning-content" }
  },
  {
    id: "mistral.no-reasoning",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "Assistant messages may not have any other unknown field, such as `reasoning`, `reasoning_details` and `refusal`.",
    source: "https://github.com/zeroclaw-labs/zeroclaw/issues/2693",
    handling: leftOut,
    when: (body) =>
      ((body as { readonly messages?: ReadonlyArray<object> }).messages ?? []).some(
        (message) =>
          (message as { readonly role?: unknown }).role === "assistant" &&
          Object.keys(message).some(
            (name) => !["role", "content", "tool_calls", "prefix"].includes(name)
          )
      ),
    example: afterAnswer({ refusal: null }),
    status: 422,
    error: forbidden("messages", "1", "assistant", "reasoning"),
    asked: { after: "mistral.thinking-chunks" }
  },
  {
    id: "groq.no-reasoning-content",
    kind: "refuses",
    providers: ["groq"],
    dialect: "chat",
    what: "Assistant messages may not have `reasoning_content`.",
    source: "https://github.com/janhq/jan/issues/8136",
    handling: leftOut,
    when: assistant("reasoning_content"),
    example: afterAnswer({ reasoning_content: "Hm." }),
    status: 400,
    error: invalid(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]"
    ),
    asked: { after: "deepseek.reasoning-content" }
  },
  {
    id: "cerebras.no-reasoning-content",
    kind: "refuses",
    providers: ["cerebras"],
    dialect: "chat",
    what: "Assistant messages may not have `reasoning_content`; they may have `reasoning`.",
    source: "https://github.com/Kilo-Org/kilocode/issues/10375",
    handling: "Earlier thinking goes as `reasoning`.",
    when: assistant("reasoning_content"),
    example: afterAnswer({ reasoning_content: "Hm." }),
    status: 400,
    error: {
      message:
        "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format"
    },
    asked: { after: "deepseek.reasoning-content" }
  },
  {
    id: "fireworks.no-reasoning-details",
    kind: "refuses",
    providers: ["fireworks"],
    dialect: "chat",
    what: "Assistant messages may not have `reasoning_details`.",
    source: "https://github.com/BerriAI/litellm/pull/39962",
    handling: "Earlier thinking goes as `reasoning_content`.",
    when: assistant("reasoning_details"),
    example: afterAnswer({ reasoning_details: [] }),
    status: 400,
    error: invalid(
      "Extra inputs are not permitted, field: 'messages[1].reasoning_details'",
      "invalid_request_error"
    ),
    asked: { after: "openrouter.reasoning-details" }
  },
  {
    id: "fireworks.no-reasoning",
    kind: "refuses",
    providers: ["fireworks"],
    dialect: "chat",
    what: "Assistant messages may not have `reasoning`.",
    source: "https://github.com/earendil-works/pi/issues/4514",
    handling: "Earlier thinking goes as `reasoning_content`.",
    when: assistant("reasoning"),
    example: afterAnswer({ reasoning: "Hm." }),
    status: 400,
    error: invalid(
      "Extra inputs are not permitted, field: 'messages[1].reasoning'",
      "invalid_request_error"
    ),
    asked: { after: "ollama.reasoning" }
  },
  {
    id: "geminiOpenai.needs-signature",
    kind: "refuses",
    providers: ["geminiOpenai"],
    dialect: "chat",
    what: "The first call of a step must come back with its `extra_content.google.thought_signature`.",
    source: "https://github.com/securo-finance/securo/issues/884",
    handling: "It goes back to its call, from every API.",
    when: (body) =>
      (
        (body as { readonly messages?: ReadonlyArray<Readonly<Record<string, unknown>>> })
          .messages ?? []
      ).some(
        ({ tool_calls }) =>
          Array.isArray(tool_calls) &&
          tool_calls[0]?.extra_content?.google?.thought_signature === undefined
      ),
    example: afterAnswer({ tool_calls: [call("call_1")] }),
    status: 400,
    error: [
      {
        error: {
          code: 400,
          message:
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
          status: "INVALID_ARGUMENT"
        }
      }
    ],
    asked: { after: "geminiOpenai.thought-signature" }
  }
]
