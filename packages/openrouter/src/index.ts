/** The public face of what speaks this wire to others. Exports are listed one by one. */
export { openrouter, type OpenRouterOptions } from "./openrouter.ts"
export { openrouterCatalog, type OpenRouterCatalogOptions } from "./openrouterCatalog.ts"
