/** The public face of the core. Exports are listed one by one. */
export type { Account } from "./accounts/Account.ts"
export type { AccountSettings } from "./accounts/AccountSettings.ts"
export type { KeyKind, KeyRateLimit } from "./auth/ApiKey.ts"
export type { AuthenticationRequest } from "./auth/AuthenticationRequest.ts"
export type { Authenticate } from "./auth/Authenticator.ts"
export {
  WorkspaceNotFound,
  NotPermitted,
  RateLimited,
  RateLimitsUnavailable,
  Unauthenticated
} from "./auth/AuthErrors.ts"
export { type Caller, hostCaller } from "./auth/Caller.ts"
export type { CallerConfig } from "./auth/CallerConfig.ts"
export type { HostCredential } from "./byok/Credentials.ts"
export type { CredentialRefusal } from "./byok/UsableCredential.ts"
export type { CatalogInput } from "./catalog/Catalog.ts"
export { type CatalogError, CatalogInvalid, CatalogUnavailable } from "./catalog/CatalogErrors.ts"
export type { CatalogOverlay, ModelOverlay } from "./catalog/CatalogOverlay.ts"
export type { Category } from "./catalog/Category.ts"
export type { DataPolicy } from "./catalog/DataPolicy.ts"
export type { Endpoint, EndpointConfig, TypicalPerformance } from "./catalog/Endpoint.ts"
export type { Model, ModelConfig } from "./catalog/Model.ts"
export { CardConfig, ModelCard } from "./catalog/ModelCard.ts"
export type { Price, PriceList } from "./catalog/Price.ts"
export type { Tier } from "./catalog/Tier.ts"
export { Quantization } from "./catalog/Quantization.ts"
export type { Variant } from "./catalog/Variant.ts"
export { VideoCapabilities } from "./catalog/VideoCapabilities.ts"
export {
  ChatChunk,
  type ChatChunkChoice,
  type ChatChunkDelta,
  type ToolCallDelta
} from "./chat/ChatChunk.ts"
export {
  ChatCompletion,
  type ChatCompletionChoice,
  ChatUsage,
  type FinishReason
} from "./chat/ChatCompletion.ts"
export type {
  ChatParameters,
  ChatTool,
  CustomTool,
  FunctionTool,
  Reasoning,
  ReasoningEffort,
  ResponseFormat,
  ServerTool,
  ToolChoice
} from "./chat/ChatParameters.ts"
export type {
  AssistantMessage,
  AudioPart,
  CacheControl,
  ChatRequestMessage,
  ContentPart,
  CustomToolCall,
  FilePart,
  FunctionMessage,
  ImagePart,
  PastAssistantMessage,
  RefusalPart,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
  UserMessage,
  VideoPart
} from "./chat/ChatRequestMessage.ts"
export { ChatRequest } from "./chat/ChatRequest.ts"
export { chat, streamChat } from "./chat/chat.ts"
export { Decision } from "./decisions/Decision.ts"
export { InvalidRequest, ResourceNotFound, RequestTooLarge } from "./values/errors/RequestErrors.ts"
export { StoreUnavailable } from "./values/errors/StoreUnavailable.ts"
export { DecisionRequest } from "./decisions/DecisionRequest.ts"
export { decide } from "./decisions/decide.ts"
export type { AnswerTo, DecideResult, DecideRequest } from "./decisions/decideTypes.ts"
export type { Guardrail } from "./guardrails/Guardrail.ts"
export type {
  BreakerReport,
  EndpointReport,
  HealthSnapshot,
  WindowStats,
  Outage,
  Percentiles,
  Uptime
} from "./health/HealthSnapshot.ts"
export type { ReadinessResponse as Readiness } from "./http/api/OperationsApi.ts"
export type { ErrorStatus } from "./http/errors/ErrorResponse.ts"
export type { ExpectedError } from "./http/errors/toErrorResponse.ts"
export type {
  InternCallerOptions,
  ChatInternRequest,
  ChatInternOptions,
  CreateInternOptions,
  DestroyInternOptions,
  ListInternsOptions,
  CreateInternResult
} from "./interns/inProcess.ts"
export { InternChatChunk, InternChatUsage } from "./interns/chat/InternChatChunk.ts"
export { InternChatFailure, type InternChatReason } from "./interns/chat/InternChatErrors.ts"
export { InternChatRequest } from "./interns/chat/InternChatRequest.ts"
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
export { InternId } from "./interns/InternId.ts"
export { InternPatch, NewIntern } from "./interns/InternRequest.ts"
export type { EligibilityRule } from "./interns/InternEligibility.ts"
export { InternStatus } from "./interns/InternStatus.ts"
export { type InternEvent, internEvents, findNextStatus } from "./interns/lifecycle.ts"
export { type InternResponse, toInternResponse } from "./interns/toInternResponse.ts"
export * as JobKind from "./jobs/JobKind.ts"
export { layer, type Services } from "./layer.ts"
export { LimitExceeded } from "./ledger/LedgerErrors.ts"
export { ModelNotListed } from "./listing/ListingErrors.ts"
export type { ModelQuery, Range as QueryRange, ModelSort } from "./listing/ModelQuery.ts"
export type { ProviderInfo } from "./listing/ProviderInfo.ts"
export type { PublicEndpoint } from "./listing/PublicEndpoint.ts"
export type { VideoModel } from "./listing/VideoModel.ts"
export type { Destination } from "./observability/Broadcast.ts"
export type { IoContent, IoDestination, IoEntry } from "./observability/IoLog.ts"
export type { AttemptEvent, GenerationEvent } from "./observability/GenerationEvent.ts"
export { NonPublicAddress, HostUnresolved } from "./outbound/OutboundErrors.ts"
export type { InternOptions, KeyConfig, Options } from "./Options.ts"
export { Answer, Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./questions/Answer.ts"
export { Guidance } from "./questions/Guidance.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export { layerDrain, routes } from "./routes.ts"
export type { ByokExclusions } from "./routing/restrictions/ByokExclusions.ts"
export * as Candidate from "./routing/Candidate.ts"
export type { Constraint } from "./routing/restrictions/Constraint.ts"
export type { Requirements } from "./routing/Requirements.ts"
export type { ExplainedCandidate, Explanation } from "./routing/Explanation.ts"
export {
  type FailureOverrides,
  type FailureRule,
  type FailureRules,
  failureRules
} from "./routing/attempt/failureRules.ts"
export { leastLatency, type LeastLatencyOptions } from "./routing/plan/strategies/leastLatency.ts"
export { type Plan, plan, type PlanInput } from "./routing/plan/plan.ts"
export { Preferences, ProviderSort } from "./routing/Preferences.ts"
export { priceWeighted } from "./routing/plan/strategies/priceWeighted.ts"
export type { Demotion, Exclusion, Reason } from "./routing/Reason.ts"
export type { DemotedCandidate, RejectedCandidate } from "./routing/Reason.ts"
export type { ActiveFilter } from "./routing/plan/findSmallestRelaxation.ts"
export type { RequestedModel } from "./routing/RequestedModel.ts"
export {
  AttemptsFailed,
  ModelNotFound,
  ContextLengthExceeded,
  NoEndpoints,
  DeadlineExceeded,
  WrongOperation
} from "./routing/RoutingErrors.ts"
export type { StrategyInput, Contender, Strategy } from "./routing/plan/strategies/Strategy.ts"
export { UnsealFailed, type SealingKeys } from "./secrets/Sealer.ts"
export { Settings, type SettingsShape } from "./Settings.ts"
export { make, type Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "./SignalboxError.ts"
export { FailureKind, UpstreamFailure } from "./upstreams/failures/UpstreamFailure.ts"
export { AccountId, defaultAccountId } from "./values/ids/AccountId.ts"
export { GenerationId } from "./values/ids/GenerationId.ts"
export { OptionFailed } from "./values/errors/OptionFailed.ts"
export type { Pluggable } from "./Pluggable.ts"
export { toKeyNumber } from "./values/ids/toKeyNumber.ts"
export { ModelSlug } from "./values/ids/ModelSlug.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { OperationName } from "./values/OperationName.ts"
export { ProviderSlug } from "./values/ids/ProviderSlug.ts"
export { UserId } from "./values/ids/UserId.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/ids/WorkspaceId.ts"
export { parseCallbackUrl } from "./values/network/parseCallbackUrl.ts"
export { SecretUnbound, SecretUnreadable, VaultClosed } from "./vaults/VaultErrors.ts"
export { VaultId } from "./vaults/VaultId.ts"
export type { WebhookEvent } from "./webhooks/WebhookEvent.ts"
export type { Dimensions } from "./videos/request/resolveDimensions.ts"
export type {
  VideoCallerOptions,
  DownloadOptions,
  SubmitOptions,
  VideoFile
} from "./videos/inProcess.ts"
export type { VideoResponse } from "./videos/toVideoResponse.ts"
export {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  RangeNotSatisfiable,
  NotCompleted,
  TooManyActiveJobs
} from "./videos/VideoErrors.ts"
export type { BillableUsage, Skus } from "./videos/pricing/priceVideo.ts"
export type { VideoRequest } from "./videos/request/VideoRequest.ts"
export { VideoStatus } from "./videos/VideoStatus.ts"
export type { Budget } from "./workspaces/Budget.ts"
export type { Member } from "./workspaces/Member.ts"
export type { WorkspaceDefaults } from "./workspaces/WorkspaceDefaults.ts"
export type { Workspace } from "./workspaces/Workspace.ts"
export { SlugTaken } from "./workspaces/WorkspaceErrors.ts"
export type { Webhook } from "./workspaces/Webhook.ts"
