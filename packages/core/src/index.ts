/** The entry point for applications: making an instance, options, calls in process and their errors. */
export type { Account } from "./accounts/Account.ts"
export type { KeyKind, KeyRateLimit } from "./auth/keys/ApiKey.ts"
export type { AuthenticationRequest } from "./auth/AuthenticationRequest.ts"
export type { Authenticate } from "./auth/Authenticator.ts"
export { type Caller, hostCaller } from "./auth/Caller.ts"
export type { CallerConfig } from "./auth/CallerConfig.ts"
export type { HostCredential } from "./byok/Credentials.ts"
export type { CatalogInput } from "./catalog/Catalog.ts"
export type { CatalogOverlay, ModelOverlay } from "./catalog/CatalogOverlay.ts"
export type { DataPolicy } from "./catalog/endpoint/DataPolicy.ts"
export type { EndpointConfig, TypicalPerformance } from "./catalog/endpoint/Endpoint.ts"
export type { ModelConfig } from "./catalog/model/Model.ts"
export type { Price } from "./catalog/endpoint/Price.ts"
export type { PriceList } from "./catalog/endpoint/PriceList.ts"
export { chat, streamChat } from "./chat/chat.ts"
export { decide } from "./decisions/decide.ts"
export type { AnswerTo, DecideResult, DecideRequest } from "./decisions/decideTypes.ts"
export { embed } from "./embeddings/embed.ts"
export { messages, type MessageOptions, streamMessages } from "./messages/messages.ts"
export { responses, streamResponses } from "./responses/responses.ts"
export type { ErrorStatus } from "./http/errors/ErrorResponse.ts"
export type { ExpectedError } from "./http/errors/errorTable.ts"
export type {
  DownloadOptions,
  EffectOperations,
  PromiseOperations,
  SignalOptions,
  VideoFile
} from "./http/inProcess/OperationFaces.ts"
export type { CallerOptions } from "./http/inProcess/OperationCall.ts"
export type { EligibilityRule } from "./interns/InternEligibility.ts"
export { layer, type Services } from "./layer.ts"
export type { Destination } from "./observability/broadcast/Broadcast.ts"
export type { AttemptEvent, GenerationEvent } from "./observability/broadcast/GenerationEvent.ts"
export type { IoContent, IoDestination, IoEntry } from "./observability/broadcast/IoLog.ts"
export type { InternOptions, KeyConfig, Options } from "./Options.ts"
export type { Pluggable } from "./Pluggable.ts"
export { Guidance } from "./questions/Guidance.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export { rerank } from "./rerank/rerank.ts"
export { layerDrain, routes } from "./routes.ts"
export {
  type FailureOverrides,
  type FailureRule,
  type FailureRules,
  failureRules
} from "./routing/attempt/failureRules.ts"
export { leastLatency, type LeastLatencyOptions } from "./routing/plan/strategies/leastLatency.ts"
export { priceWeighted } from "./routing/plan/strategies/priceWeighted.ts"
export type { StrategyInput, Contender, Strategy } from "./routing/plan/strategies/Strategy.ts"
export type { SealingKeys } from "./secrets/Sealer.ts"
export { Settings, type SettingsShape } from "./Settings.ts"
export { make, type Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "./SignalboxError.ts"
export { OptionFailed } from "./values/errors/OptionFailed.ts"
export { AccountId, defaultAccountId } from "./values/ids/AccountId.ts"
export { GenerationId } from "./values/ids/GenerationId.ts"
export { toKeyNumber } from "./values/ids/toKeyNumber.ts"
export { UserId } from "./values/ids/UserId.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/ids/WorkspaceId.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { WorkspaceDefaults } from "./workspaces/WorkspaceDefaults.ts"
