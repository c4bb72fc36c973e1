/** The request parameters that an endpoint supports. */

/** Parameter names of the HTTP API; undefined: unknown, so every parameter is passed on. */
export type SupportedParameters = ReadonlySet<string> | undefined

/** Parameters that a listed name implies. */
const impliedParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["tools", ["tool_choice", "parallel_tool_calls"]],
  ["structured_outputs", ["response_format"]]
])

/** Parameters with the same meaning. */
const equivalentParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["max_tokens", ["max_completion_tokens"]],
  ["max_completion_tokens", ["max_tokens"]],
  ["reasoning", ["reasoning_effort", "thinking"]],
  ["reasoning_effort", ["reasoning", "thinking"]],
  ["thinking", ["reasoning", "reasoning_effort"]]
])

/** A configured list with implied parameters. */
export const toSupportedParameters = (
  list: ReadonlyArray<string> | undefined
): SupportedParameters =>
  list === undefined
    ? undefined
    : new Set(list.flatMap((name) => [name, ...(impliedParameters.get(name) ?? [])]))

/** Undefined when unknown. */
export const includesParameter = (
  supported: SupportedParameters,
  parameter: string
): boolean | undefined =>
  supported === undefined
    ? undefined
    : supported.has(parameter) ||
      (equivalentParameters.get(parameter)?.some((name) => supported.has(name)) ?? false)

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

/** The parameters of a model that operations and the catalog know by name. */
export const parameterNames = [...chatParameterNames, "dimensions", "input_type"] as const

const knownParameters: ReadonlySet<string> = new Set(parameterNames)

export const isParameterName = (name: string): boolean => knownParameters.has(name)
