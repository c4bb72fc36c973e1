/** What servers of the chat dialect refuse of the messages of a conversation. */
import { findValues } from "./Condition.ts"
import { afterAnswer, call, invalid } from "./chatRefusalParts.ts"
import type { RefusesQuirk } from "./Quirk.ts"

export const chatMessageRefusals: ReadonlyArray<RefusesQuirk> = [
  {
    id: "deepseek.no-developer",
    kind: "refuses",
    providers: ["deepseek", "mistral", "moonshot", "vllm", "lmstudio"],
    dialect: "chat",
    what: "The role `developer` is unknown.",
    source: "https://github.com/earendil-works/pi/issues/1048",
    handling: "Sent as `system`, but to OpenAI and Azure.",
    when: { path: "messages[role=developer].content" },
    example: { messages: [{ role: "developer", content: "Be brief." }] },
    status: 400,
    error: invalid(
      "messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
      "invalid_request_error"
    ),
    asked: {
      body: {
        chat: {
          messages: [
            { role: "developer", content: "Be brief." },
            { role: "user", content: "Is it calm at sea?" }
          ]
        },
        responses: {
          input: [
            { role: "developer", content: "Be brief." },
            { role: "user", content: "Is it calm at sea?" }
          ]
        }
      }
    }
  },
  {
    id: "deepseek.no-images",
    kind: "refuses",
    providers: ["deepseek"],
    dialect: "chat",
    what: "The content of a message may have texts only, also in the result of a tool.",
    source: "https://github.com/yilewang/llm-for-zotero/issues/143",
    handling: "Sent as it is; the caller gets the refusal.",
    when: { path: "messages[].content[type=image_url]" },
    example: {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }]
    },
    status: 400,
    error: invalid(
      "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text`",
      "invalid_request_error"
    ),
    outcome: "passedOn",
    asked: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
          ]
        }
      ]
    }
  },
  {
    id: "mistral.call-ids-of-9",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "The ids of calls have exactly nine letters and digits.",
    source: "https://github.com/anomalyco/opencode/issues/1680",
    handling:
      "Another id goes as nine letters and digits made from it, the same in the call and its result.",
    when: (body) =>
      (
        (body as { readonly messages?: ReadonlyArray<Readonly<Record<string, unknown>>> })
          .messages ?? []
      ).some(({ tool_call_id, tool_calls }) =>
        [
          tool_call_id,
          ...(Array.isArray(tool_calls)
            ? tool_calls.map(({ id }: { readonly id: unknown }) => id)
            : [])
        ].some((id) => typeof id === "string" && !/^[a-zA-Z0-9]{9}$/.test(id))
      ),
    example: { messages: [{ role: "tool", tool_call_id: "call_1", content: "" }] },
    status: 400,
    error: {
      object: "error",
      message: "Tool call id was call_e but must be a-z, A-Z, 0-9, with a length of 9.",
      type: "invalid_function_call",
      param: null,
      code: "3280"
    },
    asked: { after: "ollama.stop-after-calls" }
  },
  {
    id: "mistral.no-user-after-tool",
    kind: "refuses",
    providers: ["mistral"],
    dialect: "chat",
    what: "A message of the user may not follow the result of a tool.",
    source: "https://github.com/avante-corp/avante.nvim/issues/2562",
    handling: "A short turn of the model goes between them.",
    when: (body) => {
      const roles = findValues(body, "messages[].role")
      return roles.some((role, at) => role === "user" && roles[at - 1] === "tool")
    },
    example: {
      messages: [
        { role: "tool", content: "" },
        { role: "user", content: "Hi" }
      ]
    },
    status: 400,
    error: {
      object: "error",
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      param: null,
      code: "3230"
    },
    asked: {
      tools: { look: {} },
      messages: [
        { role: "user", content: "Is it calm at sea?" },
        { role: "assistant", content: null, tool_calls: [call("abcdef123")] },
        { role: "tool", tool_call_id: "abcdef123", content: "Calm." },
        { role: "user", content: "And at night?" }
      ]
    }
  },
  {
    id: "fireworks.no-cache-marks",
    kind: "refuses",
    providers: ["fireworks"],
    dialect: "chat",
    what: "Messages, parts and tools may not have `cache_control`.",
    source: "https://github.com/BerriAI/litellm/pull/27881",
    handling: "Left out; it caches on its own.",
    when: (body) => JSON.stringify(body).includes('"cache_control":'),
    example: {
      messages: [
        {
          role: "user",
          content: [{ cache_control: { type: "ephemeral" }, type: "text", text: "Hi" }]
        }
      ]
    },
    status: 400,
    error: invalid(
      "Extra inputs are not permitted, field: 'messages[0].content[0].cache_control'",
      "invalid_request_error"
    ),
    asked: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Is it calm at sea?", cache_control: { type: "ephemeral" } }
          ]
        }
      ],
      apis: ["chat", "messages"]
    }
  },
  {
    id: "openai.call-ids-of-40",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "The ids of calls have at most 40 characters.",
    source: "https://github.com/vercel/ai/issues/5171",
    handling: "A longer id goes as a short one made from it, the same in the call and its result.",
    when: { path: "messages[].tool_calls[].id", above: 40 },
    example: afterAnswer({ tool_calls: [call("x".repeat(41))] }),
    status: 400,
    error: invalid(
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 72 instead.",
      "string_above_max_length",
      "messages[1].tool_calls[0].id"
    ),
    asked: { after: "openai.long-call-ids" }
  },
  {
    id: "openai.images-of-users-only",
    kind: "refuses",
    providers: ["openai", "azure"],
    dialect: "chat",
    what: "Images may be in messages of the user only, and not in results of tools.",
    source: "https://github.com/OpenHands/OpenHands/issues/7700",
    handling:
      "The text stays in the result; the image goes in a message of the user behind the results.",
    when: (body) =>
      findValues(body, "messages[]").some(
        (message) =>
          findValues(message, "role")[0] !== "user" &&
          findValues(message, "content[type=image_url]").length > 0
      ),
    example: { messages: [{ role: "tool", content: [{ type: "image_url" }] }] },
    status: 400,
    error: invalid(
      "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
      "invalid_value",
      "messages[2]"
    ),
    asked: {
      tools: { look: {} },
      apis: ["messages", "responses"],
      messages: [
        { role: "user", content: "Is it calm at sea?" },
        { role: "assistant", content: null, tool_calls: [call("call_1")] },
        {
          role: "tool",
          tool_call_id: "call_1",
          content: [
            { type: "text", text: "See for yourself." },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
          ]
        }
      ]
    }
  },
  {
    id: "lmstudio.no-empty-call-ids",
    kind: "refuses",
    providers: ["lmstudio"],
    dialect: "chat",
    what: "A call or a result without an id is refused, even if the call came without one.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/830",
    handling: "The call has the id that its caller got.",
    when: (body) =>
      (
        (body as { readonly messages?: ReadonlyArray<Readonly<Record<string, unknown>>> })
          .messages ?? []
      ).some(
        ({ role, tool_call_id, tool_calls }) =>
          (role === "tool" && !tool_call_id) ||
          (Array.isArray(tool_calls) && tool_calls.some(({ id }: { readonly id?: unknown }) => !id))
      ),
    example: afterAnswer({ tool_calls: [call("")] }),
    status: 400,
    error: {
      error:
        "Invalid 'messages' in payload. Please check the structure of your 'messages' and try again"
    },
    asked: { after: "lmstudio.empty-call-id" }
  }
]
