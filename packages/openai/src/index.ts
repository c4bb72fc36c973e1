/** The exports of the package, listed one by one. */
export { azureOpenai, type AzureOpenAiOptions } from "./azureOpenai.ts"
export type { ChatOptions, OpenAiApi } from "./ChatOptions.ts"
export { openai, type OpenAiOptions } from "./openai.ts"
export { rerank, type RerankDialect, type RerankOptions } from "./rerank.ts"
export { parameterLists } from "./parameterLists.ts"
export {
  cerebras,
  deepinfra,
  deepseek,
  fireworks,
  groq,
  lmstudio,
  mistral,
  moonshot,
  ollama,
  type ProviderOptions,
  together,
  vllm,
  xai
} from "./providers.ts"
