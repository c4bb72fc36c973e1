/** What storage of your own needs: every store port, the records behind it, their codecs, and the stores in memory. */
export type { Account } from "./accounts/Account.ts"
export { AccountStore } from "./accounts/AccountStore.ts"
export type { AccountSettings } from "./accounts/AccountSettings.ts"
export { Transaction } from "./Transaction.ts"
export type { ApiKey, KeyKind, KeyRateLimit } from "./auth/keys/ApiKey.ts"
export { ApiKeyStore, type KeyFilter, type KeyRotation } from "./auth/keys/ApiKeyStore.ts"
export { RateLimitsUnavailable } from "./auth/AuthErrors.ts"
export type { KeyLimit } from "./auth/keys/KeyLimit.ts"
export { RateLimitStore } from "./auth/rateLimits/RateLimitStore.ts"
export { reorder, type OrderChange } from "./byok/reorder.ts"
export {
  type CredentialScope,
  CredentialStore,
  type NewSealedCredential,
  type OwnedCredential
} from "./byok/CredentialStore.ts"
export type { SealedCredential } from "./byok/SealedCredential.ts"
export type { CalibrationGroup, CalibrationSample } from "./calibration/CalibrationSample.ts"
export {
  type AccountCalibration,
  CalibrationStore,
  type LabeledGroup,
  type SampleFilter,
  type StoredMaps
} from "./calibration/CalibrationStore.ts"
export type { FittedMaps } from "./calibration/FittedMaps.ts"
export { decodeFloats, encodeFloats } from "./calibration/numberBytes.ts"
export { type StorageQueueReport, type StorageReport, StorageStatus } from "./StorageStatus.ts"
export { type Invalidation, ChangeFeed, type ChangeTopic } from "./ChangeFeed.ts"
export { LeaseClock } from "./values/LeaseClock.ts"
export { StoreUnavailable } from "./values/errors/StoreUnavailable.ts"
export type { ExperimentMeasures } from "./experiments/ExperimentMeasures.ts"
export {
  addToState,
  endRun,
  type ExperimentEnd,
  type ExperimentState,
  startRun
} from "./experiments/ExperimentState.ts"
export { ExperimentStore } from "./experiments/ExperimentStore.ts"
export type { Assignment, AssignmentKind } from "./guardrails/Assignment.ts"
export type { Guardrail } from "./guardrails/Guardrail.ts"
export {
  type AssignmentChange,
  GuardrailStore,
  type GuardrailSubjects
} from "./guardrails/GuardrailStore.ts"
export type {
  Intern,
  InternClaim,
  InternCreation,
  InternProgress,
  InternRun
} from "./interns/Intern.ts"
export { NameTaken, NotLendable } from "./interns/InternErrors.ts"
export { InternId } from "./interns/InternId.ts"
export { InternStatus } from "./interns/InternStatus.ts"
export { type InternFilter, InternStore } from "./interns/InternStore.ts"
export * as JobKind from "./jobs/JobKind.ts"
export { type DeadLetter, JobStore, type QueueDepth } from "./jobs/JobStore.ts"
export {
  type Interval as SpendInterval,
  type Window as SpendWindow,
  toWindow
} from "./ledger/Interval.ts"
export { LimitExceeded } from "./ledger/LedgerErrors.ts"
export { LedgerStore, type ReservationRequest, type Settlement } from "./ledger/LedgerStore.ts"
export { toCounterKey, type Limit, type LimitKind } from "./ledger/Limit.ts"
export { noSpend, type Spend, SpendCounters, toSpentAmount } from "./ledger/SpendCounters.ts"
export * as Subject from "./ledger/Subject.ts"
export { MemoryJournal, type JournaledWrite } from "./MemoryJournal.ts"
export { type AuditEntry, AuditLog } from "./observability/audit/AuditLog.ts"
export { FailedRequest } from "./observability/failures/FailedRequest.ts"
export {
  type FailedRequestFilter,
  FailedRequestStore
} from "./observability/failures/FailedRequestStore.ts"
export { truncateGeneration } from "./observability/generations/truncateGeneration.ts"
export type {
  Generation,
  GenerationAttempt,
  ExceededLimit,
  GenerationConstraint,
  GenerationLimit,
  GenerationReason
} from "./observability/generations/Generation.ts"
export {
  type GenerationFilter,
  type GenerationPage,
  type GenerationPageRequest,
  type GenerationPosition,
  hasTried,
  toFilterValues,
  toGenerationPage
} from "./observability/generations/GenerationFilter.ts"
export { GenerationStore } from "./observability/generations/GenerationStore.ts"
export {
  type Dimension,
  dimensions,
  type DimensionValue
} from "./observability/rollups/Dimension.ts"
export type { Measures } from "./observability/rollups/Measures.ts"
export {
  bucketMillis,
  getRollupRetention,
  type Resolution,
  resolutions,
  toBucketStart
} from "./observability/rollups/Resolution.ts"
export * as Rollup from "./observability/rollups/Rollup.ts"
export * as RollupDelta from "./observability/rollups/RollupDelta.ts"
export { decodeRollup, encodeRollup } from "./observability/rollups/rollupDocument.ts"
export {
  type RollupBucket,
  type RollupQuery,
  RollupStore
} from "./observability/rollups/RollupStore.ts"
export type { Stores } from "./domains.ts"
export type { StoresOption } from "./storePorts.ts"
export { isSameHash } from "./secrets/hashKey.ts"
export type { SealedSecret } from "./secrets/SealedSecret.ts"
export { Settings } from "./Settings.ts"
export { AccountId, defaultAccountId } from "./values/ids/AccountId.ts"
export { GenerationId } from "./values/ids/GenerationId.ts"
export type { Actor } from "./values/Actor.ts"
export { KeyHash } from "./values/ids/KeyHash.ts"
export { toKeyNumber } from "./values/ids/toKeyNumber.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { OperationName } from "./values/OperationName.ts"
export type { TokenUsage } from "./values/usage/TokenUsage.ts"
export { Trace } from "./values/Trace.ts"
export { UserId } from "./values/ids/UserId.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/ids/WorkspaceId.ts"
export type { OffsetRequest, OffsetPage } from "./values/pages/OffsetPage.ts"
export {
  type CursorRow,
  type CursorRequest,
  type CursorPage,
  toCursorPage
} from "./values/pages/CursorPage.ts"
export { checkOptionTypes, type OptionTypes } from "./values/validation/checkOptionTypes.ts"
export type { StoredSecret } from "./vaults/Secret.ts"
export type { Vault } from "./vaults/Vault.ts"
export { VaultId } from "./vaults/VaultId.ts"
export {
  type ClosedVault,
  type OwnedKey,
  type OwnedSecret,
  type SecretPutResult,
  type StoredSecretPage,
  VaultStore
} from "./vaults/VaultStore.ts"
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryError,
  DeliveryState
} from "./webhooks/Delivery.ts"
export { type DeliveryFilter, DeliveryStore } from "./webhooks/DeliveryStore.ts"
export type { WebhookEvent } from "./webhooks/WebhookEvent.ts"
export type {
  VideoReservation,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoAssignment,
  VideoPlan
} from "./videos/VideoJob.ts"
export { VideoJobId } from "./videos/VideoJobId.ts"
export { type Blob, BlobFailed, BlobStore } from "./videos/content/BlobStore.ts"
export { ContentTooLarge, TooManyActiveJobs } from "./videos/VideoErrors.ts"
export { VideoStatus } from "./videos/VideoStatus.ts"
export { type VideoClaim, type VideoFilter, VideoStore } from "./videos/VideoStore.ts"
export { stripInlineMedia } from "./videos/request/stripInlineMedia.ts"
export type { Budget, Interval } from "./workspaces/Budget.ts"
export type { Member } from "./workspaces/Member.ts"
export type { OnWorkspaceDelete } from "./workspaces/OnWorkspaceDelete.ts"
export type { Workspace } from "./workspaces/Workspace.ts"
export { SlugTaken } from "./workspaces/WorkspaceErrors.ts"
export type { Webhook } from "./workspaces/Webhook.ts"
export {
  type StoredWebhook,
  type StoredWebhookSecret,
  type OwnedWebhookSecret,
  WebhookStore
} from "./workspaces/WebhookStore.ts"
export { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"
export { memoryStores } from "./domains.ts"
export {
  accountCodec,
  apiKeyCodec,
  assignmentCodec,
  auditEntryCodec,
  budgetCodec,
  deadLetterCodec,
  deliveryCodec,
  experimentStateCodec,
  fittedMapsCodec,
  generationCodec,
  guardrailCodec,
  internCodec,
  limitCodec,
  memberCodec,
  sealedCredentialCodec,
  spendCodec,
  storedSecretCodec,
  storedWebhookCodec,
  storedWebhookSecretCodec,
  vaultCodec,
  videoJobCodec,
  workspaceCodec
} from "./codecs/recordCodecs.ts"
export {
  type CountResources,
  type Quota,
  QuotaExceeded,
  enforceQuota
} from "./values/enforceQuota.ts"
