/** The entry point for applications: making an instance, options, calls in process and their errors. */
export type { Account } from "./tenants/accounts/Account.ts"
export type { KeyKind, KeyRateLimit } from "./tenants/auth/keys/ApiKey.ts"
export type { AuthenticationRequest } from "./tenants/auth/AuthenticationRequest.ts"
export type { Authenticate } from "./tenants/auth/Authenticator.ts"
export { type Caller, hostCaller } from "./tenants/auth/Caller.ts"
export type { CallerConfig } from "./tenants/auth/CallerConfig.ts"
export type { HostCredential } from "./tenants/byok/Credential.ts"
export type { CatalogInput } from "./engine/catalog/Catalog.ts"
export type { CatalogOverlay, ModelOverlay } from "./engine/catalog/CatalogOverlay.ts"
export type { DataPolicy } from "./engine/catalog/endpoint/DataPolicy.ts"
export type { EndpointConfig, TypicalPerformance } from "./engine/catalog/endpoint/Endpoint.ts"
export type { ServerToolTerms } from "./engine/catalog/endpoint/ServerToolTerms.ts"
export type { ModelConfig } from "./engine/catalog/model/Model.ts"
export type { Price } from "./engine/catalog/endpoint/Price.ts"
export type { PriceList } from "./engine/catalog/endpoint/PriceList.ts"
export { chat, streamChat } from "./domains/chat/chat.ts"
export { decide } from "./domains/decisions/decide.ts"
export type { AnswerTo, DecideResult, DecideRequest } from "./domains/decisions/Decision.ts"
export { embed, rerank } from "./callsOnDemand.ts"
export { messages, type MessageOptions, streamMessages } from "./domains/messages/messages.ts"
export { responses, streamResponses } from "./domains/responses/responses.ts"
export type { ErrorStatus } from "./api/errors/ErrorResponse.ts"
export type { ExpectedError } from "./api/errors/errorTable.ts"
export type {
  DownloadOptions,
  EffectOperations,
  PromiseOperations,
  SignalOptions,
  VideoFile
} from "./api/inProcess/Calls.ts"
export type { CallerOptions } from "./api/inProcess/Calls.ts"
export type { EligibilityRule } from "./domains/interns/Intern.ts"
export { layer, type Services } from "./layer.ts"
export type { Destination } from "./engine/observability/broadcast/Broadcast.ts"
export type {
  AttemptEvent,
  GenerationEvent
} from "./engine/observability/broadcast/GenerationEvent.ts"
export type { IoDestination, IoEntry } from "./engine/observability/broadcast/IoLog.ts"
export { type IoContent, toKeyNumber } from "./engine/observability/broadcast/Sink.ts"
export type { ExperimentConfig, InternOptions, KeyConfig, Options } from "./Options.ts"
export type { Pluggable } from "./Pluggable.ts"
export { Guidance } from "./questions/Question.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export { layerDrain, routes } from "./routes.ts"
export {
  type FailureOverrides,
  type FailureRule,
  type FailureRules,
  failureRules
} from "./routing/attempt/failureRules.ts"
export { balanced } from "./routing/plan/strategies/strategies.ts"
export { hotCold } from "./routing/plan/strategies/strategies.ts"
export type { HedgingOptions } from "./routing/attempt/hedging/Hedger.ts"
export { leastLatency } from "./routing/plan/strategies/strategies.ts"
export { priceWeighted } from "./routing/plan/strategies/strategies.ts"
export type { StrategyInput, Contender, Strategy } from "./routing/plan/strategies/strategies.ts"
export type { SealingKeys } from "./engine/secrets/Sealer.ts"
export { Settings, type SettingsShape } from "./instance/Settings.ts"
export { make } from "./make.ts"
export type { Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "./SignalboxError.ts"
export { OptionFailed } from "./values/errors/RequestErrors.ts"
export { AccountId, defaultAccountId } from "./values/ids/Ids.ts"
export { GenerationId } from "./values/ids/GenerationId.ts"
export { UserId } from "./values/ids/Ids.ts"
export { defaultWorkspaceId, WorkspaceId } from "./values/ids/Ids.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { WorkspaceDefaults } from "./tenants/workspaces/WorkspaceDefaults.ts"
