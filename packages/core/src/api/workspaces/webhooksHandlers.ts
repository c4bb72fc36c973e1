/** Handlers of the webhook operations. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Webhooks } from "../../tenants/workspaces/Webhooks.ts"
import { deletedResponse } from "../contract/envelopes.ts"
import { makeWebhookTest, type WebhookTest } from "./makeWebhookTest.ts"
import type { WebhooksApi, WebhookTestResponse } from "./WebhooksApi.ts"
import type { Handlers } from "../operation/Handler.ts"

export const webhooksHandlers = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const sendTest = yield* makeWebhookTest

  return {
    get: ({ params }, { caller }) =>
      Effect.map(webhooks.get(caller, params.id), (data) => ({ data })),
    set: ({ params, payload }, { caller }) =>
      Effect.map(webhooks.put(caller, params.id, payload), (data) => ({ data })),
    delete: ({ params }, { caller }) =>
      Effect.as(webhooks.remove(caller, params.id), deletedResponse),
    test: ({ params }, { caller }) =>
      Effect.map(sendTest(caller, params.id), (test) => ({ data: toTestResponse(test) })),
    listSecrets: ({ params }, { caller }) =>
      Effect.map(webhooks.listSecrets(caller, params.id), (data) => ({
        data,
        total_count: data.length
      })),
    createSecret: ({ params }, { caller }) =>
      Effect.map(webhooks.createSecret(caller, params.id), ({ secret, ...data }) => ({
        data,
        secret: Redacted.value(secret)
      })),
    deleteSecret: ({ params }, { caller }) =>
      Effect.as(webhooks.removeSecret(caller, params.id, params.secretId), deletedResponse)
  } satisfies Handlers<typeof WebhooksApi>
})

const toTestResponse = ({
  id,
  outcome: { durationMillis, error, status },
  url
}: WebhookTest): typeof WebhookTestResponse.Type => ({
  id,
  url,
  delivered: status !== undefined && status >= 200 && status <= 299,
  duration_ms: durationMillis,
  status: status ?? null,
  error: error ?? null
})
