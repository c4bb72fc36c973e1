/**
 * Everything that a store of your own needs: every store port, the records behind it, their codecs, and the stores in
 * memory.
 */
export type { AlertRule } from "./domains/alerts/AlertRule.ts"
export { AlertRuleStore } from "./domains/alerts/AlertRuleStore.ts"
export type { Alert } from "./engine/observability/alerts/Alert.ts"
export { type AlertClaim, AlertStore } from "./engine/observability/alerts/AlertStore.ts"
export type { Account } from "./tenants/accounts/Account.ts"
export { AccountStore } from "./tenants/accounts/AccountStore.ts"
export type { AccountSettings } from "./tenants/accounts/AccountSettings.ts"
export type { OwnedResourceRow, OwnedRows, OwnedStore } from "./instance/OwnedStore.ts"
export { Transaction } from "./instance/Transaction.ts"
export type { ApiKey, KeyKind, KeyRateLimit, TokenRateLimit } from "./tenants/auth/keys/ApiKey.ts"
export { ApiKeyStore, type KeyFilter, type KeyRotation } from "./tenants/auth/keys/ApiKeyStore.ts"
export type { Preset, PresetVersion, StoredPreset } from "./domains/presets/Preset.ts"
export { PresetStore } from "./domains/presets/PresetStore.ts"
export type { SavedView } from "./domains/views/SavedView.ts"
export { SavedViewStore } from "./domains/views/SavedViewStore.ts"
export { type AuthCode, AuthCodeStore } from "./domains/pkce/AuthCode.ts"
export { RateLimitsUnavailable } from "./tenants/auth/AuthErrors.ts"
export type { KeyLimit } from "./tenants/auth/keys/KeyLimit.ts"
export {
  type CachedAnswerFilter,
  type CachedAnswerOwner,
  type NewCachedAnswer,
  ResponseCacheStore
} from "./engine/cache/ResponseCacheStore.ts"
export { countAnswerBytes, isSelected } from "./engine/cache/cachedAnswers.ts"
export { RateLimitStore } from "./tenants/auth/rateLimits/RateLimitStore.ts"
export {
  type CredentialScope,
  CredentialStore,
  type NewSealedCredential,
  type OrderChange,
  type OwnedCredential,
  reorder
} from "./tenants/byok/CredentialStore.ts"
export type { SealedCredential } from "./tenants/byok/UsableCredential.ts"
export type {
  CalibrationGroup,
  CalibrationSample
} from "./domains/calibration/CalibrationSample.ts"
export {
  type AccountCalibration,
  CalibrationStore,
  type LabeledGroup,
  type SampleFilter,
  type StoredMaps
} from "./domains/calibration/CalibrationStore.ts"
export { type ContentFilter, ContentStore } from "./domains/content/ContentStore.ts"
export type { KeptContent } from "./domains/content/KeptContent.ts"
export type { Feedback, FeedbackCategory } from "./domains/feedback/Feedback.ts"
export { type FeedbackFilter, FeedbackStore } from "./domains/feedback/FeedbackStore.ts"
export type { FittedMaps } from "./domains/calibration/FittedMaps.ts"
export { decodeFloats, encodeFloats } from "./domains/calibration/QuestionHasher.ts"
export {
  type StorageQueueReport,
  type StorageReport,
  StorageStatus
} from "./instance/StorageStatus.ts"
export { type Invalidation, ChangeFeed, type ChangeTopic } from "./instance/ChangeFeed.ts"
export { ProcessReports, type StoredReport } from "./instance/ProcessReports.ts"
export { maxMessageBytes, ProcessChannel, type ProcessMessage } from "./instance/ProcessChannel.ts"
export { LeaseClock } from "./values/LeaseClock.ts"
export { StoreUnavailable } from "./values/errors/StoreUnavailable.ts"
export type { ExperimentMeasures } from "./domains/experiments/ExperimentMeasures.ts"
export {
  addToState,
  endRun,
  type ExperimentEnd,
  type ExperimentState,
  startRun
} from "./domains/experiments/ExperimentState.ts"
export type { TrafficControl } from "./engine/health/control/TrafficControl.ts"
export type { Incident } from "./domains/incidents/Incident.ts"
export { type IncidentFilter, IncidentStore } from "./domains/incidents/IncidentStore.ts"
export { TrafficControlStore } from "./engine/health/control/TrafficControlStore.ts"
export { ExperimentStore } from "./domains/experiments/ExperimentStore.ts"
export type { Assignment, AssignmentKind } from "./tenants/guardrails/Assignment.ts"
export type { Guardrail } from "./tenants/guardrails/Guardrail.ts"
export {
  type AssignmentChange,
  GuardrailStore,
  type GuardrailSubjects
} from "./tenants/guardrails/GuardrailStore.ts"
export type {
  Intern,
  InternClaim,
  InternCreation,
  InternProgress,
  InternRun
} from "./domains/interns/Intern.ts"
export { NameTaken, NotLendable } from "./domains/interns/Intern.ts"
export { InternId } from "./domains/interns/InternId.ts"
export { InternStatus } from "./domains/interns/InternStatus.ts"
export { type InternFilter, InternStore } from "./domains/interns/InternStore.ts"
export * as JobKind from "./engine/jobs/JobKind.ts"
export { type DeadLetter, JobStore, type QueueDepth } from "./engine/jobs/JobStore.ts"
export { type Calendar, type CalendarSettings, getCalendar } from "./engine/ledger/Calendar.ts"
export type { Interval as SpendInterval, Window as SpendWindow } from "./engine/ledger/Interval.ts"
export { LimitExceeded } from "./engine/ledger/LedgerErrors.ts"
export {
  LedgerStore,
  type ReservationRequest,
  type Settlement
} from "./engine/ledger/LedgerStore.ts"
export { toBindingCap, toCounterKey, type Limit, type LimitKind } from "./engine/ledger/Limit.ts"
export { noSpend, type Spend, SpendCounters, toSpentAmount } from "./engine/ledger/SpendCounters.ts"
export * as Subject from "./engine/ledger/Subject.ts"
export { MemoryJournal, type JournaledWrite } from "./memory/MemoryJournal.ts"
export { type AuditEntry, AuditLog } from "./engine/observability/audit/AuditLog.ts"
export { FailedRequest } from "./engine/observability/failures/FailedRequest.ts"
export {
  type FailedRequestFilter,
  FailedRequestStore
} from "./engine/observability/failures/FailedRequest.ts"
export { truncateGeneration } from "./engine/observability/generations/truncateGeneration.ts"
export type {
  Generation,
  GenerationAttempt,
  ExceededLimit,
  GenerationConstraint,
  GenerationLimit,
  GenerationReason
} from "./engine/observability/generations/Generation.ts"
export {
  type FigureRange,
  type GenerationFigure,
  generationFigures,
  type GenerationFilter,
  type GenerationPage,
  type GenerationPageRequest,
  type GenerationPosition,
  hasFigures,
  toFigures,
  hasTag,
  concernsProvider,
  hasTried,
  toFilterValues,
  toGenerationPage
} from "./engine/observability/generations/GenerationFilter.ts"
export { toGenerationDocument } from "./engine/observability/generations/generationDocument.ts"
export { GenerationStore } from "./engine/observability/generations/GenerationStore.ts"
export {
  maxSessionNames,
  type SessionFilter,
  type SessionNames,
  type SessionPage,
  type SessionPageRequest,
  type SessionPosition,
  type SessionSummary,
  toSessionPage
} from "./engine/observability/generations/SessionSummary.ts"
export type { Measures } from "./engine/observability/rollups/Measures.ts"
export {
  bucketMillis,
  getRollupRetention,
  type Resolution,
  resolutions,
  toBucketStart
} from "./engine/observability/rollups/Resolution.ts"
export * as Rollup from "./engine/observability/rollups/Rollup.ts"
export * as RollupDelta from "./engine/observability/rollups/RollupDelta.ts"
export { decodeRollup, encodeRollup } from "./engine/observability/rollups/rollupDocument.ts"
export {
  type RollupBucket,
  type RollupQuery,
  RollupStore
} from "./engine/observability/rollups/RollupStore.ts"
export type { Person, Renaming } from "./domains/people/PersonStore.ts"
export { deliversName, namesPerson } from "./domains/people/renameBounds.ts"
export { PersonStore } from "./domains/people/PersonStore.ts"
export {
  renameAssignment,
  renameAuditEntry,
  renameFeedback,
  renameGeneration,
  type NamedMaps,
  renameIntern,
  renameMaps,
  renamePreset,
  renamePresetVersion,
  renameSample,
  renameSavedView,
  renameVideoJob
} from "./domains/people/renameRecords.ts"
export { mayNamePerson, renameRollup } from "./domains/people/renameRollup.ts"
export { renameCounterKey, renameSubject } from "./engine/ledger/Subject.ts"
export type { Stores } from "./domains.ts"
export type { StoresOption } from "./storePorts.ts"
export { isSameSecret as isSameHash } from "./engine/secrets/hashKey.ts"
export type { SealedSecret } from "./engine/secrets/Sealer.ts"
export { Settings } from "./instance/Settings.ts"
export {
  type Dimension,
  dimensions,
  type DimensionValue,
  isTagDimension,
  type NamedDimension,
  type PairDimension,
  type TagDimension
} from "./values/Dimension.ts"
export { AccountId, defaultAccountId } from "./values/ids/Ids.ts"
export { GenerationId } from "./values/ids/GenerationId.ts"
export type { Actor } from "./values/Actor.ts"
export { KeyHash } from "./values/ids/Ids.ts"
export { toKeyNumber } from "./engine/observability/broadcast/Sink.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { OperationName } from "./values/OperationName.ts"
export type { TokenUsage } from "./values/usage/TokenUsage.ts"
export { Trace } from "./values/Trace.ts"
export { UserId } from "./values/ids/Ids.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/ids/Ids.ts"
export type { OffsetRequest, OffsetPage } from "./values/pages/OffsetPage.ts"
export {
  type CursorRow,
  type CursorRequest,
  type CursorPage,
  toCursorPage
} from "./values/pages/CursorPage.ts"
export { checkOptionTypes, type OptionTypes } from "./values/validation/checkFieldNames.ts"
export type { StoredSecret } from "./domains/vaults/VaultStore.ts"
export type { Vault } from "./domains/vaults/Vault.ts"
export { VaultId } from "./domains/vaults/VaultId.ts"
export {
  type ClosedVault,
  type OwnedKey,
  type OwnedSecret,
  type SecretPutResult,
  type StoredSecretPage,
  VaultStore
} from "./domains/vaults/VaultStore.ts"
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryError,
  DeliveryState
} from "./tenants/webhooks/Delivery.ts"
export { type DeliveryFilter, DeliveryStore } from "./tenants/webhooks/DeliveryStore.ts"
export type { WebhookEvent } from "./tenants/webhooks/Delivery.ts"
export type {
  VideoReservation,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoAssignment,
  VideoPlan
} from "./domains/videos/VideoJob.ts"
export { VideoJobId } from "./domains/videos/VideoJobId.ts"
export { type Blob, BlobFailed, BlobStore } from "./instance/BlobStore.ts"
export { ContentTooLarge, TooManyActiveJobs } from "./domains/videos/VideoStatus.ts"
export { VideoStatus } from "./domains/videos/VideoStatus.ts"
export { type VideoClaim, type VideoFilter, VideoStore } from "./domains/videos/VideoStore.ts"
export { stripInlineMedia } from "./domains/videos/request/stripInlineMedia.ts"
export type { Budget, Interval } from "./tenants/workspaces/Budget.ts"
export {
  type AnyBudget,
  isIntervalBudget,
  isScopedBudget,
  type ScopedBudget
} from "./tenants/workspaces/ScopedBudget.ts"
export type { Member } from "./tenants/workspaces/Workspace.ts"
export type { OnWorkspaceDelete } from "./tenants/workspaces/OnWorkspaceDelete.ts"
export type { Workspace } from "./tenants/workspaces/Workspace.ts"
export { SlugTaken } from "./tenants/workspaces/Workspace.ts"
export type { Webhook } from "./tenants/workspaces/Webhook.ts"
export {
  type StoredWebhook,
  type StoredWebhookSecret,
  type OwnedWebhookSecret,
  WebhookStore
} from "./tenants/workspaces/WebhookStore.ts"
export { WorkspaceStore } from "./tenants/workspaces/WorkspaceStore.ts"
export { memoryStores } from "./domains.ts"
export {
  accountCodec,
  alertCodec,
  alertRuleCodec,
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
