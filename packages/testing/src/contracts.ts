/** Test suites for implementations of the ports: stores, upstreams and hosts. */
export { AccountStoreContract } from "./storeContract/AccountStoreContract.ts"
export { AlertStoreContract } from "./storeContract/AlertStoreContract.ts"
export { ApiKeyStoreContract } from "./storeContract/ApiKeyStoreContract.ts"
export { TransactionContract } from "./storeContract/TransactionContract.ts"
export { AuditLogContract } from "./storeContract/AuditLogContract.ts"
export { BlobStoreContract } from "./storeContract/BlobStoreContract.ts"
export { CalibrationStoreContract } from "./storeContract/CalibrationStoreContract.ts"
export { AuthCodeStoreContract } from "./storeContract/AuthCodeStoreContract.ts"
export { ContentStoreContract } from "./storeContract/ContentStoreContract.ts"
export { CredentialStoreContract } from "./storeContract/CredentialStoreContract.ts"
export { DeliveryStoreContract } from "./storeContract/DeliveryStoreContract.ts"
export {
  DurableJobsContract,
  type DurableJobsContractOptions
} from "./storeContract/DurableJobsContract.ts"
export { ExperimentStoreContract } from "./storeContract/ExperimentStoreContract.ts"
export { FailedRequestStoreContract } from "./storeContract/FailedRequestStoreContract.ts"
export { FeedbackStoreContract } from "./storeContract/FeedbackStoreContract.ts"
export { GenerationStoreContract } from "./storeContract/GenerationStoreContract.ts"
export { GuardrailStoreContract } from "./storeContract/GuardrailStoreContract.ts"
export { IncidentStoreContract } from "./storeContract/IncidentStoreContract.ts"
export { InternStoreContract } from "./storeContract/InternStoreContract.ts"
export type { LeaseTime } from "./storeContract/LeaseTime.ts"
export { LedgerStoreContract } from "./storeContract/LedgerStoreContract.ts"
export {
  RateLimitStoreContract,
  type RateLimitStoreContractOptions
} from "./storeContract/RateLimitStoreContract.ts"
export { namePerson } from "./storeContract/namePerson.ts"
export { PersonStoreContract } from "./storeContract/PersonStoreContract.ts"
export { PresetStoreContract } from "./storeContract/PresetStoreContract.ts"
export { ResponseCacheStoreContract } from "./storeContract/ResponseCacheStoreContract.ts"
export { RollupStoreContract } from "./storeContract/RollupStoreContract.ts"
export { SavedViewStoreContract } from "./storeContract/SavedViewStoreContract.ts"
export {
  SemanticCacheContract,
  type SemanticCacheContractOptions
} from "./storeContract/SemanticCacheContract.ts"
export { LimitCalendarContract } from "./storeContract/LimitCalendarContract.ts"
export { SpendCountersContract } from "./storeContract/SpendCountersContract.ts"
export { TrafficControlStoreContract } from "./storeContract/TrafficControlStoreContract.ts"
export { VaultStoreContract } from "./storeContract/VaultStoreContract.ts"
export { VideoStoreContract } from "./storeContract/VideoStoreContract.ts"
export { WebhookStoreContract } from "./storeContract/WebhookStoreContract.ts"
export { WorkspaceStoreContract } from "./storeContract/WorkspaceStoreContract.ts"
export { hostContract } from "./hostContract.ts"
export { listen } from "./hostContract/listen.ts"
export type {
  HostContractOptions,
  MakeHarness,
  Parser,
  ParserKind,
  HostSetup,
  RunningHost
} from "./hostContract/HostHarness.ts"
export { chatUpstreamContract, type ChatUpstreamContractOptions } from "./chatUpstreamContract.ts"
export {
  embeddingUpstreamContract,
  type EmbeddingUpstreamContractOptions
} from "./embeddingUpstreamContract.ts"
export {
  imageUpstreamContract,
  type ImageUpstreamContractOptions
} from "./imageUpstreamContract.ts"
export {
  rerankUpstreamContract,
  type RerankUpstreamContractOptions
} from "./rerankUpstreamContract.ts"
export {
  speechUpstreamContract,
  type SpeechUpstreamContractOptions
} from "./speechUpstreamContract.ts"
export {
  transcriptionUpstreamContract,
  type TranscriptionUpstreamContractOptions
} from "./transcriptionUpstreamContract.ts"
export { upstreamContract, type UpstreamContractOptions } from "./upstreamContract.ts"
export {
  videoUpstreamContract,
  type VideoUpstreamContractOptions
} from "./videoUpstreamContract.ts"
export { selfSignedCertificate, type Certificate } from "./selfSignedCertificate.ts"
