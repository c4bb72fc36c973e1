/** Fields besides `tools` by which a request has the provider search, or read what it has stored. */
import type { ServerToolFee } from "./ServerTool.ts"
import type { Dialect } from "../Dialect.ts"

interface ReadingField {
  readonly name: string
  readonly fee: ServerToolFee
  /** The most calls where the field says nothing else; absent: unknown. */
  readonly maxCalls?: number
  /** The provider puts what it has stored before the prompt, and the model reads it once. */
  readonly isStored?: true
  readonly source: string
}

const gemini = "https://ai.google.dev/gemini-api/docs/caching"
const state = "https://developers.openai.com/api/docs/guides/conversation-state"

export const readingFields: Readonly<Record<Dialect, ReadonlyArray<ReadingField>>> = {
  chat: [
    {
      name: "web_search_options",
      fee: "search",
      source: "https://developers.openai.com/api/docs/guides/tools-web-search"
    },
    {
      name: "search_parameters",
      fee: "search",
      maxCalls: 50,
      source: "https://docs.x.ai/docs/guides/live-search"
    },
    {
      name: "enable_search",
      fee: "search",
      source: "https://www.alibabacloud.com/help/en/model-studio/web-search"
    },
    { name: "search_settings", fee: "unknown", source: "https://console.groq.com/docs/compound" },
    { name: "compound_custom", fee: "unknown", source: "https://console.groq.com/docs/compound" },
    {
      name: "data_sources",
      fee: "unknown",
      source: "https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data"
    },
    { name: "cached_content", fee: "none", isStored: true, source: gemini },
    { name: "cachedContent", fee: "none", isStored: true, source: gemini }
  ],
  messages: [
    {
      name: "mcp_servers",
      fee: "none",
      source: "https://platform.claude.com/docs/en/agents-and-tools/mcp-connector"
    }
  ],
  responses: [
    { name: "previous_response_id", fee: "none", isStored: true, source: state },
    { name: "conversation", fee: "none", isStored: true, source: state },
    // A stored prompt has tools and a model of its own.
    {
      name: "prompt",
      fee: "unknown",
      source: "https://developers.openai.com/api/docs/guides/prompting"
    }
  ],
  gemini: [{ name: "cachedContent", fee: "none", isStored: true, source: gemini }]
}
