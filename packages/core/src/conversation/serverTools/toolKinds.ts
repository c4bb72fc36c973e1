/** Facts about tools by their types: which of them the caller runs, and the cost of calls of the others. */
import type { ServerToolFee } from "./ServerTool.ts"
import type { Dialect } from "../Dialect.ts"

interface ToolKind {
  /** The type, or how it begins where providers append a date. */
  readonly type: string
  readonly isDated?: true
  /** Absent: the model only asks for a call, which the caller runs. */
  readonly fee?: ServerToolFee
  readonly source: string
}

const anthropicTools =
  "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference"
const openaiTools = "https://developers.openai.com/api/docs/guides/tools"
const openaiPricing = "https://developers.openai.com/api/docs/pricing#built-in-tools"
const openrouterTools = "https://openrouter.ai/docs/guides/features/server-tools"
const geminiTools = "https://ai.google.dev/gemini-api/docs/tools"

/** One row for each tool. A type that no row has counts as run by the provider, at an unknown fee. */
const kinds: Readonly<Record<Dialect, ReadonlyArray<ToolKind>>> = {
  messages: [
    { type: "bash_", isDated: true, source: anthropicTools },
    { type: "text_editor_", isDated: true, source: anthropicTools },
    { type: "computer_", isDated: true, source: anthropicTools },
    { type: "memory_", isDated: true, source: anthropicTools },
    { type: "web_search_", isDated: true, fee: "search", source: anthropicTools },
    // "Web fetch usage has no additional charges": its page on the tool.
    { type: "web_fetch_", isDated: true, fee: "none", source: anthropicTools },
    { type: "tool_search_tool_", isDated: true, fee: "none", source: anthropicTools },
    {
      type: "mcp_toolset",
      fee: "none",
      source: "https://platform.claude.com/docs/en/agents-and-tools/mcp-connector"
    }
  ],
  responses: [
    { type: "local_shell", source: openaiTools },
    { type: "apply_patch", source: openaiTools },
    { type: "computer", source: openaiTools },
    { type: "computer_use_preview", source: openaiTools },
    { type: "namespace", source: openaiTools },
    { type: "web_search", isDated: true, fee: "search", source: openaiPricing },
    // "You only pay for tokens": its guide to connectors and MCP servers.
    {
      type: "mcp",
      fee: "none",
      source: "https://developers.openai.com/api/docs/guides/tools-connectors-mcp"
    },
    { type: "tool_search", fee: "none", source: openaiTools },
    { type: "openrouter:web_search", fee: "search", source: openrouterTools },
    { type: "openrouter:datetime", fee: "none", source: openrouterTools }
  ],
  chat: [
    {
      type: "web_search",
      isDated: true,
      fee: "search",
      source: "https://docs.z.ai/guides/tools/web-search"
    },
    {
      type: "builtin_function",
      fee: "search",
      source: "https://platform.moonshot.ai/docs/guide/use-web-search"
    },
    { type: "openrouter:web_search", fee: "search", source: openrouterTools },
    { type: "openrouter:datetime", fee: "none", source: openrouterTools },
    {
      type: "mcp",
      fee: "none",
      source: "https://console.groq.com/docs/mcp"
    }
  ],
  gemini: [
    { type: "googleSearch", fee: "search", source: geminiTools },
    { type: "googleSearchRetrieval", fee: "search", source: geminiTools },
    { type: "urlContext", fee: "none", source: geminiTools },
    { type: "codeExecution", fee: "none", source: geminiTools },
    { type: "computerUse", source: geminiTools }
  ]
}

/** What a call costs besides tokens; undefined: the caller runs it. */
export const findToolFee = (dialect: Dialect, type: string): ServerToolFee | undefined => {
  const kind = kinds[dialect].find((each) =>
    each.isDated === true ? type.startsWith(each.type) : type === each.type
  )
  return kind === undefined ? "unknown" : kind.fee
}
