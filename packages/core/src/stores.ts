/** For whoever keeps what is written: every store port, what they keep, and stores in memory. */
export type { Account } from "./accounts/Account.ts"
export { AccountStore } from "./accounts/AccountStore.ts"
export type { AccountSettings } from "./accounts/AccountSettings.ts"
export { Atomically } from "./Atomically.ts"
export type { ApiKey, KeyKind, KeyRateLimit } from "./auth/ApiKey.ts"
export { ApiKeyStore, type KeyFilter, type Rotated } from "./auth/ApiKeyStore.ts"
export { RateLimitsUnavailable } from "./auth/AuthErrors.ts"
export type { KeyLimit } from "./auth/KeyLimit.ts"
export { RateLimitStore } from "./auth/RateLimitStore.ts"
export { arranged, type Moved } from "./byok/arranged.ts"
export {
  type CredentialScope,
  CredentialStore,
  type NewKeptCredential,
  type OwnedCredential
} from "./byok/CredentialStore.ts"
export type { KeptCredential } from "./byok/KeptCredential.ts"
export { type Change, Changes, type Topic } from "./Changes.ts"
export { StoreUnavailable } from "./values/StoreUnavailable.ts"
export type {
  Assignment,
  AssignmentKind,
  KeyAssignment,
  MemberAssignment
} from "./guardrails/Assignment.ts"
export type { Guardrail } from "./guardrails/Guardrail.ts"
export { type Assigned, GuardrailStore, type Restricted } from "./guardrails/GuardrailStore.ts"
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
export { type DeadStep, JobStore, type Waiting } from "./jobs/JobStore.ts"
export {
  type Interval as SpendInterval,
  type Window as SpendWindow,
  windowAt
} from "./ledger/Interval.ts"
export { LimitExceeded } from "./ledger/LedgerErrors.ts"
export { LedgerStore, type ReservationRequest, type Settled } from "./ledger/LedgerStore.ts"
export { keyOf as counterOf, type Limit, type LimitKind } from "./ledger/Limit.ts"
export { noSpend, type Spend, SpendCounters, spentIn } from "./ledger/SpendCounters.ts"
export * as Subject from "./ledger/Subject.ts"
export { MemoryJournal, type Written } from "./MemoryJournal.ts"
export { type AuditEntry, AuditLog } from "./observability/AuditLog.ts"
export { clipGeneration } from "./observability/clipGeneration.ts"
export type { Generation, GenerationAttempt, GenerationReason } from "./observability/Generation.ts"
export { GenerationStore } from "./observability/GenerationStore.ts"
export type { GivenStores, Stores } from "./storePorts.ts"
export { sameHash } from "./secrets/hashKey.ts"
export type { Sealed } from "./secrets/Sealing.ts"
export { Settings } from "./Settings.ts"
export { AccountId, defaultAccountId } from "./values/AccountId.ts"
export { GenerationId } from "./values/GenerationId.ts"
export type { Actor } from "./values/Actor.ts"
export { KeyHash } from "./values/KeyHash.ts"
export { keyNumber } from "./values/keyNumber.ts"
export * as NanoUsd from "./values/NanoUsd.ts"
export type { OperationName } from "./values/OperationName.ts"
export type { TokenUsage } from "./values/TokenUsage.ts"
export { Trace } from "./values/Trace.ts"
export { UserId } from "./values/UserId.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/WorkspaceId.ts"
export type { Page as Stretch, Paged } from "./values/Page.ts"
export { type Placed, type Scroll, type Scrolled, scrolled } from "./values/Scroll.ts"
export { checkTypes, type OptionTypes } from "./values/checkTypes.ts"
export type { KeptSecret } from "./vaults/Secret.ts"
export type { Vault } from "./vaults/Vault.ts"
export { VaultId } from "./vaults/VaultId.ts"
export {
  type ClosedVault,
  type OwnedKey,
  type OwnedSecret,
  type PutSecret,
  type SecretPage,
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
  HeldMoney,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoPlace,
  VideoPlan
} from "./videos/VideoJob.ts"
export { VideoJobId } from "./videos/VideoJobId.ts"
export { type Blob, BlobFailed, BlobStore } from "./videos/BlobStore.ts"
export { ContentTooLarge, TooManyUnfinished } from "./videos/VideoErrors.ts"
export { VideoStatus } from "./videos/VideoStatus.ts"
export { type VideoClaim, type VideoFilter, VideoStore } from "./videos/VideoStore.ts"
export { withoutPictures } from "./videos/withoutPictures.ts"
export type { Budget, Interval } from "./workspaces/Budget.ts"
export type { Member } from "./workspaces/Member.ts"
export type { Leave } from "./workspaces/Leave.ts"
export type { Workspace } from "./workspaces/Workspace.ts"
export { SlugTaken } from "./workspaces/WorkspaceErrors.ts"
export type { Webhook } from "./workspaces/Webhook.ts"
export {
  type KeptWebhook,
  type KeptWebhookSecret,
  type OwnedWebhookSecret,
  WebhookStore
} from "./workspaces/WebhookStore.ts"
export { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"
export { memoryStores } from "./memoryStores.ts"
export { accountCodec } from "./codecs/accountCodec.ts"
export { apiKeyCodec } from "./codecs/apiKeyCodec.ts"
export { assignmentCodec } from "./codecs/assignmentCodec.ts"
export { auditEntryCodec } from "./codecs/auditEntryCodec.ts"
export { deadStepCodec } from "./codecs/deadStepCodec.ts"
export { deliveryCodec } from "./codecs/deliveryCodec.ts"
export { generationCodec } from "./codecs/generationCodec.ts"
export { guardrailCodec } from "./codecs/guardrailCodec.ts"
export { internCodec } from "./codecs/internCodec.ts"
export { keptCredentialCodec } from "./codecs/keptCredentialCodec.ts"
export { keptSecretCodec } from "./codecs/keptSecretCodec.ts"
export { keptWebhookSecretCodec, keptWebhookCodec } from "./codecs/keptWebhookCodec.ts"
export { limitCodec } from "./codecs/limitCodec.ts"
export { spendCodec } from "./codecs/spendCodec.ts"
export { vaultCodec } from "./codecs/vaultCodec.ts"
export { videoJobCodec } from "./codecs/videoJobCodec.ts"
export { workspaceCodec, memberCodec, budgetCodec } from "./codecs/workspaceCodec.ts"
export { type Count, type Quota, QuotaExceeded, withinQuota } from "./values/withinQuota.ts"
