/** The contract: every operation, its parameters, answers and errors. It knows no service. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountsApi } from "../accounts/http/AccountsApi.ts"
import { AuditApi } from "../observability/http/AuditApi.ts"
import { ByokApi } from "../byok/http/ByokApi.ts"
import { CatalogApi } from "../listing/http/CatalogApi.ts"
import { ChatApi } from "../chat/http/ChatApi.ts"
import { DecisionsApi } from "../decisions/http/DecisionsApi.ts"
import { DeliveriesApi } from "../webhooks/http/DeliveriesApi.ts"
import { GuardrailsApi } from "../guardrails/http/GuardrailsApi.ts"
import { InternChatsApi } from "../interns/http/InternChatsApi.ts"
import { InternsApi } from "../interns/http/InternsApi.ts"
import { KeysApi } from "../auth/http/KeysApi.ts"
import { OperationsApi } from "./reports/OperationsApi.ts"
import { ProbesApi } from "./reports/ProbesApi.ts"
import { RecordsApi } from "../observability/http/RecordsApi.ts"
import { VaultApi } from "../vaults/http/VaultApi.ts"
import { VideosApi } from "../videos/http/VideosApi.ts"
import { WebhooksApi } from "../workspaces/http/WebhooksApi.ts"
import { WorkspacesApi } from "../workspaces/http/WorkspacesApi.ts"

/** Every operation of the HTTP API, for `HttpApiClient.make(Api, { baseUrl })` of Effect. */
export class Api extends HttpApi.make("signalbox")
  .add(
    DecisionsApi,
    ChatApi,
    CatalogApi,
    WorkspacesApi,
    GuardrailsApi,
    KeysApi,
    RecordsApi,
    AccountsApi,
    AuditApi,
    ByokApi,
    InternsApi,
    InternChatsApi,
    VideosApi,
    VaultApi,
    WebhooksApi,
    DeliveriesApi,
    OperationsApi,
    ProbesApi
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Signalbox",
      version: "1.0.0",
      description: "Model routing, wire-compatible with the OpenRouter API",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}
