/** For whoever serves a box, or is made of Effect: its services, and what routes, answers and refuses requests. */
export { Accounts } from "./accounts/Accounts.ts"
export type { AccountPatch } from "./accounts/AccountSettings.ts"
export type { KeyPatch, NewKey } from "./auth/ApiKey.ts"
export {
  type Accounted as AccountedKey,
  ApiKeys,
  type Issued as IssuedKey
} from "./auth/ApiKeys.ts"
export type { AuthenticationRequest } from "./auth/AuthenticationRequest.ts"
export { Authenticate, Authenticator } from "./auth/Authenticator.ts"
export { Unauthenticated } from "./auth/AuthErrors.ts"
export type { Caller } from "./auth/Caller.ts"
export { Callers, resolveCaller } from "./auth/Callers.ts"
export {
  Credential,
  type CredentialPatch,
  type NewCredential,
  type Refused as RefusedCredential
} from "./byok/Credential.ts"
export {
  type Asked as AskedCredentials,
  Credentials,
  type CredentialState
} from "./byok/Credentials.ts"
export type { Refusal as CredentialRefusal, Usable } from "./byok/Usable.ts"
export { Catalog, type CatalogStatus } from "./catalog/Catalog.ts"
export type { Configuration, Resolved } from "./catalog/Configuration.ts"
export { type ChatError, Chats, type ChatStream } from "./chat/Chats.ts"
export type { ChunkHead } from "./chat/chunking.ts"
export type { ParsedChat } from "./chat/parseChatRequest.ts"
export { type DecisionError, Decisions } from "./decisions/Decisions.ts"
export type { ParsedRequest as ParsedDecision } from "./decisions/parseDecisionRequest.ts"
export type { GuardrailPatch, NewGuardrail } from "./guardrails/Guardrail.ts"
export { Guardrails } from "./guardrails/Guardrails.ts"
export { Health } from "./health/Health.ts"
export { ModelUsage } from "./health/ModelUsage.ts"
export type { Outcome } from "./health/Outcome.ts"
export type { Health as Readiness } from "./http/api/OperationsApi.ts"
export { App } from "./http/App.ts"
export { Drain } from "./http/Drain.ts"
export type { Refusal } from "./http/errors/Refusal.ts"
export { respondNotFound } from "./http/respondNotFound.ts"
export { HostBody, type ReadByHost } from "./http/HostBody.ts"
export { type Inflater, Inflating } from "./http/Inflating.ts"
export { Mount, mountAt } from "./http/Mount.ts"
export { escapePercents, isMalformed } from "./http/percentEncoding.ts"
export {
  isOurs,
  match,
  type Operation,
  operations,
  type Route,
  routedPaths
} from "./http/routes.ts"
export { requestIdHeader } from "./http/requestId.ts"
export { turnedAway } from "./http/turnedAway.ts"
export { belowMount, underMount } from "./http/underMount.ts"
export { type WebHandler, webHandler } from "./http/webHandler.ts"
export type { CreatedIntern, CreateInternError } from "./interns/creating.ts"
export { InternChats, type InternChatStream } from "./interns/InternChats.ts"
export { InternHosting } from "./interns/InternHost.ts"
export type { InternChunkHead } from "./interns/internChunking.ts"
export { Interns } from "./interns/Interns.ts"
export { InternProgramme, type Programme } from "./interns/InternProgramme.ts"
export type { InternChatError } from "./interns/InternTurn.ts"
export { DurableJobs, type JobReport, type Offered } from "./jobs/DurableJobs.ts"
export * as JobKind from "./jobs/JobKind.ts"
export { type Sweep, sweep, type SweepLease } from "./jobs/sweep.ts"
export type { Attempt, Worker } from "./jobs/Worker.ts"
export { layer, layerParts, type Parts, type Services } from "./layer.ts"
export { type Credits, type LastingReservation, Ledger, type Reservation } from "./ledger/Ledger.ts"
export { type Found, Listing, type Page } from "./listing/Listing.ts"
export { Audit } from "./observability/Audit.ts"
export { Broadcast } from "./observability/Broadcast.ts"
export { Generations, type Owner } from "./observability/Generations.ts"
export { IoLog } from "./observability/IoLog.ts"
export { IsTerminal } from "./observability/lineLogger.ts"
export { Metrics, type Reading } from "./observability/Metrics.ts"
export type { OutboxReport } from "./observability/Outbox.ts"
export { type Wish, Wishes } from "./observability/Wishes.ts"
export { NotPublic, Unresolved } from "./outbound/OutboundErrors.ts"
export { OutboundHttp } from "./outbound/OutboundHttp.ts"
export { publicAddresses, type ResolveName } from "./outbound/publicAddresses.ts"
export type { Platform, Pluggable } from "./Pluggable.ts"
export type { Options } from "./Options.ts"
export { drained, routes } from "./routes.ts"
export type { Attempted } from "./routing/Attempted.ts"
export type {
  Observer,
  Offer,
  Operation as RoutedOperation,
  Planned,
  Query,
  Replay,
  Routed
} from "./routing/Query.ts"
export { Routing, type RoutingError } from "./routing/Routing.ts"
export { hashKey } from "./secrets/hashKey.ts"
export { Settings, type SettingsShape } from "./Settings.ts"
export { make, type Signalbox } from "./Signalbox.ts"
export { checkTypes, type OptionTypes } from "./values/checkTypes.ts"
export type { Secret as VaultSecret } from "./vaults/Secret.ts"
export {
  type NewSecret,
  type ReleasedSecret,
  type Secrets as VaultSecrets,
  type VaultCaller,
  Vaults
} from "./vaults/Vaults.ts"
export { Deliveries } from "./webhooks/Deliveries.ts"
export type { ParsedVideo } from "./videos/parseVideoRequest.ts"
export type { Refused as VideoRefused } from "./videos/recordingRefused.ts"
export {
  type ContentError,
  type ContentWanted,
  type Submission,
  type SubmitError,
  type VideoOwner,
  Videos
} from "./videos/Videos.ts"
export type { BudgetConfig } from "./workspaces/Budget.ts"
export type { NewWorkspace, WorkspacePatch } from "./workspaces/Workspace.ts"
export type { WebhookConfig, WebhookSecret } from "./workspaces/Webhook.ts"
export { type IssuedWebhookSecret, type WebhookDelivery, Webhooks } from "./workspaces/Webhooks.ts"
export { type WorkspaceBudgets, Workspaces } from "./workspaces/Workspaces.ts"
export { Admission } from "./http/Admission.ts"
export { RequestLimiter } from "./auth/RequestLimiter.ts"
export { KnownKeys } from "./auth/KnownKeys.ts"
export { RoutingRules } from "./routing/RoutingRules.ts"
export { SpendLimits } from "./routing/SpendLimits.ts"
export { Sealing } from "./secrets/Sealing.ts"
export { layerVideoWorker } from "./videos/VideoWorker.ts"
export { layerInternWorker } from "./interns/InternWorker.ts"
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
