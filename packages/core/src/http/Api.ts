/** The contract: every operation with its parameters, results and errors. It imports no service. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountApi } from "../accounts/http/AccountApi.ts"
import { KeysApi } from "../auth/http/KeysApi.ts"
import { ByokApi } from "../byok/http/ByokApi.ts"
import { CalibrationApi } from "../calibration/http/CalibrationApi.ts"
import { ChatApi } from "../chat/http/ChatApi.ts"
import { DecisionsApi } from "../decisions/http/DecisionsApi.ts"
import { EscalationApi } from "../decisions/http/EscalationApi.ts"
import { EmbeddingsApi } from "../embeddings/http/EmbeddingsApi.ts"
import { ExperimentsApi } from "../experiments/http/ExperimentsApi.ts"
import { GuardrailsApi } from "../guardrails/http/GuardrailsApi.ts"
import { InternsApi } from "../interns/http/InternsApi.ts"
import { CreditsApi } from "../ledger/http/CreditsApi.ts"
import { EndpointsApi } from "../listing/http/EndpointsApi.ts"
import { ModelsApi } from "../listing/http/ModelsApi.ts"
import { ProvidersApi } from "../listing/http/ProvidersApi.ts"
import { AuditApi } from "../observability/http/AuditApi.ts"
import { FailedRequestsApi } from "../observability/http/FailedRequestsApi.ts"
import { MessagesApi } from "../messages/http/MessagesApi.ts"
import { ActivityApi } from "../observability/http/ActivityApi.ts"
import { AnalyticsApi } from "../observability/http/AnalyticsApi.ts"
import { LiveApi } from "../observability/http/LiveApi.ts"
import { GenerationsApi } from "../observability/http/GenerationsApi.ts"
import { RecordingsApi } from "../simulator/http/RecordingsApi.ts"
import { RerankApi } from "../rerank/http/RerankApi.ts"
import { ResponsesApi } from "../responses/http/ResponsesApi.ts"
import { LimitsApi } from "../routing/http/LimitsApi.ts"
import { SeriesApi } from "../observability/http/SeriesApi.ts"
import { ProbesApi } from "./reports/ProbesApi.ts"
import { ReportsApi } from "./reports/ReportsApi.ts"
import { VaultsApi } from "../vaults/http/VaultsApi.ts"
import { VideosApi } from "../videos/http/VideosApi.ts"
import { DeliveriesApi } from "../webhooks/http/DeliveriesApi.ts"
import { WebhooksApi } from "../workspaces/http/WebhooksApi.ts"
import { WorkspacesApi } from "../workspaces/http/WorkspacesApi.ts"

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
    ModelsApi,
    EndpointsApi,
    ProvidersApi,
    CalibrationApi,
    WorkspacesApi,
    GuardrailsApi,
    KeysApi,
    GenerationsApi,
    RecordingsApi,
    ActivityApi,
    AnalyticsApi,
    SeriesApi,
    LiveApi,
    CreditsApi,
    LimitsApi,
    ExperimentsApi,
    AccountApi,
    AuditApi,
    FailedRequestsApi,
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
