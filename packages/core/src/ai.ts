/** The entry point for applications of Effect's AI services: language, embedding and decision models over an instance. */
export { authenticateKey } from "./ai/CurrentCaller.ts"
export { CurrentCaller } from "./ai/CurrentCaller.ts"
export type {
  CallMetadata,
  DecisionMetadata,
  FinishMetadata,
  ServingMetadata
} from "./ai/partMetadata.ts"
export type {
  CacheOptions,
  ReasoningMetadata,
  SignatureMetadata,
  TextMetadata
} from "./dialects/parts/partMetadata.ts"
export * as SignalboxDecisionModel from "./ai/SignalboxDecisionModel.ts"
export * as SignalboxEmbeddingModel from "./ai/SignalboxEmbeddingModel.ts"
export * as SignalboxLanguageModel from "./ai/SignalboxLanguageModel.ts"
