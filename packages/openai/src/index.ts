/** The public face of the OpenAI-dialect upstream. Exports are listed one by one. */
export { openai, type OpenAiOptions } from "./openai.ts"
export { parameterLists } from "./parameterLists.ts"
