/** For whoever serves a box, or is made of Effect: its services, and what routes, answers and refuses requests. */
export { Accounts } from "./accounts/Accounts.ts"
export type { AccountPatch } from "./accounts/AccountSettings.ts"
export type { KeyPatch, NewKey } from "./auth/ApiKey.ts"
export { type KeyWithSpend as AccountedKey, ApiKeys, type IssuedKey } from "./auth/ApiKeys.ts"
export type { AuthenticationRequest } from "./auth/AuthenticationRequest.ts"
export { Authenticate, Authenticator } from "./auth/Authenticator.ts"
export { Unauthenticated } from "./auth/AuthErrors.ts"
export type { Caller } from "./auth/Caller.ts"
export { Callers, resolveCaller } from "./auth/Callers.ts"
export {
  Credential,
  type CredentialPatch,
  type NewCredential,
  type RefusalRecord as RefusedCredential
} from "./byok/Credential.ts"
export {
  type CredentialFilter as AskedCredentials,
  Credentials,
  type CredentialState
} from "./byok/Credentials.ts"
export type { CredentialRefusal, UsableCredential } from "./byok/UsableCredential.ts"
export { Catalog, type CatalogStatus } from "./catalog/Catalog.ts"
export type { Configuration, ResolvedModel } from "./catalog/Configuration.ts"
export { type ChatError, Chats, type ChatStream } from "./chat/Chats.ts"
export type { ChunkHead } from "./chat/ChunkEncoder.ts"
export type { ParsedChat } from "./chat/parseChatRequest.ts"
export { type DecisionError, Decisions } from "./decisions/Decisions.ts"
export type { ParsedDecision } from "./decisions/parseDecisionRequest.ts"
export type { GuardrailPatch, NewGuardrail } from "./guardrails/Guardrail.ts"
export { Guardrails } from "./guardrails/Guardrails.ts"
export { Health } from "./health/Health.ts"
export { ModelUsage } from "./health/ModelUsage.ts"
export type { Outcome } from "./health/Outcome.ts"
export type { ReadinessResponse as Readiness } from "./http/api/OperationsApi.ts"
export { App } from "./http/App.ts"
export { Drain } from "./http/Drain.ts"
export type { ErrorResponse } from "./http/errors/ErrorResponse.ts"
export { respondNotFound } from "./http/respondNotFound.ts"
export { HostBody, type HostParsedBody } from "./http/HostBody.ts"
export { type Inflater, BodyInflater } from "./http/BodyInflater.ts"
export { Mount, toMountPrefix } from "./http/Mount.ts"
export { escapePercents, hasMalformedEncoding } from "./http/percentEncoding.ts"
export {
  isServedPath,
  matchRoute,
  type HttpOperation,
  operations,
  type Route,
  routedPaths
} from "./http/routeTable.ts"
export { requestIdHeader } from "./http/requestId.ts"
export { shuttingDownResponse } from "./http/shuttingDownResponse.ts"
export { stripMountPrefix, withMountStripped } from "./http/stripMountPrefix.ts"
export { type WebHandler, makeWebHandler } from "./http/makeWebHandler.ts"
export type { CreatedIntern, CreateInternError } from "./interns/InternCreator.ts"
export { InternChats, type InternChatStream } from "./interns/chat/InternChats.ts"
export { InternHostService } from "./interns/host/InternHost.ts"
export type { InternChunkHead } from "./interns/chat/toInternChunks.ts"
export { Interns } from "./interns/Interns.ts"
export { InternEligibility, type EligibilityRule } from "./interns/InternEligibility.ts"
export type { InternChatError } from "./interns/chat/InternTurn.ts"
export { DurableJobs, type JobReport, type JobStep } from "./jobs/DurableJobs.ts"
export * as JobKind from "./jobs/JobKind.ts"
export { type Sweep, sweep, type SweepLease } from "./jobs/sweep.ts"
export type { StepAttempt, Worker } from "./jobs/Worker.ts"
export { layer, layerParts, type Parts, type Services } from "./layer.ts"
export { type Credits, type DurableReservation, Ledger, type Reservation } from "./ledger/Ledger.ts"
export { type ListingPage, Listing, type ListingPageRequest } from "./listing/Listing.ts"
export { Audit } from "./observability/Audit.ts"
export { Broadcast } from "./observability/Broadcast.ts"
export { Generations, type GenerationOwner } from "./observability/Generations.ts"
export { IoLog } from "./observability/IoLog.ts"
export { IsTerminal } from "./observability/lineLogger.ts"
export { Metrics, type Reading } from "./observability/Metrics.ts"
export type { OutboxReport } from "./observability/Outbox.ts"
export {
  type ObservabilityPreference,
  ObservabilityPreferences
} from "./observability/ObservabilityPreferences.ts"
export { NonPublicAddress, HostUnresolved } from "./outbound/OutboundErrors.ts"
export { OutboundHttp } from "./outbound/OutboundHttp.ts"
export { resolvePublicAddresses, type ResolveName } from "./outbound/resolvePublicAddresses.ts"
export type { Platform, Pluggable } from "./Pluggable.ts"
export type { Options } from "./Options.ts"
export { layerDrain, routes } from "./routes.ts"
export type { RouteAttempt } from "./routing/attempt/RouteAttempt.ts"
export type { Operation as RoutedOperation } from "./routing/Operation.ts"
export type {
  RouteObserver,
  CapabilityTraits,
  PlannedRoute,
  RouteQuery,
  PlanReplay,
  RouteResult
} from "./routing/RouteQuery.ts"
export { Routing, type RoutingError } from "./routing/Routing.ts"
export { hashKey } from "./secrets/hashKey.ts"
export { Settings, type SettingsShape } from "./Settings.ts"
export { make, type Signalbox } from "./Signalbox.ts"
export { checkOptionTypes, type OptionTypes } from "./values/validation/checkOptionTypes.ts"
export type { Secret as VaultSecret } from "./vaults/Secret.ts"
export {
  type NewSecret,
  type ReleasedSecret,
  type SecretList as VaultSecrets,
  type VaultCaller,
  Vaults
} from "./vaults/Vaults.ts"
export { Deliveries } from "./webhooks/Deliveries.ts"
export type { ParsedVideoRequest } from "./videos/request/parseVideoRequest.ts"
export type { VideoRejection as VideoRefused } from "./videos/submit/VideoRejectionRecorder.ts"
export {
  type ContentError,
  type ContentRequest,
  type Submission,
  type SubmitError,
  type VideoOwner,
  Videos
} from "./videos/Videos.ts"
export type { BudgetConfig } from "./workspaces/Budget.ts"
export type { NewWorkspace, WorkspacePatch } from "./workspaces/Workspace.ts"
export type { WebhookConfig, WebhookSecret } from "./workspaces/Webhook.ts"
export {
  type IssuedWebhookSecret,
  type WebhookDeliveryConfig,
  Webhooks
} from "./workspaces/Webhooks.ts"
export { type WorkspaceBudgets, Workspaces } from "./workspaces/Workspaces.ts"
export { Admission } from "./http/Admission.ts"
export { RequestLimiter } from "./auth/RequestLimiter.ts"
export { ApiKeyCache } from "./auth/ApiKeyCache.ts"
export { RoutingRules } from "./routing/RoutingRules.ts"
export { SpendLimits } from "./routing/restrictions/SpendLimits.ts"
export { Sealer } from "./secrets/Sealer.ts"
export { layerVideoWorker } from "./videos/VideoWorker.ts"
export { layerInternWorker } from "./interns/tasks/InternWorker.ts"
export { layerDeliveryWorker } from "./webhooks/DeliveryWorker.ts"
export {
  createIntern,
  destroyIntern,
  getIntern,
  listInterns,
  provisionIntern,
  suspendIntern,
  updateIntern
} from "./interns/inProcess.ts"
export { cancelVideo, getVideo, submitVideo } from "./videos/inProcess.ts"
