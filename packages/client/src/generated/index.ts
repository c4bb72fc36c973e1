/** What the package exports of the contract. `npm run docs` writes this file. */
export type { Preferences } from "./types/Preferences.ts"
export type { Trace } from "./types/Trace.ts"
export type { Choice, Noul, Question, Questions, Score } from "./types/Question.ts"
export type { Answer, Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./types/Answer.ts"
export type {
  AnswerTo,
  DecideRequest,
  DecideResult,
  Decision,
  DecisionRequest
} from "./types/Decision.ts"
export type { ChatRequest } from "./types/ChatRequest.ts"
export type {
  ChatParameters,
  ChatTool,
  CustomTool,
  FunctionTool,
  Reasoning,
  ReasoningEffort,
  ResponseFormat,
  ServerFields,
  ServerTool,
  ToolChoice
} from "./types/ChatParameters.ts"
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
} from "./types/ChatRequestMessage.ts"
export type {
  ChatCompletion,
  ChatCompletionChoice,
  ChatUsage,
  FinishReason
} from "./types/ChatCompletion.ts"
export type { ReportedUsage } from "./types/toReportedUsage.ts"
export type {
  ChatChunk,
  ChatChunkChoice,
  ChatChunkDelta,
  ToolCallDelta
} from "./types/ChatChunk.ts"
export type { ImageReference, ImageRequest } from "./types/ImageRequest.ts"
export type { ImageEvent, ImageList } from "./types/ImageList.ts"
export type {
  MessagesRequest,
  MessagesRequestBlock,
  MessagesRequestMessage,
  MessagesServerTool,
  MessagesTool,
  MessagesToolChoice
} from "./types/MessagesRequest.ts"
export type {
  BlockDelta,
  Message,
  MessageBlock,
  MessageEvent,
  MessageUsage,
  StopReason
} from "./types/Message.ts"
export type {
  ResponsesCallOutput,
  ResponsesCustomTool,
  ResponsesFormat,
  ResponsesFunction,
  ResponsesHostedTool,
  ResponsesInputItem,
  ResponsesInputMessage,
  ResponsesInputPart,
  ResponsesNamespace,
  ResponsesReasoning,
  ResponsesRequest,
  ResponsesTool,
  ResponsesToolChoice
} from "./types/ResponsesRequest.ts"
export type {
  ResponsesAnnotation,
  ResponsesCustomToolCall,
  ResponsesFunctionCall,
  ResponsesHostedItem,
  ResponsesOutputItem,
  ResponsesOutputMessage,
  ResponsesOutputText,
  ResponsesReasoningItem,
  ResponsesRefusal
} from "./types/ResponsesOutputItem.ts"
export type { ResponseObject, ResponsesUsage } from "./types/ResponseObject.ts"
export type { ResponsesEvent } from "./types/ResponsesEvent.ts"
export type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"
export { decisions } from "./decisions.ts"
export {
  escalation,
  type Escalation,
  type EscalationReportInput,
  type EscalationReportOutput
} from "./escalation.ts"
export { chat } from "./chat.ts"
export { messages } from "./messages.ts"
export { responses } from "./responses.ts"
export {
  embeddings,
  type EmbeddingsCreateInput,
  type EmbeddingsCreateOutput
} from "./embeddings.ts"
export { rerank, type RerankCreateInput, type RerankCreateOutput } from "./rerank.ts"
export { speech, type SpeechCreateInput } from "./speech.ts"
export {
  transcription,
  type TranscriptionCreateInput,
  type TranscriptionCreateOutput
} from "./transcription.ts"
export { images } from "./images.ts"
export {
  imageModels,
  type ImageModel,
  type ImageModelsListOutput,
  type ImageModelsListEndpointsInput,
  type ImageModelsListEndpointsOutput
} from "./imageModels.ts"
export {
  models,
  type Model,
  type ModelsListInput,
  type ModelsListPage,
  type ModelsCountInput,
  type ModelsCountOutput,
  type ModelsListAccessibleInput,
  type ModelsListAccessiblePage,
  type ModelsGetByIdInput,
  type ModelsGetByIdOutput,
  type ModelsGetInput,
  type ModelsGetOutput,
  type ModelsListEmbeddingsInput,
  type ModelsListEmbeddingsPage
} from "./models.ts"
export {
  endpoints,
  type Endpoint,
  type EndpointEndpoint,
  type EndpointLatencyLast30m,
  type EndpointsListInput,
  type EndpointsListOutput,
  type EndpointsListZdrOutput
} from "./endpoints.ts"
export { providers, type Provider, type ProvidersListOutput } from "./providers.ts"
export {
  calibration,
  type CalibrationMap,
  type CalibrationBefore,
  type CalibrationLabelInput,
  type CalibrationLabelOutput,
  type CalibrationGetInput,
  type CalibrationGetOutput,
  type CalibrationRefitInput,
  type CalibrationRefitOutput,
  type CalibrationForgetInput,
  type CalibrationForgetOutput
} from "./calibration.ts"
export {
  customers,
  type Customer,
  type CustomerUsage,
  type CustomersListInput,
  type CustomersListPage,
  type CustomersCreateInput,
  type CustomersCreateOutput,
  type CustomersGetInput,
  type CustomersGetOutput,
  type CustomersUpdateInput,
  type CustomersUpdateOutput,
  type CustomersSuspendInput,
  type CustomersSuspendOutput,
  type CustomersResumeInput,
  type CustomersResumeOutput,
  type CustomersUsageInput,
  type CustomersUsageOutput,
  type CustomersDeleteInput,
  type CustomersDeleteOutput
} from "./customers.ts"
export {
  workspaces,
  type Workspace,
  type WorkspaceMember,
  type WorkspaceBudget,
  type WorkspacesListInput,
  type WorkspacesListPage,
  type WorkspacesCreateInput,
  type WorkspacesCreateOutput,
  type WorkspacesGetInput,
  type WorkspacesGetOutput,
  type WorkspacesUpdateInput,
  type WorkspacesUpdateOutput,
  type WorkspacesDeleteInput,
  type WorkspacesDeleteOutput,
  type WorkspacesListMembersInput,
  type WorkspacesListMembersPage,
  type WorkspacesAddMembersInput,
  type WorkspacesAddMembersOutput,
  type WorkspacesRemoveMembersInput,
  type WorkspacesRemoveMembersOutput,
  type WorkspacesListBudgetsInput,
  type WorkspacesListBudgetsOutput,
  type WorkspacesGetBudgetInput,
  type WorkspacesGetBudgetOutput,
  type WorkspacesSetBudgetInput,
  type WorkspacesSetBudgetOutput,
  type WorkspacesDeleteBudgetInput,
  type WorkspacesDeleteBudgetOutput
} from "./workspaces.ts"
export {
  budgets,
  type Budget,
  type BudgetScope,
  type BudgetsListInput,
  type BudgetsListPage,
  type BudgetsCreateInput,
  type BudgetsCreateOutput,
  type BudgetsGetInput,
  type BudgetsGetOutput,
  type BudgetsUpdateInput,
  type BudgetsUpdateOutput,
  type BudgetsDeleteInput,
  type BudgetsDeleteOutput
} from "./budgets.ts"
export {
  guardrails,
  type Guardrail,
  type GuardrailContentFilterBuiltin,
  type GuardrailContentFilterCheck,
  type GuardrailContentFilter,
  type GuardrailAllKeyAssignment,
  type GuardrailAllMemberAssignment,
  type GuardrailsListInput,
  type GuardrailsListPage,
  type GuardrailsCreateInput,
  type GuardrailsCreateOutput,
  type GuardrailsListAllKeyAssignmentsInput,
  type GuardrailsListAllKeyAssignmentsPage,
  type GuardrailsListAllMemberAssignmentsInput,
  type GuardrailsListAllMemberAssignmentsPage,
  type GuardrailsGetInput,
  type GuardrailsGetOutput,
  type GuardrailsUpdateInput,
  type GuardrailsUpdateOutput,
  type GuardrailsDeleteInput,
  type GuardrailsDeleteOutput,
  type GuardrailsListKeyAssignmentsInput,
  type GuardrailsListKeyAssignmentsPage,
  type GuardrailsAssignKeysInput,
  type GuardrailsAssignKeysOutput,
  type GuardrailsUnassignKeysInput,
  type GuardrailsUnassignKeysOutput,
  type GuardrailsListMemberAssignmentsInput,
  type GuardrailsListMemberAssignmentsPage,
  type GuardrailsAssignMembersInput,
  type GuardrailsAssignMembersOutput,
  type GuardrailsUnassignMembersInput,
  type GuardrailsUnassignMembersOutput
} from "./guardrails.ts"
export {
  keys,
  type Key,
  type CurrentKey,
  type KeysListInput,
  type KeysListPage,
  type KeysCreateInput,
  type KeysCreateOutput,
  type KeysGetInput,
  type KeysGetOutput,
  type KeysUpdateInput,
  type KeysUpdateOutput,
  type KeysDeleteInput,
  type KeysDeleteOutput,
  type KeysGetCurrentOutput,
  type KeysRotateInput,
  type KeysRotateOutput,
  type KeysSetRateLimitInput,
  type KeysSetRateLimitOutput
} from "./keys.ts"
export {
  presets,
  type Preset,
  type PresetGet,
  type PresetDesignatedVersion,
  type PresetsListInput,
  type PresetsListPage,
  type PresetsGetInput,
  type PresetsGetOutput,
  type PresetsListVersionsInput,
  type PresetsListVersionsPage,
  type PresetsGetVersionInput,
  type PresetsGetVersionOutput,
  type PresetsSaveChatInput,
  type PresetsSaveChatOutput,
  type PresetsSaveMessagesInput,
  type PresetsSaveMessagesOutput,
  type PresetsSaveResponsesInput,
  type PresetsSaveResponsesOutput,
  type PresetsUpdateInput,
  type PresetsUpdateOutput,
  type PresetsDeleteInput,
  type PresetsDeleteOutput
} from "./presets.ts"
export {
  generations,
  type Generation,
  type GenerationFeedback,
  type GenerationList,
  type GenerationCache,
  type GenerationUsage,
  type RecordGeneration,
  type GenerationRejected,
  type GenerationReplay,
  type GenerationsGetInput,
  type GenerationsGetOutput,
  type GenerationsGetContentInput,
  type GenerationsGetContentOutput,
  type GenerationsSubmitFeedbackInput,
  type GenerationsSubmitFeedbackOutput,
  type GenerationsListFeedbackInput,
  type GenerationsListFeedbackPage,
  type GenerationsListInput,
  type GenerationsListPage,
  type GenerationsGetRecordInput,
  type GenerationsGetRecordOutput,
  type GenerationsPreviewReplayInput,
  type GenerationsPreviewReplayOutput,
  type GenerationsReplayInput,
  type GenerationsReplayOutput
} from "./generations.ts"
export {
  sessions,
  type Session,
  type SessionsListInput,
  type SessionsListPage
} from "./sessions.ts"
export {
  recordings,
  type Recording,
  type RecordingsListInput,
  type RecordingsListPage
} from "./recordings.ts"
export {
  activity,
  type Activity,
  type ActivityListInput,
  type ActivityListOutput
} from "./activity.ts"
export {
  analytics,
  type Analytic,
  type AnalyticsGetMetaOutput,
  type AnalyticsQueryInput,
  type AnalyticsQueryOutput
} from "./analytics.ts"
export {
  series,
  type Series,
  type SeriesLatency,
  type SeriesForecast,
  type SeriesGetInput,
  type SeriesGetOutput,
  type SeriesForecastOutput,
  type SeriesExportSpendInput
} from "./series.ts"
export {
  live,
  type Live,
  type LiveBreaker,
  type LiveFigure,
  type LiveProvider,
  type LiveModel,
  type LiveListEndpointsInput,
  type LiveListEndpointsOutput,
  type LiveListProcessesOutput,
  type LiveListProvidersInput,
  type LiveListProvidersPage,
  type LiveListModelsInput,
  type LiveListModelsPage,
  type LiveWatchEndpointsInput
} from "./live.ts"
export {
  incidents,
  type Incident,
  type IncidentsListInput,
  type IncidentsListPage
} from "./incidents.ts"
export {
  traffic,
  type Traffic,
  type TrafficControl,
  type TrafficListControlsOutput,
  type TrafficPreviewControlInput,
  type TrafficPreviewControlOutput,
  type TrafficSetControlInput,
  type TrafficSetControlOutput
} from "./traffic.ts"
export { credits, type CreditsGetOutput } from "./credits.ts"
export {
  limits,
  type Limit,
  type PeriodsLimit,
  type LimitsListInput,
  type LimitsListPage,
  type LimitsGetPeriodsOutput
} from "./limits.ts"
export {
  alertRules,
  type AlertRule,
  type AlertRulesListInput,
  type AlertRulesListPage,
  type AlertRulesCreateInput,
  type AlertRulesCreateOutput,
  type AlertRulesGetInput,
  type AlertRulesGetOutput,
  type AlertRulesUpdateInput,
  type AlertRulesUpdateOutput,
  type AlertRulesDeleteInput,
  type AlertRulesDeleteOutput
} from "./alertRules.ts"
export { alerts, type Alert, type AlertsListInput, type AlertsListPage } from "./alerts.ts"
export {
  experiments,
  type Experiment,
  type ExperimentControl,
  type ExperimentListControl,
  type ExperimentsListOutput,
  type ExperimentsRestartInput,
  type ExperimentsRestartOutput,
  type ExperimentsStopInput,
  type ExperimentsStopOutput
} from "./experiments.ts"
export {
  account,
  type Account,
  type AccountGetOutput,
  type AccountUpdateInput,
  type AccountUpdateOutput
} from "./account.ts"
export { audit, type Audit, type AuditListInput, type AuditListPage } from "./audit.ts"
export {
  failedRequests,
  type FailedRequest,
  type FailedRequestsListInput,
  type FailedRequestsListOutput
} from "./failedRequests.ts"
export {
  savedViews,
  type SavedView,
  type SavedViewsListInput,
  type SavedViewsListPage,
  type SavedViewsCreateInput,
  type SavedViewsCreateOutput,
  type SavedViewsGetInput,
  type SavedViewsGetOutput,
  type SavedViewsUpdateInput,
  type SavedViewsUpdateOutput,
  type SavedViewsDeleteInput,
  type SavedViewsDeleteOutput
} from "./savedViews.ts"
export {
  oAuth,
  type OAuthCreateCodeInput,
  type OAuthCreateCodeOutput,
  type OAuthExchangeCodeInput,
  type OAuthExchangeCodeOutput
} from "./oAuth.ts"
export {
  organization,
  type Organization,
  type OrganizationListMembersInput,
  type OrganizationListMembersPage
} from "./organization.ts"
export {
  people,
  type People,
  type PeopleErase,
  type PeopleExportInput,
  type PeopleExportOutput,
  type PeopleEraseInput,
  type PeopleEraseOutput
} from "./people.ts"
export {
  byok,
  type Byok,
  type ByokState,
  type ByokListInput,
  type ByokListPage,
  type ByokCreateInput,
  type ByokCreateOutput,
  type ByokGetInput,
  type ByokGetOutput,
  type ByokUpdateInput,
  type ByokUpdateOutput,
  type ByokDeleteInput,
  type ByokDeleteOutput,
  type ByokListStatesInput,
  type ByokListStatesPage,
  type ByokReorderInput,
  type ByokReorderOutput
} from "./byok.ts"
export {
  interns,
  type Intern,
  type InternsCreateInput,
  type InternsListInput,
  type InternsListPage,
  type InternsGetInput,
  type InternsUpdateInput,
  type InternsDeleteInput,
  type InternsDeleteOutput,
  type InternsProvisionInput,
  type InternsProvisionOutput,
  type InternsSuspendInput,
  type InternsSuspendOutput,
  type InternsChatInput,
  type InternsChatEvent
} from "./interns.ts"
export {
  videos,
  type VideoPreferredMaxLatency,
  type Video,
  type VideoModel,
  type VideosSubmitInput,
  type VideosSubmitOutput,
  type VideosGetInput,
  type VideosGetOutput,
  type VideosDownloadInput,
  type VideosListInput,
  type VideosListPage,
  type VideosCancelInput,
  type VideosCancelOutput,
  type VideosListModelsOutput
} from "./videos.ts"
export {
  vaults,
  type Vault,
  type VaultsListInput,
  type VaultsListPage,
  type VaultsPutInput,
  type VaultsPutOutput,
  type VaultsDeleteInput,
  type VaultsListForInternInput,
  type VaultsListForInternPage,
  type VaultsPutForInternInput,
  type VaultsPutForInternOutput,
  type VaultsDeleteForInternInput,
  type VaultsCopyToInternInput,
  type VaultsCopyToInternOutput
} from "./vaults.ts"
export {
  webhooks,
  type Webhook,
  type WebhooksGetInput,
  type WebhooksGetOutput,
  type WebhooksSetInput,
  type WebhooksSetOutput,
  type WebhooksDeleteInput,
  type WebhooksDeleteOutput,
  type WebhooksTestInput,
  type WebhooksTestOutput,
  type WebhooksListSecretsInput,
  type WebhooksListSecretsOutput,
  type WebhooksCreateSecretInput,
  type WebhooksCreateSecretOutput,
  type WebhooksDeleteSecretInput,
  type WebhooksDeleteSecretOutput
} from "./webhooks.ts"
export {
  deliveries,
  type Delivery,
  type DeliveryLastAttempt,
  type DeliveryGet,
  type DeliveriesListInput,
  type DeliveriesListPage,
  type DeliveriesGetInput,
  type DeliveriesGetOutput,
  type DeliveriesRedeliverInput,
  type DeliveriesRedeliverOutput
} from "./deliveries.ts"
export {
  reports,
  type Report,
  type ReportEndpoint,
  type ReportLatency,
  type ReportM30,
  type ReportDeadStep,
  type ReportPlan,
  type ReportOrdered,
  type ReportDemoted,
  type ReportRejected,
  type ReportRouter,
  type ReportsHealthInput,
  type ReportsHealthOutput,
  type ReportsListDeadStepsInput,
  type ReportsListDeadStepsPage,
  type ReportsPlanInput,
  type ReportsPlanOutput
} from "./reports.ts"
export { probes, type ProbesLiveOutput, type ProbesReadyOutput } from "./probes.ts"
