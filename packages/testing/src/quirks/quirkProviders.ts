/** The providers and servers in the table of quirks. */

interface QuirkProviderFacts {
  readonly name: string
  /** A model that it has. */
  readonly model: string
}

export const quirkProviders = {
  anthropic: { name: "Anthropic", model: "claude-sonnet-4-5" },
  azure: { name: "Azure OpenAI", model: "gpt-4.1" },
  cerebras: { name: "Cerebras", model: "gpt-oss-120b" },
  deepseek: { name: "DeepSeek", model: "deepseek-v4-flash" },
  fireworks: { name: "Fireworks", model: "kimi-k2-thinking" },
  gemini: { name: "Gemini", model: "gemini-3-flash-preview" },
  geminiOpenai: { name: "Gemini, OpenAI-compatible", model: "gemini-3-flash-preview" },
  groq: { name: "Groq", model: "qwen3-32b" },
  litellm: { name: "LiteLLM", model: "claude-sonnet-4-5" },
  llamacpp: { name: "llama.cpp", model: "qwen3-coder" },
  lmstudio: { name: "LM Studio", model: "qwen3-vl-30b" },
  mistral: { name: "Mistral", model: "magistral-medium-2509" },
  moonshot: { name: "Moonshot", model: "kimi-k2.6" },
  ollama: { name: "Ollama", model: "qwen3-coder" },
  openai: { name: "OpenAI", model: "gpt-4.1" },
  openrouter: { name: "OpenRouter", model: "acme-large" },
  other: { name: "Other compatible servers", model: "acme-large" },
  together: { name: "Together", model: "qwen3-235b" },
  vllm: { name: "vLLM", model: "qwen3-32b" },
  xai: { name: "xAI", model: "grok-4-fast-reasoning" }
} as const satisfies Readonly<Record<string, QuirkProviderFacts>>

export type QuirkProvider = keyof typeof quirkProviders
