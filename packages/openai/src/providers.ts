/** Upstreams for well-known providers with OpenAI's APIs, one call each. */
import { mistralIds } from "@signalbox/core/dialects"
import {
  checkOptionTypes,
  type OptionTypes,
  resolveHostKey,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { type ChatOptions, chatOptionTypes, getHostname, toBaseUrl } from "./ChatOptions.ts"
import { type ChatServer, makeChatUpstream } from "./makeChatUpstream.ts"
import { parameterLists } from "./parameterLists.ts"

/** The slug and the name default to the provider's. */
export interface ProviderOptions extends ChatOptions {
  /**
   * Sent as `Authorization: Bearer`. Required at the provider's own address; null means that only customers' own
   * credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The URL under which `/chat/completions` is, and `/embeddings` if it has that. Default: the provider's own, or the usual one of a local server. */
  readonly baseUrl?: string | undefined
}

const optionTypes: OptionTypes<ProviderOptions> = {
  apiKey: ["string", "object", "null"],
  baseUrl: ["string"],
  ...chatOptionTypes
}

interface Provider {
  readonly slug: keyof typeof parameterLists
  readonly name: string
  readonly baseUrl: string
  /** In public lists of prices, which are those of its own address; absent: the prices are the host's. */
  readonly listedAs?: string
  readonly authors?: ReadonlyArray<string>
  /** A server in the own network needs no key. */
  readonly needsKey?: false
  /** Known to reject every unknown parameter. */
  readonly checksParameters?: true
  /** It reports the usage of streams unasked, and rejects `stream_options`. */
  readonly takesStreamOptions?: false
  /** Fields of assistant messages that it rejects, in which clients return the reasoning of earlier answers. */
  readonly refusedFields?: ReadonlyArray<string>
  /** It caches on its own, and rejects or ignores `cache_control`, which it does not get. */
  readonly takesCacheMarks?: false
  readonly embeddings?: ChatServer["embeddings"]
  readonly findModel?: ChatServer["findModel"]
}

const connect = (provider: Provider) => {
  const { checksParameters = false, name, needsKey = true, slug } = provider
  const { authors, listedAs } = provider
  const { embeddings, findModel, refusedFields, takesCacheMarks, takesStreamOptions } = provider
  return (options: ProviderOptions = {}): Upstream => {
    checkOptionTypes(slug, options, optionTypes)
    const baseUrl = toBaseUrl(options.baseUrl ?? provider.baseUrl, provider.baseUrl)
    return makeChatUpstream(options, {
      ...(baseUrl === provider.baseUrl && listedAs !== undefined
        ? { listedAs, ...(authors === undefined ? undefined : { authors }) }
        : undefined),
      slug,
      name,
      baseUrl,
      apiKey: resolveHostKey({
        upstreamName: slug,
        apiKey: options.apiKey,
        url: baseUrl,
        keyRequiredHost: needsKey ? getHostname(provider.baseUrl) : ""
      }),
      checksParameters,
      findModel,
      refusedFields,
      takesCacheMarks,
      takesStreamOptions,
      assumedParameters: parameterLists[slug],
      reasoningFormat: `${slug}-responses-v1`,
      embeddings
    })
  }
}

/**
 * Cerebras (https://inference-docs.cerebras.ai/resources/openai). Use it with `parameterLists.cerebras`. Of earlier answers it
 * gets `reasoning`, but neither `reasoning_content` nor `reasoning_details`, which it rejects, as it does `cache_control`.
 */
export const cerebras = connect({
  slug: "cerebras",
  name: "Cerebras",
  baseUrl: "https://api.cerebras.ai/v1",
  listedAs: "cerebras",
  refusedFields: ["reasoning_content", "reasoning_details"],
  takesCacheMarks: false
})

/** DeepInfra (https://docs.deepinfra.com/chat/overview). Use it with `parameterLists.deepinfra`. */
export const deepinfra = connect({
  slug: "deepinfra",
  name: "DeepInfra",
  baseUrl: "https://api.deepinfra.com/v1/openai",
  listedAs: "deepinfra",
  embeddings: {}
})

/**
 * DeepSeek (https://api-docs.deepseek.com). Use it with `parameterLists.deepseek`: it has JSON mode, but no schemas, and its
 * cap is `max_tokens`. How much it thinks is said by `reasoning_effort`, whether at all by `thinking`
 * (https://api-docs.deepseek.com/guides/thinking_mode).
 */
export const deepseek = connect({
  slug: "deepseek",
  name: "DeepSeek",
  baseUrl: "https://api.deepseek.com",
  listedAs: "deepseek",
  authors: ["deepseek"],
  findModel: () => ({
    reasoningParameters: ["reasoning_effort", "thinking"],
    reasoningField: "reasoning_content",
    // https://github.com/deepseek-ai/DeepSeek-V3/issues/1376, https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916
    forcesWhileThinking: false,
    takesSchemas: false
  })
})

/**
 * Fireworks (https://docs.fireworks.ai/tools-sdks/openai-compatibility). Use it with `parameterLists.fireworks`. Of earlier
 * answers it gets `reasoning_content`, which its models need between calls of tools, but neither `reasoning` nor
 * `reasoning_details`, which it rejects, as it does `cache_control`.
 */
export const fireworks = connect({
  slug: "fireworks",
  name: "Fireworks",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  listedAs: "fireworks-ai",
  // https://docs.fireworks.ai/guides/reasoning
  findModel: () => ({ reasoningField: "reasoning_content" }),
  refusedFields: ["reasoning", "reasoning_details"],
  takesCacheMarks: false,
  embeddings: {}
})

/**
 * Groq (https://console.groq.com/docs/openai). Use it with `parameterLists.groq`: it rejects `logprobs`, `top_logprobs`,
 * `logit_bias` and more than one answer, and gets no `cache_control` and no `reasoning_details` of earlier answers, which it
 * rejects too. It also has the API `responses`.
 */
export const groq = connect({
  slug: "groq",
  name: "Groq",
  baseUrl: "https://api.groq.com/openai/v1",
  listedAs: "groq",
  // https://console.groq.com/docs/reasoning
  findModel: (model) => (/(?:^|\/)qwen3/.test(model) ? { efforts: ["none", "default"] } : {}),
  refusedFields: ["reasoning_content", "reasoning_details"],
  takesCacheMarks: false
})

/**
 * Mistral (https://docs.mistral.ai/api). Use it with `parameterLists.mistral`: it answers 422 to every parameter that it does
 * not know, such as `max_completion_tokens` and `stream_options`, which is not sent, nor are
 * `cache_control` and the reasoning of earlier answers. Its cap is `max_tokens`.
 */
export const mistral = connect({
  slug: "mistral",
  name: "Mistral",
  baseUrl: "https://api.mistral.ai/v1",
  listedAs: "mistral",
  authors: ["mistral", "mistralai"],
  findModel: () => ({ callIds: mistralIds, takesUserAfterTool: false }),
  checksParameters: true,
  takesStreamOptions: false,
  refusedFields: ["reasoning", "reasoning_content", "reasoning_details"],
  takesCacheMarks: false,
  embeddings: {}
})

/**
 * Moonshot (https://platform.moonshot.ai/docs/api/chat). Use it with `parameterLists.moonshot`: its models with thinking refuse
 * `temperature`, and a choice that forces a call, for which they do not think. Schemas of functions go in its own flavour, and
 * calls come back with their `reasoning_content`.
 */
export const moonshot = connect({
  slug: "moonshot",
  name: "Moonshot",
  baseUrl: "https://api.moonshot.ai/v1",
  listedAs: "moonshotai",
  authors: ["moonshotai"]
})

/**
 * LM Studio on this machine (https://lmstudio.ai/docs/app/api/endpoints/openai), without a key. Use it with
 * `parameterLists.lmstudio`. It refuses a choice that names a tool, and JSON without a schema, and so gets that tool alone and
 * the schema of any object.
 */
export const lmstudio = connect({
  slug: "lmstudio",
  name: "LM Studio",
  baseUrl: "http://127.0.0.1:1234/v1",
  needsKey: false,
  embeddings: {}
})

/**
 * Ollama on this machine (https://docs.ollama.com/api/openai-compatibility), without a key. Use it with
 * `parameterLists.ollama`.
 */
export const ollama = connect({
  slug: "ollama",
  name: "Ollama",
  baseUrl: "http://127.0.0.1:11434/v1",
  needsKey: false,
  embeddings: {}
})

/**
 * Together (https://docs.together.ai/docs/inference/openai-compatibility). Use it with `parameterLists.together`: its
 * `logprobs` is a number, unlike OpenAI's. It has no use for `cache_control` and `reasoning_details`, which it does not get.
 */
export const together = connect({
  slug: "together",
  name: "Together",
  baseUrl: "https://api.together.ai/v1",
  listedAs: "togetherai",
  // Its reasoning is in `reasoning`, also of models that want it elsewhere under other names.
  findModel: () => ({
    reasoningParameters: ["reasoning_effort", "reasoning"],
    reasoningField: undefined
  }),
  refusedFields: ["reasoning_details"],
  takesCacheMarks: false,
  embeddings: {}
})

/** vLLM on this machine (https://docs.vllm.ai), without a key. Use it with `parameterLists.vllm`. */
export const vllm = connect({
  slug: "vllm",
  name: "vLLM",
  baseUrl: "http://127.0.0.1:8000/v1",
  needsKey: false,
  embeddings: {}
})

/**
 * Grok of xAI (https://docs.x.ai). Use it with `parameterLists.xai`: its models with reasoning reject `stop` and penalties.
 * It has no use for `cache_control` and for `reasoning_details` in chats, which it does not get. It also has the API `responses`.
 */
export const xai = connect({
  slug: "xai",
  name: "xAI",
  baseUrl: "https://api.x.ai/v1",
  listedAs: "xai",
  authors: ["xai", "x-ai"],
  refusedFields: ["reasoning_details"],
  takesCacheMarks: false
})
