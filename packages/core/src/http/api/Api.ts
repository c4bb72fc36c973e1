/** The contract: every operation, its parameters, answers and errors. It knows no service. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountsApi } from "./AccountsApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { ByokApi } from "./ByokApi.ts"
import { CatalogApi } from "./CatalogApi.ts"
import { ChatApi } from "./ChatApi.ts"
import { DecisionsApi } from "./DecisionsApi.ts"
import { DeliveriesApi } from "./DeliveriesApi.ts"
import { GuardrailsApi } from "./GuardrailsApi.ts"
import { InternChatsApi } from "./InternChatsApi.ts"
import { InternsApi } from "./InternsApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { OperationsApi } from "./OperationsApi.ts"
import { ProbesApi } from "./ProbesApi.ts"
import { RecordsApi } from "./RecordsApi.ts"
import { VaultApi } from "./VaultApi.ts"
import { VideosApi } from "./VideosApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { WorkspacesApi } from "./WorkspacesApi.ts"

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
