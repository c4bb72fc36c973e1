/** Handlers of the webhook settings of workspaces. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { WebhookConfig } from "../../workspaces/Webhook.ts"
import { Webhooks } from "../../workspaces/Webhooks.ts"
import type { WebhooksApi } from "../api/WebhooksApi.ts"
import type { LegacyContext, Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { readJson } from "../readJson.ts"
import { noStoreResponse } from "../noStoreResponse.ts"

export const webhooksHandlers = Effect.gen(function* () {
  const webhooks = yield* Webhooks

  return {
    get: requireManagementKey((asked) =>
      Effect.map(webhooks.find(asked.caller, getWorkspaceRef(asked)), (data) =>
        jsonResponse({ data })
      )
    ),
    put: requireManagementKey((asked) =>
      Effect.flatMap(readConfig(asked.request), (config) =>
        Effect.map(webhooks.put(asked.caller, getWorkspaceRef(asked), config), (data) =>
          jsonResponse({ data })
        )
      )
    ),
    delete: requireManagementKey((asked) =>
      Effect.as(
        webhooks.remove(asked.caller, getWorkspaceRef(asked)),
        jsonResponse({ deleted: true })
      )
    ),
    secrets: requireManagementKey((asked) =>
      Effect.map(webhooks.listSecrets(asked.caller, getWorkspaceRef(asked)), (data) =>
        jsonResponse({ data, total_count: data.length })
      )
    ),
    createSecret: requireManagementKey((asked) =>
      Effect.map(
        webhooks.createSecret(asked.caller, getWorkspaceRef(asked)),
        ({ secret, ...data }) => noStoreResponse({ data, secret: Redacted.value(secret) }, 201)
      )
    ),
    deleteSecret: requireManagementKey((asked) =>
      Effect.as(
        webhooks.removeSecret(asked.caller, getWorkspaceRef(asked), asked.params["secretId"] ?? ""),
        jsonResponse({ deleted: true })
      )
    )
  } satisfies Handlers<typeof WebhooksApi>
})

const readConfig = readJson(WebhookConfig)

const getWorkspaceRef = ({ params }: LegacyContext): string => params["id"] ?? ""
