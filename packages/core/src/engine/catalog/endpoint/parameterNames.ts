/** The parameters of a model that operations and the catalog know by name. */

/** The parameters of chats. */
export const chatParameterNames = [
  "audio",
  "cache_control",
  "frequency_penalty",
  "function_call",
  "functions",
  "image_config",
  "include_reasoning",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "min_p",
  "modalities",
  "n",
  "parallel_tool_calls",
  "prediction",
  "presence_penalty",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "reasoning_effort",
  "repetition_penalty",
  "response_format",
  "safety_identifier",
  "seed",
  "service_tier",
  "stop",
  "store",
  "structured_outputs",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_a",
  "top_k",
  "top_logprobs",
  "top_p",
  "verbosity",
  "web_search_options"
] as const

export const parameterNames = [...chatParameterNames, "dimensions", "input_type"] as const

const knownParameters: ReadonlySet<string> = new Set(parameterNames)

export const isParameterName = (name: string): boolean => knownParameters.has(name)
