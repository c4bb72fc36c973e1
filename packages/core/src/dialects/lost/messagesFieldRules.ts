/** What becomes of each field of a request to Anthropic's Messages API elsewhere: https://platform.claude.com/docs/en/api/messages. */
import { isObject } from "../../values/json/guards.ts"
import type { FieldRule, FieldRules, LimitedRule } from "./listLostFields.ts"

type Json = Readonly<Record<string, unknown>>

/** Servers that cache by themselves, as Google and OpenAI do, need no marks. */
const mark: FieldRules = { type: true, ttl: true }
const cacheMark: FieldRule = { as: "cache_control", in: { chat: true }, fields: mark }

const translatedBlocks: ReadonlySet<unknown> = new Set([
  "document",
  "image",
  "redacted_thinking",
  "search_result",
  "text",
  "thinking",
  "tool_result",
  "tool_use"
])

/** The plan reports blocks that Anthropic's servers made, as a whole. */
const blocks: LimitedRule = {
  of: ({ type }) => translatedBlocks.has(type),
  // All types together, because no two of them use a name differently.
  fields: {
    type: true,
    text: true,
    source: {
      fields: {
        type: true,
        media_type: true,
        data: true,
        url: true,
        file_id: true,
        get content(): LimitedRule {
          return blocks
        }
      }
    },
    title: true,
    context: true,
    citations: {
      // Those of a text, which are a list, are told by their name alone; of a document it is a setting.
      as: "citations",
      asks: (citations) =>
        Array.isArray(citations)
          ? citations.length > 0
          : isObject(citations) && Object.values(citations).some((wish) => wish !== false),
      in: {}
    },
    id: true,
    name: true,
    input: true,
    tool_use_id: true,
    is_error: true,
    get content(): LimitedRule {
      return blocks
    },
    thinking: true,
    signature: true,
    data: true,
    // Who called a tool; the model itself is the default.
    caller: {
      asks: (caller) => isObject(caller) && caller["type"] !== "direct"
    },
    cache_control: cacheMark
  }
}

const isFunction = ({ type }: Json): boolean =>
  type === undefined || type === null || type === "custom"

const sampling = (name: string, gemini: string): LimitedRule => ({
  in: { chat: name, responses: name, gemini: `generationConfig.${gemini}`, "ai-sdk": gemini }
})

export const messagesFieldRules: FieldRules = {
  model: true,
  stream: true,
  max_tokens: true,
  messages: { fields: { role: true, content: blocks } },
  system: blocks,
  tools: {
    of: isFunction,
    fields: {
      type: true,
      name: true,
      description: true,
      input_schema: true,
      strict: { in: { chat: true, responses: true, "ai-sdk": true } },
      cache_control: cacheMark,
      // Anthropic streams the input of a tool sooner with it, and other providers always do.
      eager_input_streaming: true
    }
  },
  tool_choice: {
    fields: {
      type: true,
      name: true,
      disable_parallel_tool_use: { in: { chat: true, responses: true } }
    }
  },
  temperature: { ...sampling("temperature", "temperature"), default: 1 },
  top_p: { ...sampling("top_p", "topP"), default: 1 },
  top_k: sampling("top_k", "topK"),
  stop_sequences: {
    in: { chat: "stop", gemini: "generationConfig.stopSequences", "ai-sdk": "stopSequences" }
  },
  thinking: {
    fields: {
      type: true,
      budget_tokens: true,
      // What is shown of the thoughts is a setting of each dialect.
      display: true
    }
  },
  output_config: { fields: { effort: true, format: { fields: { type: true, schema: true } } } },
  output_format: true,
  // The user of the record; other keys are Anthropic's.
  metadata: { fields: { user_id: true } },
  service_tier: {
    in: { chat: "service_tier", gemini: "serviceTier", responses: "service_tier" },
    default: "auto"
  },
  cache_control: {
    as: "cache_control",
    in: { chat: true, responses: "cache_control" },
    fields: mark
  }
}
