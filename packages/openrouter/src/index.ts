/** The exports of the package, listed one by one. */
export { openrouter, type OpenRouterOptions } from "./openrouter.ts"
export { openrouterCatalog, type OpenRouterCatalogOptions } from "./openrouterCatalog.ts"
