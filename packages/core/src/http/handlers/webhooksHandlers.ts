/** Handlers of the webhook settings of workspaces. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { WebhookConfig } from "../../workspaces/Webhook.ts"
import { Webhooks } from "../../workspaces/Webhooks.ts"
import type { WebhooksApi } from "../api/WebhooksApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { readJson } from "../readJson.ts"
import { secretAnswer } from "../secretAnswer.ts"

export const webhooksHandlers = Effect.gen(function* () {
  const webhooks = yield* Webhooks

  return {
    get: managed((asked) =>
      Effect.map(webhooks.find(asked.caller, workspaceOf(asked)), (data) => jsonAnswer({ data }))
    ),
    put: managed((asked) =>
      Effect.flatMap(readConfig(asked.request), (config) =>
        Effect.map(webhooks.put(asked.caller, workspaceOf(asked), config), (data) =>
          jsonAnswer({ data })
        )
      )
    ),
    delete: managed((asked) =>
      Effect.as(webhooks.remove(asked.caller, workspaceOf(asked)), jsonAnswer({ deleted: true }))
    ),
    secrets: managed((asked) =>
      Effect.map(webhooks.secrets(asked.caller, workspaceOf(asked)), (data) =>
        jsonAnswer({ data, total_count: data.length })
      )
    ),
    createSecret: managed((asked) =>
      Effect.map(webhooks.createSecret(asked.caller, workspaceOf(asked)), ({ secret, ...data }) =>
        secretAnswer({ data, secret: Redacted.value(secret) }, 201)
      )
    ),
    deleteSecret: managed((asked) =>
      Effect.as(
        webhooks.removeSecret(asked.caller, workspaceOf(asked), asked.params["secretId"] ?? ""),
        jsonAnswer({ deleted: true })
      )
    )
  } satisfies Handlers<typeof WebhooksApi>
})

const readConfig = readJson(WebhookConfig)

const workspaceOf = ({ params }: Asked): string => params["id"] ?? ""
