/** The exports of the package, listed one by one. */
export type {
  AiSdkModel,
  EmbeddingModelOfCredential,
  EmbeddingOptionsOf,
  ModelOfCredential,
  ProviderOptionsOf
} from "./AiSdkModel.ts"
export { type AiSdkOptions, fromAiSdk } from "./fromAiSdk.ts"
