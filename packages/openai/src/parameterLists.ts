/** The parameters that well-known providers support at their OpenAI-compatible endpoints. */

const sampling = ["temperature", "top_p"]
const penalties = ["frequency_penalty", "presence_penalty"]
/** `tools` includes `tool_choice` and `parallel_tool_calls`, `structured_outputs` includes `response_format`. */
const outputParameters = ["structured_outputs", "tools"]
const logprobs = ["logprobs", "top_logprobs"]

/** Every model of OpenAI supports these. */
const openAiParameters = [
  ...outputParameters,
  "max_completion_tokens",
  "n",
  "prompt_cache_key",
  "safety_identifier",
  "seed",
  "service_tier",
  "store"
]

/** Servers of open models support these. */
const openModelParameters = [
  ...sampling,
  ...penalties,
  ...outputParameters,
  "logit_bias",
  "max_tokens",
  "min_p",
  "n",
  "repetition_penalty",
  "seed",
  "stop",
  "top_k"
]

const toSortedList = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.freeze(Array.from(new Set(names)).toSorted())

/**
 * Lists for `supportedParameters` of endpoints: the parameters that every current chat model of a provider supports, in
 * alphabetical order. If a model supports more, write `[...parameterLists.groq, "reasoning_effort"]`. Without a list,
 * every parameter is passed on.
 *
 * @example
 * ```ts
 * import { parameterLists } from "@signalbox/openai"
 *
 * const endpoint = {
 *   provider: "openai",
 *   price: { prompt: "0.0000004", completion: "0.0000016" },
 *   supportedParameters: parameterLists.openai
 * }
 * ```
 */
export const parameterLists = {
  /** OpenAI's models without reasoning, such as gpt-4.1 and gpt-4o. */
  openai: toSortedList(
    ...openAiParameters,
    ...sampling,
    ...penalties,
    ...logprobs,
    "logit_bias",
    "max_tokens",
    "prediction",
    "stop"
  ),
  /** OpenAI's models with reasoning, such as gpt-5 and o4-mini. They reject sampling parameters. */
  openaiReasoning: toSortedList(...openAiParameters, "reasoning_effort"),
  /**
   * OpenAI's models with reasoning, by the API `responses`; those without also support `temperature`, `top_p`, `logprobs` and
   * `top_logprobs`.
   */
  openaiResponses: toSortedList(
    ...outputParameters,
    "max_completion_tokens",
    "max_tokens",
    "prompt_cache_key",
    "reasoning_effort",
    "safety_identifier",
    "service_tier"
  ),
  /** OpenAI's embedding models of the third generation. */
  openaiEmbeddings: toSortedList("dimensions"),
  /** Claude, at Anthropic's OpenAI-compatible endpoint, which ignores all others, including `response_format`. */
  anthropic: toSortedList(
    ...sampling,
    "max_completion_tokens",
    "max_tokens",
    "stop",
    "thinking",
    "tools"
  ),
  /** Gemini, at Google's OpenAI-compatible endpoint. */
  gemini: toSortedList(
    ...sampling,
    ...outputParameters,
    "max_completion_tokens",
    "max_tokens",
    "n",
    "reasoning_effort",
    "seed",
    "stop"
  ),
  /** Mistral rejects unknown parameters. For its seed, add `otherParameters: ["random_seed"]`. */
  mistral: toSortedList(...sampling, ...penalties, ...outputParameters, "max_tokens", "n", "stop"),
  /** DeepSeek supports JSON mode, but no schemas. */
  deepseek: toSortedList(
    ...sampling,
    ...penalties,
    "max_tokens",
    "reasoning_effort",
    "response_format",
    "stop",
    "thinking",
    "tools"
  ),
  /** Moonshot. Its newer models also answer by schemas: add `structured_outputs`. */
  moonshot: toSortedList(
    "max_completion_tokens",
    "max_tokens",
    "prompt_cache_key",
    "response_format",
    "stop",
    "thinking",
    "tools"
  ),
  /** Groq rejects `logprobs`, `top_logprobs` and `logit_bias`; most of its models do not support schemas. */
  groq: toSortedList(
    ...sampling,
    "max_completion_tokens",
    "max_tokens",
    "response_format",
    "seed",
    "service_tier",
    "stop",
    "tools"
  ),
  /** Cerebras. */
  cerebras: toSortedList(
    ...sampling,
    ...outputParameters,
    "max_completion_tokens",
    "max_tokens",
    "seed",
    "stop"
  ),
  /** DeepInfra. Which of its models fit a schema differs. */
  deepinfra: toSortedList(
    ...sampling,
    ...penalties,
    "max_tokens",
    "min_p",
    "n",
    "repetition_penalty",
    "response_format",
    "seed",
    "stop",
    "tools",
    "top_k"
  ),
  /** Fireworks. */
  fireworks: toSortedList(...openModelParameters, ...logprobs, "max_completion_tokens"),
  /** Together; its `logprobs` is a number, unlike OpenAI's. */
  together: toSortedList(...openModelParameters),
  /** Grok; its models with reasoning reject `stop` and penalties. */
  xai: toSortedList(
    ...sampling,
    ...outputParameters,
    ...logprobs,
    "max_completion_tokens",
    "max_tokens",
    "seed"
  ),
  /** Your own vLLM server. */
  vllm: toSortedList(...openModelParameters, ...logprobs, "max_completion_tokens"),
  /** Your own LM Studio. */
  lmstudio: toSortedList(
    ...sampling,
    ...penalties,
    ...outputParameters,
    "logit_bias",
    "max_tokens",
    "seed",
    "stop",
    "top_k"
  ),
  /** Your own Ollama server. */
  ollama: toSortedList(
    ...sampling,
    ...penalties,
    ...outputParameters,
    ...logprobs,
    "max_tokens",
    "reasoning_effort",
    "seed",
    "stop"
  )
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
