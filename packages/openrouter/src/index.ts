/** The public face of the native upstream. Exports are listed one by one. */
export { openrouter, type OpenRouterOptions } from "./openrouter.ts"
