/** The parameters of chat that Anthropic's models support, translated. */

/** `tools` includes `tool_choice` and `parallel_tool_calls`, `structured_outputs` includes `response_format`. */
const all = [
  "cache_control",
  "include_reasoning",
  "max_completion_tokens",
  "max_tokens",
  "reasoning",
  "reasoning_effort",
  "service_tier",
  "stop",
  "structured_outputs",
  "tools"
]

/**
 * Lists for `supportedParameters` of endpoints, in alphabetical order. Without a list, every parameter is passed on, and
 * those that the API has no word for are left out.
 *
 * @example
 * ```ts
 * import { parameterLists } from "@signalbox/anthropic"
 *
 * const endpoint = {
 *   provider: "anthropic",
 *   model: "claude-opus-5",
 *   price: { prompt: "0.000005", completion: "0.000025" },
 *   supportedParameters: parameterLists.claude
 * }
 * ```
 */
export const parameterLists = {
  /** Claude from 4.7, which refuses sampling parameters. */
  claude: Object.freeze(all),
  /** Claude 4.5 and 4.6. */
  claudeBefore47: Object.freeze([...all, "temperature", "top_k", "top_p"].toSorted())
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
