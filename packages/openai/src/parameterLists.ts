/** What well-known providers take at their endpoints of OpenAI's dialect, so that nobody writes a list by hand. */

const sampling = ["temperature", "top_p"]
const penalties = ["frequency_penalty", "presence_penalty"]
/** `tools` includes `tool_choice` and `parallel_tool_calls`, `structured_outputs` includes `response_format`. */
const outputParameters = ["structured_outputs", "tools"]
const logprobs = ["logprobs", "top_logprobs"]

/** Of OpenAI itself, whatever the model. */
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

const toSortedList = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.freeze(Array.from(new Set(names)).toSorted())

/**
 * For `supportedParameters` of endpoints: what every current chat model of a provider takes, in alphabetical order. A
 * model may take more, or has lost some: then write `[...parameterLists.groq, "reasoning_effort"]`, or leave the list
 * out, and everything is passed on.
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
  /** OpenAI's models that do not reason, such as gpt-4.1 and gpt-4o. */
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
  /** OpenAI's models that reason, such as gpt-5 and o4-mini: they refuse what steers sampling. */
  openaiReasoning: toSortedList(...openAiParameters, "reasoning_effort"),
  /** Claude, at Anthropic's endpoint of this dialect: it ignores what is not here, `response_format` too. */
  anthropic: toSortedList(
    ...sampling,
    "max_completion_tokens",
    "max_tokens",
    "stop",
    "thinking",
    "tools"
  ),
  /** Gemini, at Google's endpoint of this dialect. */
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
  /** Mistral refuses a parameter it does not know; for its seed write `otherParameters: ["random_seed"]` beside. */
  mistral: toSortedList(...sampling, ...penalties, ...outputParameters, "max_tokens", "n", "stop"),
  /** DeepSeek answers in JSON, but by no schema. */
  deepseek: toSortedList(
    ...sampling,
    ...penalties,
    "max_tokens",
    "response_format",
    "stop",
    "thinking",
    "tools"
  ),
  /** Groq refuses `logprobs`, `top_logprobs` and `logit_bias`; most of its models take no schema. */
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
  /** Grok: those of its models that reason refuse `stop` and penalties. */
  xai: toSortedList(
    ...sampling,
    ...outputParameters,
    ...logprobs,
    "max_completion_tokens",
    "max_tokens",
    "seed"
  ),
  /** A vLLM server of your own. */
  vllm: toSortedList(
    ...sampling,
    ...penalties,
    ...outputParameters,
    ...logprobs,
    "logit_bias",
    "max_completion_tokens",
    "max_tokens",
    "min_p",
    "n",
    "repetition_penalty",
    "seed",
    "stop",
    "top_k"
  ),
  /** An Ollama server of your own. */
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
