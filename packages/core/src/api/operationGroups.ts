/** The groups of the contract with their handlers. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Context from "effect/Context"
import { AlertRules } from "../domains/alerts/AlertRules.ts"
import { SavedViews } from "../domains/views/SavedViews.ts"
import { ScopedBudgets } from "../tenants/workspaces/ScopedBudgets.ts"
import { importNamed } from "../values/layerOnDemand.ts"
import type { OwnedResource } from "../values/OwnedResource.ts"

/** Types of the contract of `resourceGroup` that its service has, too. */
interface ResourceGroup<Row, New, Patch> {
  readonly endpoints: {
    readonly create: {
      readonly "~Payload": { readonly Type: New }
      readonly "~Success": { readonly Type: { readonly data: Row } }
    }
    readonly update: { readonly "~Payload": { readonly Type: Patch } }
  }
}

/** A group of `resourceGroup`, whose handlers call the service. */
const resourceOperations = <
  Id,
  Row,
  New,
  Patch,
  Name extends string,
  Module extends Readonly<Record<Name, ResourceGroup<Row, New, Patch>>>
>(
  service: Context.Key<Id, OwnedResource<Row, New, Patch>>,
  load: () => Promise<Module>,
  name: Name
) => ({
  contract: importNamed(load, name),
  handlers: async () => {
    const { resourceHandlers } = await import("./operation/resourceHandlers.ts")
    return Effect.map(service, (resource) => resourceHandlers("id", resource, identity))
  }
})

/**
 * The groups of the contract with their handlers, each loaded with the first call of one of its operations. Probes have a
 * responder of their own.
 *
 * @internal
 */
export const operationGroups = {
  account: {
    contract: importNamed(() => import("./accounts/AccountApi.ts"), "AccountApi"),
    handlers: importNamed(() => import("./accounts/accountHandlers.ts"), "accountHandlers")
  },
  activity: {
    contract: importNamed(() => import("./observability/ActivityApi.ts"), "ActivityApi"),
    handlers: importNamed(() => import("./observability/activityHandlers.ts"), "activityHandlers")
  },
  alertRules: resourceOperations(
    AlertRules,
    () => import("./alerts/AlertRulesApi.ts"),
    "AlertRulesApi"
  ),
  alerts: {
    contract: importNamed(() => import("./alerts/AlertsApi.ts"), "AlertsApi"),
    handlers: importNamed(() => import("./alerts/alertsHandlers.ts"), "alertsHandlers")
  },
  analytics: {
    contract: importNamed(() => import("./observability/AnalyticsApi.ts"), "AnalyticsApi"),
    handlers: importNamed(() => import("./observability/analyticsHandlers.ts"), "analyticsHandlers")
  },
  audit: {
    contract: importNamed(() => import("./observability/AuditApi.ts"), "AuditApi"),
    handlers: importNamed(() => import("./observability/auditHandlers.ts"), "auditHandlers")
  },
  failedRequests: {
    contract: importNamed(
      () => import("./observability/FailedRequestsApi.ts"),
      "FailedRequestsApi"
    ),
    handlers: importNamed(
      () => import("./observability/failedRequestsHandlers.ts"),
      "failedRequestsHandlers"
    )
  },
  budgets: resourceOperations(
    ScopedBudgets,
    () => import("./workspaces/BudgetsApi.ts"),
    "BudgetsApi"
  ),
  byok: {
    contract: importNamed(() => import("./byok/ByokApi.ts"), "ByokApi"),
    handlers: importNamed(() => import("./byok/byokHandlers.ts"), "byokHandlers")
  },
  calibration: {
    contract: importNamed(() => import("./calibration/CalibrationApi.ts"), "CalibrationApi"),
    handlers: importNamed(
      () => import("./calibration/calibrationHandlers.ts"),
      "calibrationHandlers"
    )
  },
  // Without a contract, as the handlers read requests themselves.
  chat: {
    handlers: importNamed(() => import("./chat/chatHandlers.ts"), "chatHandlers")
  },
  credits: {
    contract: importNamed(() => import("./ledger/CreditsApi.ts"), "CreditsApi"),
    handlers: importNamed(() => import("./ledger/creditsHandlers.ts"), "creditsHandlers")
  },
  customers: {
    contract: importNamed(() => import("./customers/CustomersApi.ts"), "CustomersApi"),
    handlers: importNamed(() => import("./customers/customersHandlers.ts"), "customersHandlers")
  },
  decisions: {
    handlers: importNamed(() => import("./decisions/decisionsHandlers.ts"), "decisionsHandlers")
  },
  deliveries: {
    contract: importNamed(() => import("./webhooks/DeliveriesApi.ts"), "DeliveriesApi"),
    handlers: importNamed(() => import("./webhooks/deliveriesHandlers.ts"), "deliveriesHandlers")
  },
  embeddings: {
    handlers: importNamed(() => import("./embeddings/embeddingsHandlers.ts"), "embeddingsHandlers")
  },
  endpoints: {
    contract: importNamed(() => import("./listing/EndpointsApi.ts"), "EndpointsApi"),
    handlers: importNamed(() => import("./listing/endpointsHandlers.ts"), "endpointsHandlers")
  },
  escalation: {
    contract: importNamed(() => import("./decisions/EscalationApi.ts"), "EscalationApi"),
    handlers: importNamed(() => import("./decisions/escalationHandlers.ts"), "escalationHandlers")
  },
  experiments: {
    contract: importNamed(() => import("./experiments/ExperimentsApi.ts"), "ExperimentsApi"),
    handlers: importNamed(
      () => import("./experiments/experimentsHandlers.ts"),
      "experimentsHandlers"
    )
  },
  generations: {
    contract: importNamed(() => import("./observability/GenerationsApi.ts"), "GenerationsApi"),
    handlers: importNamed(
      () => import("./observability/generationsHandlers.ts"),
      "generationsHandlers"
    )
  },
  guardrails: {
    contract: importNamed(() => import("./guardrails/GuardrailsApi.ts"), "GuardrailsApi"),
    handlers: importNamed(() => import("./guardrails/guardrailsHandlers.ts"), "guardrailsHandlers")
  },
  // Like chats.
  images: {
    handlers: importNamed(() => import("./images/imagesHandlers.ts"), "imagesHandlers")
  },
  imageModels: {
    contract: importNamed(() => import("./listing/ImageModelsApi.ts"), "ImageModelsApi"),
    handlers: importNamed(() => import("./listing/imageModelsHandlers.ts"), "imageModelsHandlers")
  },
  incidents: {
    contract: importNamed(() => import("./incidents/IncidentsApi.ts"), "IncidentsApi"),
    handlers: importNamed(() => import("./incidents/incidentsHandlers.ts"), "incidentsHandlers")
  },
  interns: {
    contract: importNamed(() => import("./interns/InternsApi.ts"), "InternsApi"),
    handlers: importNamed(() => import("./interns/internsHandlers.ts"), "internsHandlers")
  },
  keys: {
    contract: importNamed(() => import("./auth/KeysApi.ts"), "KeysApi"),
    handlers: importNamed(() => import("./auth/keysHandlers.ts"), "keysHandlers")
  },
  limits: {
    contract: importNamed(() => import("./routing/LimitsApi.ts"), "LimitsApi"),
    handlers: importNamed(() => import("./routing/limitsHandlers.ts"), "limitsHandlers")
  },
  // Like chats.
  messages: {
    handlers: importNamed(() => import("./messages/messagesHandlers.ts"), "messagesHandlers")
  },
  live: {
    contract: importNamed(() => import("./observability/LiveApi.ts"), "LiveApi"),
    handlers: importNamed(() => import("./observability/liveHandlers.ts"), "liveHandlers")
  },
  models: {
    contract: importNamed(() => import("./listing/ModelsApi.ts"), "ModelsApi"),
    handlers: importNamed(() => import("./listing/modelsHandlers.ts"), "modelsHandlers")
  },
  oAuth: {
    contract: importNamed(() => import("./pkce/OAuthApi.ts"), "OAuthApi"),
    handlers: importNamed(() => import("./pkce/oAuthHandlers.ts"), "oAuthHandlers")
  },
  organization: {
    contract: importNamed(() => import("./organization/OrganizationApi.ts"), "OrganizationApi"),
    handlers: importNamed(
      () => import("./organization/organizationHandlers.ts"),
      "organizationHandlers"
    )
  },
  people: {
    contract: importNamed(() => import("./observability/PeopleApi.ts"), "PeopleApi"),
    handlers: importNamed(() => import("./observability/peopleHandlers.ts"), "peopleHandlers")
  },
  savedViews: resourceOperations(
    SavedViews,
    () => import("./views/SavedViewsApi.ts"),
    "SavedViewsApi"
  ),
  presets: {
    contract: importNamed(() => import("./presets/PresetsApi.ts"), "PresetsApi"),
    handlers: importNamed(() => import("./presets/presetsHandlers.ts"), "presetsHandlers")
  },
  providers: {
    contract: importNamed(() => import("./listing/ProvidersApi.ts"), "ProvidersApi"),
    handlers: importNamed(() => import("./listing/providersHandlers.ts"), "providersHandlers")
  },
  recordings: {
    contract: importNamed(() => import("./simulator/RecordingsApi.ts"), "RecordingsApi"),
    handlers: importNamed(() => import("./simulator/recordingsHandlers.ts"), "recordingsHandlers")
  },
  reports: {
    contract: importNamed(() => import("./reports/ReportsApi.ts"), "ReportsApi"),
    handlers: importNamed(() => import("./reports/reportsHandlers.ts"), "reportsHandlers")
  },
  rerank: {
    handlers: importNamed(() => import("./rerank/rerankHandlers.ts"), "rerankHandlers")
  },
  responses: {
    handlers: importNamed(() => import("./responses/responsesHandlers.ts"), "responsesHandlers")
  },
  series: {
    contract: importNamed(() => import("./observability/SeriesApi.ts"), "SeriesApi"),
    handlers: importNamed(() => import("./observability/seriesHandlers.ts"), "seriesHandlers")
  },
  sessions: {
    contract: importNamed(() => import("./observability/SessionsApi.ts"), "SessionsApi"),
    handlers: importNamed(() => import("./observability/sessionsHandlers.ts"), "sessionsHandlers")
  },
  speech: {
    handlers: importNamed(() => import("./speech/speechHandlers.ts"), "speechHandlers")
  },
  traffic: {
    contract: importNamed(() => import("./traffic/TrafficApi.ts"), "TrafficApi"),
    handlers: importNamed(() => import("./traffic/trafficHandlers.ts"), "trafficHandlers")
  },
  transcription: {
    handlers: importNamed(
      () => import("./transcription/transcriptionHandlers.ts"),
      "transcriptionHandlers"
    )
  },
  vaults: {
    contract: importNamed(() => import("./vaults/VaultsApi.ts"), "VaultsApi"),
    handlers: importNamed(() => import("./vaults/vaultsHandlers.ts"), "vaultsHandlers")
  },
  videos: {
    contract: importNamed(() => import("./videos/VideosApi.ts"), "VideosApi"),
    handlers: importNamed(() => import("./videos/videosHandlers.ts"), "videosHandlers")
  },
  webhooks: {
    contract: importNamed(() => import("./workspaces/WebhooksApi.ts"), "WebhooksApi"),
    handlers: importNamed(() => import("./workspaces/webhooksHandlers.ts"), "webhooksHandlers")
  },
  workspaces: {
    contract: importNamed(() => import("./workspaces/WorkspacesApi.ts"), "WorkspacesApi"),
    handlers: importNamed(() => import("./workspaces/workspacesHandlers.ts"), "workspacesHandlers")
  }
}
