/** The exports of the package, listed one by one. */
export { openai, type OpenAiOptions } from "./openai.ts"
export { parameterLists } from "./parameterLists.ts"
