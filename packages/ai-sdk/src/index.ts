/** The exports of the package, listed one by one. */
export type {
  AiSdkModel,
  EmbeddingModelOfCredential,
  EmbeddingOptionsOf,
  ImageModelOfCredential,
  ImageOptionsOf,
  ModelOfCredential,
  ProviderOptionsOf
} from "./AiSdkModel.ts"
export { type AiSdkOptions, fromAiSdk } from "./fromAiSdk.ts"
export type { SignalboxMetadata } from "./provider/callMetadata.ts"
export type {
  DecisionAnswer,
  DecisionCallOptions,
  DecisionInput,
  DecisionQuestion,
  DecisionResult,
  DecisionState,
  SignalboxDecisionModel
} from "./provider/DecisionModel.ts"
export type { SignalboxPartOptions } from "./provider/readPartOptions.ts"
export type { SignalboxInstance } from "./provider/SignalboxInstance.ts"
export type {
  SignalboxCaller,
  SignalboxChatOptions,
  SignalboxDecisionOptions,
  SignalboxEmbeddingOptions,
  SignalboxAudioOptions,
  SignalboxImageOptions,
  SignalboxRerankingOptions
} from "./provider/SignalboxOptions.ts"
export {
  type SignalboxProvider,
  signalboxProvider,
  type SignalboxProviderOptions
} from "./provider/signalboxProvider.ts"
