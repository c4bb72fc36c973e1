/** Usage as providers report it: plain data, one row for each way of reporting, with its source. */

type Json = Readonly<Record<string, unknown>>

/** What an answer must be charged for. Counts that are absent are 0 or unknown. */
export interface ExpectedUsage {
  readonly prompt: number
  /** With reasoning. */
  readonly completion: number
  readonly reasoning?: number
  readonly cached?: number
  readonly cacheWrite?: number
  readonly cacheWrite1h?: number
  readonly audio?: number
  readonly audioOutput?: number
  readonly imageOutput?: number
  readonly searches?: number
  /** The tier in the record of the request. */
  readonly tier?: string
}

export interface UsageRow {
  readonly provider: string
  /** The public page or report that shows it. */
  readonly source: string
  readonly dialect: "chat" | "messages" | "responses" | "gemini"
  /** The upstream that speaks it, where it is not the plain one of its dialect. */
  readonly upstream?: "xai"
  /** The object with the counts; undefined: the answer has none. */
  readonly usage: Json | undefined
  /** Where a stream has it; absent: in an event of its own, or where its dialect puts it. */
  readonly streamedIn?: "choice" | "x_groq" | "every chunk"
  /** Further fields of the answer. */
  readonly beside?: Json
  /** Further fields of the candidate that answers. */
  readonly candidate?: Json
  readonly expected: ExpectedUsage
  /** USD, at `prices`. */
  readonly charge: number
}

/** USD per token, or per search. */
export const prices = {
  prompt: "0.000001",
  completion: "0.00001",
  input_cache_read: "0.0000001",
  input_cache_write: "0.00000125",
  input_cache_write_1h: "0.000002",
  audio: "0.000004",
  audio_output: "0.00002",
  image_output: "0.00003",
  web_search: "0.01"
}

export const usageRows: ReadonlyArray<UsageRow> = [
  {
    provider: "OpenAI, reasoning within the completion",
    source: "https://platform.openai.com/docs/api-reference/chat/object",
    dialect: "chat",
    usage: {
      prompt_tokens: 500,
      completion_tokens: 300,
      total_tokens: 800,
      prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 200,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0
      }
    },
    beside: { service_tier: "default" },
    expected: { prompt: 500, completion: 300, reasoning: 200, cached: 100, tier: "default" },
    charge: 0.00341
  },
  {
    provider: "OpenAI, audio in and out",
    source: "https://platform.openai.com/docs/guides/audio",
    dialect: "chat",
    usage: {
      prompt_tokens: 300,
      completion_tokens: 200,
      total_tokens: 500,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 250, text_tokens: 50 },
      completion_tokens_details: { audio_tokens: 150, text_tokens: 50 }
    },
    expected: { prompt: 300, completion: 200, audio: 250, audioOutput: 150 },
    charge: 0.00455
  },
  {
    provider: "OpenAI, cache writes",
    source:
      "https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_usage.py",
    dialect: "chat",
    usage: {
      prompt_tokens: 600,
      completion_tokens: 20,
      total_tokens: 620,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 400 }
    },
    expected: { prompt: 600, completion: 20, cached: 100, cacheWrite: 400 },
    charge: 0.00081
  },
  {
    provider: "Azure OpenAI, with its filters",
    source: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference",
    dialect: "chat",
    usage: {
      prompt_tokens: 33,
      completion_tokens: 557,
      total_tokens: 590,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 448, audio_tokens: 0 }
    },
    beside: { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
    expected: { prompt: 33, completion: 557, reasoning: 448 },
    charge: 0.005603
  },
  {
    provider: "xAI, reasoning beside the completion",
    source: "https://github.com/vercel/ai/issues/12425",
    dialect: "chat",
    upstream: "xai",
    usage: {
      prompt_tokens: 32,
      completion_tokens: 9,
      total_tokens: 135,
      prompt_tokens_details: {
        text_tokens: 32,
        audio_tokens: 0,
        image_tokens: 0,
        cached_tokens: 6
      },
      completion_tokens_details: {
        reasoning_tokens: 94,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0
      },
      num_sources_used: 0
    },
    expected: { prompt: 32, completion: 103, reasoning: 94, cached: 6 },
    charge: 0.0010566
  },
  {
    provider: "xAI, live search by its sources",
    source: "https://docs.x.ai/docs/guides/live-search",
    dialect: "chat",
    upstream: "xai",
    usage: {
      prompt_tokens: 50,
      completion_tokens: 40,
      total_tokens: 90,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
      num_sources_used: 3
    },
    expected: { prompt: 50, completion: 40, searches: 3 },
    charge: 0.03045
  },
  {
    provider: "xAI, full cache hit",
    source: "https://docs.x.ai/developers/advanced-api-usage/prompt-caching/usage-and-pricing",
    dialect: "chat",
    upstream: "xai",
    usage: {
      prompt_tokens: 125,
      completion_tokens: 48,
      total_tokens: 173,
      prompt_tokens_details: {
        text_tokens: 125,
        audio_tokens: 0,
        image_tokens: 0,
        cached_tokens: 98
      },
      completion_tokens_details: { reasoning_tokens: 0 }
    },
    expected: { prompt: 125, completion: 48, cached: 98 },
    charge: 0.0005168
  },
  {
    provider: "Grok on Vertex AI, reasoning apart",
    source:
      "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/grok/capabilities/reasoning",
    dialect: "chat",
    usage: {
      completion_tokens: 50,
      completion_tokens_details: { reasoning_tokens: 314 },
      prompt_tokens: 163,
      prompt_tokens_details: { cached_tokens: 150 },
      total_tokens: 527
    },
    expected: { prompt: 163, completion: 364, reasoning: 314, cached: 150 },
    charge: 0.003668
  },
  {
    provider: "Gemini behind the OpenAI dialect, nothing but reasoning",
    source: "https://github.com/router-for-me/CLIProxyAPI/issues/5733",
    dialect: "chat",
    usage: {
      completion_tokens: 0,
      total_tokens: 81,
      prompt_tokens: 21,
      completion_tokens_details: { reasoning_tokens: 60 }
    },
    expected: { prompt: 21, completion: 60, reasoning: 60 },
    charge: 0.000621
  },
  {
    provider: "Gemini behind the OpenAI dialect, reasoning only in the total",
    source: "https://github.com/mozilla-ai/any-llm/issues/1290",
    dialect: "chat",
    usage: { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
    expected: { prompt: 20, completion: 603 },
    charge: 0.00605
  },
  {
    provider: "Gemini OpenAI endpoint without a completion",
    source: "https://ai.google.dev/gemini-api/docs/openai",
    dialect: "chat",
    usage: { prompt_tokens: 9, total_tokens: 40 },
    expected: { prompt: 9, completion: 31 },
    charge: 0.000319
  },
  {
    provider: "DeepSeek, hits and misses of its cache",
    source: "https://api-docs.deepseek.com/guides/kv_cache",
    dialect: "chat",
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 40,
      total_tokens: 1040,
      prompt_cache_hit_tokens: 900,
      prompt_cache_miss_tokens: 100
    },
    expected: { prompt: 1000, completion: 40, cached: 900 },
    charge: 0.00059
  },
  {
    provider: "DeepSeek, reasoning within the completion",
    source: "https://api-docs.deepseek.com/api/create-chat-completion",
    dialect: "chat",
    usage: {
      prompt_tokens: 100,
      completion_tokens: 700,
      total_tokens: 800,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 600 },
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36
    },
    expected: { prompt: 100, completion: 700, reasoning: 600, cached: 64 },
    charge: 0.0070424
  },
  {
    provider: "Kimi, cached tokens at the top",
    source: "https://github.com/earendil-works/pi/issues/8075",
    dialect: "chat",
    usage: { prompt_tokens: 1000, completion_tokens: 13, total_tokens: 1013, cached_tokens: 900 },
    expected: { prompt: 1000, completion: 13, cached: 900 },
    charge: 0.00032
  },
  {
    provider: "Moonshot, usage in the last choice of a stream",
    source: "https://github.com/northes/go-moonshot/issues/17",
    dialect: "chat",
    usage: { prompt_tokens: 19, completion_tokens: 13, total_tokens: 32, cached_tokens: 12 },
    streamedIn: "choice",
    expected: { prompt: 19, completion: 13, cached: 12 },
    charge: 0.0001382
  },
  {
    provider: "Groq, usage in x_groq",
    source:
      "https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_chunk.py",
    dialect: "chat",
    usage: {
      queue_time: 0.03,
      prompt_tokens: 18,
      prompt_time: 0.0005,
      completion_tokens: 556,
      completion_time: 0.46,
      total_tokens: 574,
      total_time: 0.46
    },
    streamedIn: "x_groq",
    beside: { service_tier: "on_demand" },
    expected: { prompt: 18, completion: 556, tier: "on_demand" },
    charge: 0.005578
  },
  {
    provider: "Groq, cached tokens and reasoning",
    source: "https://console.groq.com/docs/prompt-caching",
    dialect: "chat",
    usage: {
      queue_time: 0.02,
      prompt_tokens: 900,
      completion_tokens: 120,
      total_tokens: 1020,
      total_time: 0.2,
      prompt_tokens_details: { cached_tokens: 512 },
      completion_tokens_details: { reasoning_tokens: 37 }
    },
    beside: { service_tier: "flex", x_groq: { id: "req_01" } },
    expected: { prompt: 900, completion: 120, cached: 512, reasoning: 37, tier: "flex" },
    charge: 0.0016392
  },
  {
    provider: "Mistral, cached tokens in details",
    source: "https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching",
    dialect: "chat",
    usage: {
      prompt_tokens: 801,
      completion_tokens: 2,
      total_tokens: 803,
      prompt_tokens_details: { cached_tokens: 768 }
    },
    expected: { prompt: 801, completion: 2, cached: 768 },
    charge: 0.0001298
  },
  {
    provider: "Mistral, by its other names",
    source: "https://github.com/0xPlaygrounds/rig/issues/1724",
    dialect: "chat",
    usage: {
      prompt_tokens: 801,
      completion_tokens: 2,
      total_tokens: 803,
      prompt_audio_seconds: null,
      num_cached_tokens: 768,
      prompt_tokens_details: null,
      prompt_token_details: { cached_tokens: 768 }
    },
    expected: { prompt: 801, completion: 2, cached: 768 },
    charge: 0.0001298
  },
  {
    provider: "Together, cached tokens at the top",
    source: "https://docs.together.ai/reference/chat-completions",
    dialect: "chat",
    usage: { prompt_tokens: 400, completion_tokens: 30, total_tokens: 430, cached_tokens: 256 },
    expected: { prompt: 400, completion: 30, cached: 256 },
    charge: 0.0004696
  },
  {
    provider: "Fireworks, with every chunk",
    source: "https://docs.fireworks.ai/guides/prompt-caching",
    dialect: "chat",
    usage: {
      prompt_tokens: 400,
      completion_tokens: 30,
      total_tokens: 430,
      prompt_tokens_details: { cached_tokens: 320 }
    },
    streamedIn: "every chunk",
    expected: { prompt: 400, completion: 30, cached: 320 },
    charge: 0.000412
  },
  {
    provider: "Cerebras, with times beside",
    source: "https://inference-docs.cerebras.ai/capabilities/prompt-caching",
    dialect: "chat",
    usage: {
      prompt_tokens: 700,
      completion_tokens: 90,
      total_tokens: 790,
      prompt_tokens_details: { cached_tokens: 640 },
      completion_tokens_details: { reasoning_tokens: 50, accepted_prediction_tokens: 0 }
    },
    beside: {
      time_info: { queue_time: 0.001, total_time: 0.02, created: 1 },
      service_tier: "priority"
    },
    expected: { prompt: 700, completion: 90, cached: 640, reasoning: 50, tier: "priority" },
    charge: 0.001024
  },
  {
    provider: "SambaNova, with rates among the counts",
    source: "https://docs.sambanova.ai/docs/en/api-reference/overview",
    dialect: "chat",
    usage: {
      acceptance_rate: 3.78,
      completion_tokens: 120,
      completion_tokens_per_sec: 650.5,
      prompt_tokens: 43,
      stop_reason: "stop",
      time_to_first_token: 0.1,
      total_latency: 0.4,
      total_tokens: 163,
      total_tokens_per_sec: 430.1,
      is_last_response: true
    },
    expected: { prompt: 43, completion: 120 },
    charge: 0.001243
  },
  {
    provider: "Perplexity, searches, citations and reasoning beside",
    source: "https://docs.perplexity.ai/docs/getting-started/pricing",
    dialect: "chat",
    usage: {
      prompt_tokens: 33,
      completion_tokens: 265,
      total_tokens: 298,
      citation_tokens: 230,
      num_search_queries: 5,
      reasoning_tokens: 700
    },
    expected: { prompt: 263, completion: 965, reasoning: 700, searches: 5 },
    charge: 0.059913
  },
  {
    provider: "Perplexity, a plain search",
    source: "https://docs.perplexity.ai/api-reference/chat-completions-post",
    dialect: "chat",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: 30,
      search_context_size: "low",
      num_search_queries: 1,
      cost: {
        input_tokens_cost: 0.001,
        output_tokens_cost: 0.002,
        request_cost: 0.005,
        total_cost: 0.008
      }
    },
    expected: { prompt: 10, completion: 20, searches: 1 },
    charge: 0.01021
  },
  {
    provider: "OpenRouter, searches and cache writes",
    source: "https://openrouter.ai/docs/guides/administration/usage-accounting",
    dialect: "chat",
    usage: {
      prompt_tokens: 194,
      completion_tokens: 20,
      total_tokens: 214,
      prompt_tokens_details: {
        cached_tokens: 30,
        cache_write_tokens: 100,
        audio_tokens: 0,
        video_tokens: 0
      },
      completion_tokens_details: { reasoning_tokens: 5, image_tokens: 0 },
      server_tool_use: { web_search_requests: 2 },
      cost: 0.95,
      is_byok: false,
      cost_details: { upstream_inference_cost: null }
    },
    expected: {
      prompt: 194,
      completion: 20,
      cached: 30,
      cacheWrite: 100,
      reasoning: 5,
      searches: 2
    },
    charge: 0.020392
  },
  {
    provider: "DeepInfra, with its own estimate of the cost",
    source: "https://deepinfra.com/docs/openai_api",
    dialect: "chat",
    usage: {
      prompt_tokens: 150,
      completion_tokens: 60,
      total_tokens: 210,
      prompt_tokens_details: { cached_tokens: 128 },
      estimated_cost: 0.000123
    },
    expected: { prompt: 150, completion: 60, cached: 128 },
    charge: 0.0006348
  },
  {
    provider: "Qwen, written to its explicit cache",
    source: "https://www.alibabacloud.com/help/en/model-studio/context-cache",
    dialect: "chat",
    usage: {
      prompt_tokens: 900,
      completion_tokens: 50,
      total_tokens: 950,
      prompt_tokens_details: {
        cached_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 800 },
        cache_creation_input_tokens: 800,
        cache_type: "ephemeral"
      }
    },
    expected: { prompt: 900, completion: 50, cacheWrite: 800 },
    charge: 0.0016
  },
  {
    provider: "Qwen, kept in its cache for an hour",
    source: "https://www.alibabacloud.com/help/en/model-studio/explicit-cache-qwen4",
    dialect: "chat",
    usage: {
      prompt_tokens: 900,
      completion_tokens: 50,
      total_tokens: 950,
      prompt_tokens_details: {
        cached_tokens: 40,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 600 },
        cache_creation_input_tokens: 800,
        cache_type: "ephemeral"
      }
    },
    expected: { prompt: 900, completion: 50, cached: 40, cacheWrite: 800, cacheWrite1h: 600 },
    charge: 0.002014
  },
  {
    provider: "Zhipu",
    source: "https://github.com/langgenius/dify-plugin-sdks/issues/188",
    dialect: "chat",
    usage: {
      completion_tokens: 139,
      prompt_tokens: 427,
      prompt_tokens_details: { cached_tokens: 170 },
      total_tokens: 566
    },
    expected: { prompt: 427, completion: 139, cached: 170 },
    charge: 0.001664
  },
  {
    provider: "MiniMax, with characters",
    source: "https://platform.minimax.io/docs/api-reference/text-openai-api",
    dialect: "chat",
    usage: {
      total_tokens: 280,
      total_characters: 0,
      prompt_tokens: 70,
      completion_tokens: 210,
      completion_tokens_details: { reasoning_tokens: 150 }
    },
    expected: { prompt: 70, completion: 210, reasoning: 150 },
    charge: 0.00217
  },
  {
    provider: "vLLM, details that are null",
    source: "https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html",
    dialect: "chat",
    usage: {
      prompt_tokens: 30,
      total_tokens: 42,
      completion_tokens: 12,
      prompt_tokens_details: null
    },
    expected: { prompt: 30, completion: 12 },
    charge: 0.00015
  },
  {
    provider: "vLLM, with every chunk",
    source: "https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html",
    dialect: "chat",
    usage: {
      prompt_tokens: 330,
      total_tokens: 342,
      completion_tokens: 12,
      prompt_tokens_details: { cached_tokens: 304 }
    },
    streamedIn: "every chunk",
    expected: { prompt: 330, completion: 12, cached: 304 },
    charge: 0.0001764
  },
  {
    provider: "SGLang, reasoning at the top and within",
    source: "https://github.com/sgl-project/sglang/pull/15562",
    dialect: "chat",
    usage: {
      prompt_tokens: 13,
      total_tokens: 415,
      completion_tokens: 402,
      prompt_tokens_details: null,
      reasoning_tokens: 370
    },
    expected: { prompt: 13, completion: 402, reasoning: 370 },
    charge: 0.004033
  },
  {
    provider: "SGLang, cached tokens with a null beside",
    source: "https://github.com/ai-dynamo/dynamo/pull/10925",
    dialect: "chat",
    usage: {
      completion_tokens: 4,
      prompt_tokens: 516,
      prompt_tokens_details: { audio_tokens: null, cached_tokens: 512 },
      total_tokens: 520
    },
    expected: { prompt: 516, completion: 4, cached: 512 },
    charge: 9.52e-5
  },
  {
    provider: "llama.cpp, timings only",
    source: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    dialect: "chat",
    usage: undefined,
    beside: {
      timings: {
        cache_n: 236,
        prompt_n: 1,
        prompt_ms: 30.9,
        predicted_n: 35,
        predicted_ms: 661.0,
        predicted_per_second: 52.9
      }
    },
    expected: { prompt: 237, completion: 35, cached: 236 },
    charge: 0.0003746
  },
  {
    provider: "llama.cpp, usage and timings",
    source: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    dialect: "chat",
    usage: {
      completion_tokens: 35,
      prompt_tokens: 237,
      total_tokens: 272,
      prompt_tokens_details: { cached_tokens: 236 }
    },
    beside: { timings: { cache_n: 236, prompt_n: 1, predicted_n: 35 } },
    expected: { prompt: 237, completion: 35, cached: 236 },
    charge: 0.0003746
  },
  {
    provider: "Ollama",
    source: "https://github.com/ollama/ollama/blob/main/openai/openai.go",
    dialect: "chat",
    usage: { prompt_tokens: 26, completion_tokens: 298, total_tokens: 324 },
    beside: { system_fingerprint: "fp_ollama" },
    expected: { prompt: 26, completion: 298 },
    charge: 0.003006
  },
  {
    provider: "LM Studio, with statistics beside",
    source: "https://lmstudio.ai/docs/developer/openai-compat",
    dialect: "chat",
    usage: {
      prompt_tokens: 24,
      completion_tokens: 187,
      total_tokens: 211,
      completion_tokens_details: { reasoning_tokens: 120 }
    },
    beside: { stats: {} },
    expected: { prompt: 24, completion: 187, reasoning: 120 },
    charge: 0.001894
  },
  {
    provider: "LiteLLM proxy, in the words of Anthropic",
    source: "https://docs.litellm.ai/docs/completion/prompt_caching",
    dialect: "chat",
    usage: {
      prompt_tokens: 800,
      completion_tokens: 60,
      total_tokens: 860,
      prompt_tokens_details: { cached_tokens: 200, cache_creation_tokens: 500 },
      completion_tokens_details: null,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 200
    },
    expected: { prompt: 800, completion: 60, cached: 200, cacheWrite: 500 },
    charge: 0.001345
  },
  {
    provider: "Xiaomi MiMo, with searches",
    source: "https://platform.xiaomimimo.com/#/docs/api/text-generation/openai-api",
    dialect: "chat",
    usage: {
      prompt_tokens: 90,
      completion_tokens: 70,
      total_tokens: 160,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
      web_search_usage: { tool_usage: 2, page_usage: 10 }
    },
    expected: { prompt: 90, completion: 70, searches: 2 },
    charge: 0.02079
  },
  {
    provider: "Anthropic, input without the cache",
    source: "https://platform.claude.com/docs/en/api/messages",
    dialect: "messages",
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 0 },
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
      service_tier: "standard",
      inference_geo: "global"
    },
    expected: {
      prompt: 20,
      completion: 9,
      cached: 7,
      cacheWrite: 3,
      reasoning: 4,
      tier: "default"
    },
    charge: 0.00010445
  },
  {
    provider: "Anthropic, cached for an hour",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    dialect: "messages",
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
      output_tokens: 50,
      service_tier: "priority"
    },
    expected: {
      prompt: 610,
      completion: 50,
      cached: 100,
      cacheWrite: 500,
      cacheWrite1h: 300,
      tier: "priority"
    },
    charge: 0.00137
  },
  {
    provider: "Anthropic, searches",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool",
    dialect: "messages",
    usage: {
      input_tokens: 105,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 500,
      output_tokens: 50,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 1 }
    },
    expected: { prompt: 605, completion: 50, searches: 3, cached: 500 },
    charge: 0.030655
  },
  {
    provider: "Anthropic, a compaction beside the totals",
    source: "https://platform.claude.com/docs/en/build-with-claude/compaction-threshold",
    dialect: "messages",
    usage: {
      input_tokens: 23,
      output_tokens: 100,
      iterations: [
        { type: "compaction", input_tokens: 400, output_tokens: 135 },
        { type: "message", input_tokens: 23, output_tokens: 100 }
      ]
    },
    expected: { prompt: 423, completion: 235 },
    charge: 0.002773
  },
  {
    provider: "OpenAI Responses",
    source: "https://platform.openai.com/docs/api-reference/responses/object",
    dialect: "responses",
    usage: {
      input_tokens: 360,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 87,
      output_tokens_details: { reasoning_tokens: 50 },
      total_tokens: 447
    },
    beside: { service_tier: "default" },
    expected: { prompt: 360, completion: 87, cached: 64, reasoning: 50, tier: "default" },
    charge: 0.0011724
  },
  {
    provider: "OpenAI Responses, cache writes",
    source:
      "https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_usage.py",
    dialect: "responses",
    usage: {
      input_tokens: 600,
      input_tokens_details: { cached_tokens: 100, cache_write_tokens: 400 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 610
    },
    expected: { prompt: 600, completion: 10, cached: 100, cacheWrite: 400 },
    charge: 0.00071
  },
  {
    provider: "OpenAI Responses, searches",
    source: "https://platform.openai.com/docs/api-reference/responses/object",
    dialect: "responses",
    usage: {
      input_tokens: 300,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 60,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 360
    },
    beside: { tool_usage: { web_search: { num_requests: 2 } } },
    expected: { prompt: 300, completion: 60, searches: 2 },
    charge: 0.0209
  },
  {
    provider: "xAI Responses, reasoning within",
    source: "https://docs.x.ai/developers/rest-api-reference/inference/chat",
    dialect: "responses",
    usage: {
      input_tokens: 683,
      input_tokens_details: { cached_tokens: 32 },
      output_tokens: 176,
      output_tokens_details: { reasoning_tokens: 131 },
      total_tokens: 859,
      num_sources_used: 0,
      num_server_side_tools_used: 1,
      server_side_tool_usage_details: {
        web_search_calls: 1,
        x_search_calls: 0,
        code_interpreter_calls: 0
      }
    },
    expected: { prompt: 683, completion: 176, cached: 32, reasoning: 131, searches: 1 },
    charge: 0.0124142
  },
  {
    provider: "Gemini, thoughts beside the answer",
    source: "https://ai.google.dev/api/generate-content#UsageMetadata",
    dialect: "gemini",
    usage: {
      promptTokenCount: 25,
      cachedContentTokenCount: 5,
      candidatesTokenCount: 60,
      thoughtsTokenCount: 190,
      totalTokenCount: 275,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 25 }]
    },
    expected: { prompt: 25, completion: 250, reasoning: 190, cached: 5 },
    charge: 0.0025205
  },
  {
    provider: "Gemini, thoughts within the answer",
    source:
      "https://github.com/BerriAI/litellm/blob/main/litellm/llms/vertex_ai/gemini/vertex_and_google_ai_studio_gemini.py",
    dialect: "gemini",
    usage: {
      promptTokenCount: 25,
      candidatesTokenCount: 250,
      thoughtsTokenCount: 190,
      totalTokenCount: 275
    },
    expected: { prompt: 25, completion: 250, reasoning: 190 },
    charge: 0.002525
  },
  {
    provider: "Gemini, prompts of tools",
    source: "https://ai.google.dev/api/generate-content#UsageMetadata",
    dialect: "gemini",
    usage: {
      promptTokenCount: 25,
      toolUsePromptTokenCount: 300,
      candidatesTokenCount: 60,
      totalTokenCount: 385,
      toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: 300 }]
    },
    expected: { prompt: 325, completion: 60 },
    charge: 0.000925
  },
  {
    provider: "Gemini, audio in and an image out",
    source: "https://ai.google.dev/api/generate-content#UsageMetadata",
    dialect: "gemini",
    usage: {
      promptTokenCount: 300,
      candidatesTokenCount: 350,
      totalTokenCount: 650,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 20 },
        { modality: "AUDIO", tokenCount: 280 }
      ],
      candidatesTokensDetails: [
        { modality: "IMAGE", tokenCount: 258 },
        { modality: "TEXT", tokenCount: 92 }
      ]
    },
    expected: { prompt: 300, completion: 350, audio: 280, imageOutput: 258 },
    charge: 0.0098
  },
  {
    provider: "Gemini, its tier",
    source: "https://ai.google.dev/gemini-api/docs/priority-inference",
    dialect: "gemini",
    usage: {
      promptTokenCount: 25,
      candidatesTokenCount: 60,
      totalTokenCount: 85,
      serviceTier: "flex"
    },
    expected: { prompt: 25, completion: 60, tier: "flex" },
    charge: 0.000625
  },
  {
    provider: "Vertex AI, its traffic",
    source:
      "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse",
    dialect: "gemini",
    usage: {
      promptTokenCount: 25,
      candidatesTokenCount: 60,
      totalTokenCount: 85,
      trafficType: "ON_DEMAND_PRIORITY"
    },
    expected: { prompt: 25, completion: 60, tier: "priority" },
    charge: 0.000625
  },
  {
    provider: "Gemini, searches",
    source: "https://ai.google.dev/gemini-api/docs/pricing",
    dialect: "gemini",
    usage: { promptTokenCount: 25, candidatesTokenCount: 60, totalTokenCount: 85 },
    candidate: { groundingMetadata: { webSearchQueries: ["tower height", "tower age"] } },
    expected: { prompt: 25, completion: 60, searches: 2 },
    charge: 0.020625
  }
]
