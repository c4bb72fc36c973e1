/** The exports of the package, listed one by one. */
export { anthropic, type AnthropicOptions } from "./anthropic.ts"
export { parameterLists } from "./parameterLists.ts"
