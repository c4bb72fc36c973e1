/** The public face of the core. Exports are listed one by one. */
export type { Account } from "./accounts/Account.ts"
export { AccountStore } from "./accounts/AccountStore.ts"
export { Accounts } from "./accounts/Accounts.ts"
export type { AccountPatch, AccountSettings } from "./accounts/AccountSettings.ts"
export { Atomically } from "./Atomically.ts"
export type { ApiKey, KeyKind, KeyPatch, KeyRateLimit, NewKey } from "./auth/ApiKey.ts"
export {
  type Accounted as AccountedKey,
  ApiKeys,
  type Issued as IssuedKey
} from "./auth/ApiKeys.ts"
export { ApiKeyStore, type KeyFilter, type Rotated } from "./auth/ApiKeyStore.ts"
export { Authenticator } from "./auth/Authenticator.ts"
export {
  NotPermitted,
  RateLimited,
  RateLimitsUnavailable,
  Unauthenticated
} from "./auth/AuthErrors.ts"
export { type Caller, host } from "./auth/Caller.ts"
export type { KeyLimit } from "./auth/KeyLimit.ts"
export { RateLimitStore } from "./auth/RateLimitStore.ts"
export { arranged, type Moved } from "./byok/arranged.ts"
export {
  Credential,
  type CredentialPatch,
  type NewCredential,
  type Refused as RefusedCredential
} from "./byok/Credential.ts"
export {
  type Asked as AskedCredentials,
  Credentials,
  type CredentialState,
  type HostCredential
} from "./byok/Credentials.ts"
export {
  type CredentialScope,
  CredentialStore,
  type NewKeptCredential,
  type OwnedCredential
} from "./byok/CredentialStore.ts"
export type { KeptCredential } from "./byok/KeptCredential.ts"
export type { Refusal as CredentialRefusal, Usable } from "./byok/Usable.ts"
export { Catalog, type CatalogInput, type CatalogStatus } from "./catalog/Catalog.ts"
export { type CatalogError, CatalogInvalid, CatalogUnavailable } from "./catalog/CatalogErrors.ts"
export type { CatalogOverlay, ModelOverlay } from "./catalog/CatalogOverlay.ts"
export type { CatalogCopy, CatalogSource } from "./catalog/CatalogSource.ts"
export type { Category } from "./catalog/Category.ts"
export type { Configuration, Resolved } from "./catalog/Configuration.ts"
export type { DataPolicy } from "./catalog/DataPolicy.ts"
export type { Endpoint, EndpointConfig, Typical } from "./catalog/Endpoint.ts"
export { fromWire, type ServedBy, type WireOptions } from "./catalog/fromWire.ts"
export type { Model, ModelConfig } from "./catalog/Model.ts"
export { CardConfig, ModelCard } from "./catalog/ModelCard.ts"
export type { Price, PriceList } from "./catalog/Price.ts"
export type { Tier } from "./catalog/Tier.ts"
export { Quantization } from "./catalog/Quantization.ts"
export type { Variant } from "./catalog/Variant.ts"
export { VideoCapabilities } from "./catalog/VideoCapabilities.ts"
export { type Change, Changes, type Topic } from "./Changes.ts"
export { ChatChunk } from "./chat/ChatChunk.ts"
export { ChatCompletion, ChatUsage } from "./chat/ChatCompletion.ts"
export { ChatRequest } from "./chat/ChatRequest.ts"
export { type ChatError, Chats, type ChatStream } from "./chat/Chats.ts"
export type { ChunkHead } from "./chat/chunking.ts"
export { chat, streamChat } from "./chat/inProcess.ts"
export type { ParsedChat } from "./chat/parseChatRequest.ts"
export { Decision } from "./decisions/Decision.ts"
export { InvalidRequest, Missing, RequestTooLarge } from "./values/RequestErrors.ts"
export { StoreUnavailable } from "./values/StoreUnavailable.ts"
export { DecisionRequest } from "./decisions/DecisionRequest.ts"
export { type DecisionError, Decisions } from "./decisions/Decisions.ts"
export { decide } from "./decisions/decide.ts"
export type { ParsedRequest as ParsedDecision } from "./decisions/parseDecisionRequest.ts"
export type { AnswerTo, Decided, DecideRequest } from "./decisions/decideTypes.ts"
export type {
  Assignment,
  AssignmentKind,
  KeyAssignment,
  MemberAssignment
} from "./guardrails/Assignment.ts"
export type { Guardrail, GuardrailPatch, NewGuardrail } from "./guardrails/Guardrail.ts"
export { Guardrails } from "./guardrails/Guardrails.ts"
export { type Assigned, GuardrailStore, type Restricted } from "./guardrails/GuardrailStore.ts"
export { Health } from "./health/Health.ts"
export { ModelUsage } from "./health/ModelUsage.ts"
export type {
  BreakerReport,
  EndpointReport,
  HealthSnapshot,
  Measured,
  Outage,
  Percentiles,
  Uptime
} from "./health/HealthSnapshot.ts"
export type { Outcome } from "./health/Outcome.ts"
export type { Health as Readiness } from "./http/api/OperationsApi.ts"
export { App } from "./http/App.ts"
export { Drain } from "./http/Drain.ts"
export type { Refusal, Status } from "./http/errors/Refusal.ts"
export { type ExpectedError, notFound } from "./http/errors/refusalOf.ts"
export { refuse } from "./http/errors/refuse.ts"
export { HostBody, type ReadByHost } from "./http/HostBody.ts"
export { Mount, mountAt } from "./http/Mount.ts"
export { match, type Operation, operations, type Route, routedPath } from "./http/routes.ts"
export { turnedAway } from "./http/turnedAway.ts"
export { belowMount, underMount } from "./http/underMount.ts"
export { type WebHandler, webHandler } from "./http/webHandler.ts"
export type { CreatedIntern, CreateInternError } from "./interns/creating.ts"
export type {
  AskedForInterns,
  AskIntern,
  ChatInternOptions,
  CreateInternOptions,
  DestroyInternOptions,
  ListInternsOptions,
  MadeIntern
} from "./interns/inProcess.ts"
export { type InProcessOptions, inProcessHost } from "./interns/inProcessHost.ts"
export type {
  Intern,
  InternClaim,
  InternCreation,
  InternProgress,
  InternRun
} from "./interns/Intern.ts"
export { InternChatChunk, InternChatUsage } from "./interns/InternChatChunk.ts"
export { InternChatFailure, type InternChatReason } from "./interns/InternChatErrors.ts"
export { InternChatRequest } from "./interns/InternChatRequest.ts"
export { InternChats, type InternChatStream } from "./interns/InternChats.ts"
export {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  NotLendable,
  UpstreamUnavailable,
  WrongStatus
} from "./interns/InternErrors.ts"
export {
  type HostedIntern,
  type InternFacts,
  type InternHost,
  InternHostFailure,
  InternHosting,
  type InternStep
} from "./interns/InternHost.ts"
export type { InternChunkHead } from "./interns/internChunking.ts"
export { InternId } from "./interns/InternId.ts"
export { InternPatch, NewIntern } from "./interns/InternRequest.ts"
export { Interns } from "./interns/Interns.ts"
export { InternProgramme, type Programme } from "./interns/InternProgramme.ts"
export { InternStatus } from "./interns/InternStatus.ts"
export { type InternFilter, InternStore } from "./interns/InternStore.ts"
export type {
  AskedTurn,
  InternAnswer,
  InternChatError,
  InternChatEvent,
  InternMessage,
  InternPrompt,
  InternTurn
} from "./interns/InternTurn.ts"
export { type InternEvent, internEvents, lifecycle } from "./interns/lifecycle.ts"
export { type ToldIntern, toldIntern } from "./interns/toldIntern.ts"
export { DurableJobs, type JobReport, type Offered } from "./jobs/DurableJobs.ts"
export * as JobKind from "./jobs/JobKind.ts"
export { type DeadStep, JobStore, type Waiting } from "./jobs/JobStore.ts"
export { type Sweep, sweep, type SweepLease } from "./jobs/sweep.ts"
export type { Attempt, Worker } from "./jobs/Worker.ts"
export { layer, type Services } from "./layer.ts"
export { type Credits, type LastingReservation, Ledger, type Reservation } from "./ledger/Ledger.ts"
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
export { type Found, Listing, type Page } from "./listing/Listing.ts"
export { ModelNotListed } from "./listing/ListingErrors.ts"
export type { ModelQuery, Range as QueryRange, Sort as ModelSort } from "./listing/ModelQuery.ts"
export type { ProviderInfo } from "./listing/ProviderInfo.ts"
export type { PublicEndpoint } from "./listing/PublicEndpoint.ts"
export type { VideoModel } from "./listing/VideoModel.ts"
export { MemoryJournal, type Written } from "./MemoryJournal.ts"
export { Audit } from "./observability/Audit.ts"
export { type AuditEntry, AuditLog } from "./observability/AuditLog.ts"
export { Broadcast, type Destination } from "./observability/Broadcast.ts"
export { clipGeneration } from "./observability/clipGeneration.ts"
export type { Generation, GenerationAttempt, GenerationReason } from "./observability/Generation.ts"
export { Generations, type Owner } from "./observability/Generations.ts"
export { GenerationStore } from "./observability/GenerationStore.ts"
export { type Content, type IoDestination, type IoEntry, IoLog } from "./observability/IoLog.ts"
export { Metrics, type Reading } from "./observability/Metrics.ts"
export type { OutboxReport } from "./observability/Outbox.ts"
export type { Wish } from "./observability/Wishes.ts"
export type { ToldAttempt, ToldGeneration } from "./observability/ToldGeneration.ts"
export { NotPublic, Unresolved } from "./outbound/OutboundErrors.ts"
export { OutboundHttp } from "./outbound/OutboundHttp.ts"
export { publicAddresses } from "./outbound/publicAddresses.ts"
export type { InternOptions, KeyConfig, Options, Stores } from "./Options.ts"
export { Answer, Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./questions/Answer.ts"
export { deriveAnswer } from "./questions/deriveAnswer.ts"
export { Guidance } from "./questions/Guidance.ts"
export { type AnswerOption, optionCount, options } from "./questions/options.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export type { Verdict } from "./questions/Verdict.ts"
export { drained, routes } from "./routes.ts"
export type { Attempted } from "./routing/Attempted.ts"
export type { Barred } from "./routing/Barred.ts"
export * as Candidate from "./routing/Candidate.ts"
export type { Constraint } from "./routing/Constraint.ts"
export type { Demand } from "./routing/Demand.ts"
export type { ExplainedCandidate, Explanation } from "./routing/Explanation.ts"
export {
  type FailureOverrides,
  type FailureRule,
  type FailureRules,
  failureRules
} from "./routing/failureRules.ts"
export { leastLatency, type LeastLatencyOptions } from "./routing/leastLatency.ts"
export { type Plan, plan, type PlanInput } from "./routing/plan.ts"
export { Preferences, Sort } from "./routing/Preferences.ts"
export { priceWeighted } from "./routing/priceWeighted.ts"
export type {
  Observer,
  Offer,
  Operation as RoutedOperation,
  Planned,
  Query,
  Replay,
  Routed
} from "./routing/Query.ts"
export type { Demotion, Exclusion, Reason } from "./routing/Reason.ts"
export type { Demoted, Rejected } from "./routing/Rejected.ts"
export type { Filter } from "./routing/relaxation.ts"
export type { RequestedModel } from "./routing/RequestedModel.ts"
export { Routing, type RoutingError } from "./routing/Routing.ts"
export {
  AttemptsFailed,
  ModelNotFound,
  NoEndpoints,
  OutOfTime,
  WrongOperation
} from "./routing/RoutingErrors.ts"
export type { Choices, Contender, Strategy } from "./routing/Strategy.ts"
export { hashKey, sameHash } from "./secrets/hashKey.ts"
export { CannotOpen, type Sealed, type SealingKeys } from "./secrets/Sealing.ts"
export { Settings, type SettingsShape } from "./Settings.ts"
export { make, type Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "./SignalboxError.ts"
export type {
  ChatCall,
  ChatCapability,
  ChatChoice,
  ChatDelta,
  ChatEvent,
  ChatMessage,
  ChatReply,
  ChatReport
} from "./upstreams/ChatCapability.ts"
export { chatCompletions, type ChatEndpoint } from "./upstreams/chatCompletions.ts"
export type {
  DecisionCall,
  DecisionCapability,
  DecisionMethod,
  DecisionReply
} from "./upstreams/DecisionCapability.ts"
export { fromDecisionModel } from "./upstreams/fromDecisionModel.ts"
export { ForeignContent } from "./upstreams/ForeignContent.ts"
export { type ContentRequest, getContent } from "./upstreams/getContent.ts"
export { kindOfCode } from "./upstreams/kindOfCode.ts"
export type { CostOf } from "./upstreams/readChatUsage.ts"
export { mayBeAccepted } from "./upstreams/mayBeAccepted.ts"
export { type EventReader, type EventsRequest, postEvents } from "./upstreams/postEvents.ts"
export {
  deleteJson,
  type FormFile,
  type FormRequest,
  getJson,
  type JsonRequest,
  postForm,
  postJson
} from "./upstreams/requestJson.ts"
export type { ProviderFacts, Upstream } from "./upstreams/Upstream.ts"
export { FailureKind, Phase, UpstreamFailure } from "./upstreams/UpstreamFailure.ts"
export type { UpstreamRequest } from "./upstreams/UpstreamRequest.ts"
export { UpstreamVideoId } from "./upstreams/UpstreamVideoId.ts"
export type {
  FrameImage,
  InputReference,
  UpstreamVideoJob,
  VideoAccepted,
  VideoCall,
  VideoCapability,
  VideoContentCall
} from "./upstreams/VideoCapability.ts"
export type { ByteRange, ContentStretch, VideoContent } from "./upstreams/VideoContent.ts"
export type { VideoOutput, VideoReport } from "./upstreams/VideoReport.ts"
export { AccountId, defaultAccountId } from "./values/AccountId.ts"
export { GenerationId } from "./values/GenerationId.ts"
export type { Actor } from "./values/Actor.ts"
export { KeyHash } from "./values/KeyHash.ts"
export { keyNumber } from "./values/keyNumber.ts"
export { ModelSlug } from "./values/ModelSlug.ts"
export * as NanoUsd from "./values/NanoUsd.ts"
export type { OperationName } from "./values/OperationName.ts"
export { ProviderSlug } from "./values/ProviderSlug.ts"
export { sumUsage, type TokenUsage } from "./values/TokenUsage.ts"
export { Trace } from "./values/Trace.ts"
export { UserId } from "./values/UserId.ts"
export type { VideoUsage } from "./values/VideoUsage.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/WorkspaceId.ts"
export type { Page as Stretch, Paged } from "./values/Page.ts"
export { type Placed, type Scroll, type Scrolled, scrolled } from "./values/Scroll.ts"
export { checkTypes, type OptionTypes } from "./values/checkTypes.ts"
export { callbackUrl } from "./values/callbackUrl.ts"
export type { KeptSecret, Secret as VaultSecret } from "./vaults/Secret.ts"
export type { Vault } from "./vaults/Vault.ts"
export { SecretUnbound, SecretUnreadable, VaultClosed } from "./vaults/VaultErrors.ts"
export { VaultId } from "./vaults/VaultId.ts"
export {
  type NewSecret,
  type ReleasedSecret,
  type Secrets as VaultSecrets,
  type VaultCaller,
  Vaults
} from "./vaults/Vaults.ts"
export {
  type ClosedVault,
  type OwnedKey,
  type OwnedSecret,
  type PutSecret,
  type SecretPage,
  VaultStore
} from "./vaults/VaultStore.ts"
export { Deliveries } from "./webhooks/Deliveries.ts"
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryError,
  DeliveryState
} from "./webhooks/Delivery.ts"
export { type DeliveryFilter, DeliveryStore } from "./webhooks/DeliveryStore.ts"
export type { WebhookEvent } from "./webhooks/WebhookEvent.ts"
export type { Dimensions } from "./videos/dimensions.ts"
export type {
  HeldMoney,
  VideoAttempt,
  VideoEnd,
  VideoJob,
  VideoPlace,
  VideoPlan
} from "./videos/VideoJob.ts"
export { VideoJobId } from "./videos/VideoJobId.ts"
export { type Blob, BlobFailed, type BlobStore } from "./videos/BlobStore.ts"
export type { AskedBy, DownloadOptions, SubmitOptions, VideoFile } from "./videos/inProcess.ts"
export type { ParsedVideo } from "./videos/parseVideoRequest.ts"
export type { Refused as VideoRefused } from "./videos/recordingRefused.ts"
export type { ToldVideo } from "./videos/toldVideo.ts"
export {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NoSuchStretch,
  NotCompleted,
  TooManyUnfinished
} from "./videos/VideoErrors.ts"
export type { Made, Skus } from "./videos/videoPrice.ts"
export {
  type ContentError,
  type ContentWanted,
  type Submission,
  type SubmitError,
  type VideoOwner,
  Videos
} from "./videos/Videos.ts"
export type { VideoRequest } from "./videos/VideoRequest.ts"
export { VideoStatus } from "./videos/VideoStatus.ts"
export { type VideoClaim, type VideoFilter, VideoStore } from "./videos/VideoStore.ts"
export { withoutPictures } from "./videos/withoutPictures.ts"
export type { Budget, BudgetConfig, Interval } from "./workspaces/Budget.ts"
export type { Member } from "./workspaces/Member.ts"
export type { Leave } from "./workspaces/Leave.ts"
export type { NewWorkspace, Workspace, WorkspacePatch } from "./workspaces/Workspace.ts"
export { SlugTaken } from "./workspaces/WorkspaceErrors.ts"
export type { Webhook, WebhookConfig, WebhookSecret } from "./workspaces/Webhook.ts"
export { type IssuedWebhookSecret, type WebhookDelivery, Webhooks } from "./workspaces/Webhooks.ts"
export {
  type KeptWebhook,
  type KeptWebhookSecret,
  type OwnedWebhookSecret,
  WebhookStore
} from "./workspaces/WebhookStore.ts"
export { type WorkspaceBudgets, Workspaces } from "./workspaces/Workspaces.ts"
export { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"
