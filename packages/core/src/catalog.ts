/** The entry point for tools that read, compare and check catalogs. */
export {
  type Configuration,
  make as makeConfiguration,
  type ResolvedModel
} from "./engine/catalog/Configuration.ts"
export {
  applyOverlay,
  type CatalogOverlay,
  type ModelOverlay
} from "./engine/catalog/CatalogOverlay.ts"
export type { Endpoint, EndpointConfig } from "./engine/catalog/endpoint/Endpoint.ts"
export {
  isKnown as isPriceKnown,
  make as makePrice,
  toPriceList
} from "./engine/catalog/endpoint/Price.ts"
export type { PriceList } from "./engine/catalog/endpoint/PriceList.ts"
export { Quantization } from "./engine/catalog/endpoint/Quantization.ts"
export type { Model, ModelConfig } from "./engine/catalog/model/Model.ts"
export type { CardConfig, ModelCard } from "./engine/catalog/model/ModelCard.ts"
export {
  type ListProvider,
  type ModelListOptions,
  parseModelList
} from "./engine/catalog/source/parseModelList.ts"
export {
  completeModels,
  type CompletedModels,
  needsPrices,
  type UnlistedEndpoint
} from "./engine/catalog/prices/completeModels.ts"
export { expandWildcards } from "./engine/catalog/prices/expandWildcards.ts"
export type { ListedModel, PriceBook, PricesOption } from "./engine/catalog/prices/PriceBook.ts"
