/** The contract: every operation with its parameters, results and errors. It imports no service. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountApi } from "./accounts/AccountApi.ts"
import { AlertRulesApi } from "./alerts/AlertRulesApi.ts"
import { AlertsApi } from "./alerts/AlertsApi.ts"
import { KeysApi } from "./auth/KeysApi.ts"
import { ByokApi } from "./byok/ByokApi.ts"
import { CalibrationApi } from "./calibration/CalibrationApi.ts"
import { ChatApi } from "./chat/ChatApi.ts"
import { CustomersApi } from "./customers/CustomersApi.ts"
import { DecisionsApi } from "./decisions/DecisionsApi.ts"
import { EscalationApi } from "./decisions/EscalationApi.ts"
import { EmbeddingsApi } from "./embeddings/EmbeddingsApi.ts"
import { ExperimentsApi } from "./experiments/ExperimentsApi.ts"
import { GuardrailsApi } from "./guardrails/GuardrailsApi.ts"
import { ImageModelsApi } from "./listing/ImageModelsApi.ts"
import { ImagesApi } from "./images/ImagesApi.ts"
import { IncidentsApi } from "./incidents/IncidentsApi.ts"
import { InternsApi } from "./interns/InternsApi.ts"
import { CreditsApi } from "./ledger/CreditsApi.ts"
import { EndpointsApi } from "./listing/EndpointsApi.ts"
import { ModelsApi } from "./listing/ModelsApi.ts"
import { SavedViewsApi } from "./views/SavedViewsApi.ts"
import { PresetsApi } from "./presets/PresetsApi.ts"
import { ProvidersApi } from "./listing/ProvidersApi.ts"
import { AuditApi } from "./observability/AuditApi.ts"
import { FailedRequestsApi } from "./observability/FailedRequestsApi.ts"
import { MessagesApi } from "./messages/MessagesApi.ts"
import { ActivityApi } from "./observability/ActivityApi.ts"
import { AnalyticsApi } from "./observability/AnalyticsApi.ts"
import { LiveApi } from "./observability/LiveApi.ts"
import { GenerationsApi } from "./observability/GenerationsApi.ts"
import { OAuthApi } from "./pkce/OAuthApi.ts"
import { OrganizationApi } from "./organization/OrganizationApi.ts"
import { PeopleApi } from "./observability/PeopleApi.ts"
import { RecordingsApi } from "./simulator/RecordingsApi.ts"
import type { ResultOf } from "./operation/Handler.ts"
import { RerankApi } from "./rerank/RerankApi.ts"
import { SpeechApi } from "./speech/SpeechApi.ts"
import { TranscriptionApi } from "./transcription/TranscriptionApi.ts"
import { ResponsesApi } from "./responses/ResponsesApi.ts"
import { LimitsApi } from "./routing/LimitsApi.ts"
import { SessionsApi } from "./observability/SessionsApi.ts"
import { SeriesApi } from "./observability/SeriesApi.ts"
import { ProbesApi } from "./reports/ProbesApi.ts"
import { ReportsApi } from "./reports/ReportsApi.ts"
import { TrafficApi } from "./traffic/TrafficApi.ts"
import { VaultsApi } from "./vaults/VaultsApi.ts"
import { VideosApi } from "./videos/VideosApi.ts"
import { DeliveriesApi } from "./webhooks/DeliveriesApi.ts"
import { BudgetsApi } from "./workspaces/BudgetsApi.ts"
import { WebhooksApi } from "./workspaces/WebhooksApi.ts"
import { WorkspacesApi } from "./workspaces/WorkspacesApi.ts"

/** Every operation of the HTTP API, for `HttpApiClient.make(Api, { baseUrl })` of Effect. */
export class Api extends HttpApi.make("signalbox")
  .add(
    DecisionsApi,
    EscalationApi,
    ChatApi,
    MessagesApi,
    ResponsesApi,
    EmbeddingsApi,
    RerankApi,
    SpeechApi,
    TranscriptionApi,
    ImagesApi,
    ImageModelsApi,
    ModelsApi,
    EndpointsApi,
    ProvidersApi,
    CalibrationApi,
    CustomersApi,
    WorkspacesApi,
    BudgetsApi,
    GuardrailsApi,
    KeysApi,
    PresetsApi,
    GenerationsApi,
    SessionsApi,
    RecordingsApi,
    ActivityApi,
    AnalyticsApi,
    SeriesApi,
    LiveApi,
    IncidentsApi,
    TrafficApi,
    CreditsApi,
    LimitsApi,
    AlertRulesApi,
    AlertsApi,
    ExperimentsApi,
    AccountApi,
    AuditApi,
    FailedRequestsApi,
    SavedViewsApi,
    OAuthApi,
    OrganizationApi,
    PeopleApi,
    ByokApi,
    InternsApi,
    VideosApi,
    VaultsApi,
    WebhooksApi,
    DeliveriesApi,
    ReportsApi,
    ProbesApi
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Signalbox",
      version: "1.0.0",
      description: "Model routing, compatible with the OpenRouter API.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}

type Groups = (typeof Api)["groups"]

/** The group and name of an operation, such as `keys.list`. */
export type OperationId = {
  [Group in keyof Groups]: `${Group}.${Extract<keyof Groups[Group]["endpoints"], string>}`
}[keyof Groups]

/** The type of an operation's endpoint. */
export type EndpointOf<Id extends OperationId> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Groups
    ? Name extends keyof Groups[Group]["endpoints"]
      ? Groups[Group]["endpoints"][Name]
      : never
    : never
  : never

/** The body of an operation's success, such as `OperationResponse<"generations.get">`. */
export type OperationResponse<Id extends OperationId> = ResultOf<EndpointOf<Id>>
