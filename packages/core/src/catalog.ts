/** The entry point for tools that read, compare and check catalogs. */
export {
  type Configuration,
  make as makeConfiguration,
  type ResolvedModel
} from "./catalog/Configuration.ts"
export { applyOverlay, type CatalogOverlay, type ModelOverlay } from "./catalog/CatalogOverlay.ts"
export type { Endpoint, EndpointConfig } from "./catalog/endpoint/Endpoint.ts"
export {
  isKnown as isPriceKnown,
  make as makePrice,
  toPriceList
} from "./catalog/endpoint/Price.ts"
export type { PriceList } from "./catalog/endpoint/PriceList.ts"
export { Quantization } from "./catalog/endpoint/Quantization.ts"
export type { Model, ModelConfig } from "./catalog/model/Model.ts"
export type { CardConfig, ModelCard } from "./catalog/model/ModelCard.ts"
export {
  type ListProvider,
  type ModelListOptions,
  parseModelList
} from "./catalog/source/parseModelList.ts"
