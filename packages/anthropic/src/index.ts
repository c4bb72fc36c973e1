/** The exports of the package, listed one by one. */
export { anthropic, type AnthropicOptions } from "./anthropic.ts"
export { azureFoundry, type AzureFoundryOptions } from "./azureFoundry.ts"
export type { ChatOptions } from "./ChatOptions.ts"
export { parameterLists } from "./parameterLists.ts"
