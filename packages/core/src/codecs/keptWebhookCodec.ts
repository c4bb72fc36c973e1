/** The address and the secrets of a workspace's webhook, to JSON and back. */
import * as Schema from "effect/Schema"
import { Webhook, WebhookSecret } from "../workspaces/Webhook.ts"
import type { KeptWebhook, KeptWebhookSecret } from "../workspaces/WebhookStore.ts"
import type { FieldsOf } from "./fieldsOf.ts"
import { Sealed } from "./Sealed.ts"

const KeptSecret = Schema.Struct({
  ...WebhookSecret.fields,
  sealed: Sealed
} satisfies FieldsOf<KeptWebhookSecret>)

/** A signing secret, sealed, to JSON and back. */
export const keptWebhookSecretCodec: Schema.Codec<KeptWebhookSecret, Schema.Json> =
  Schema.toCodecJson(KeptSecret)

/** The address and the signing secrets of a workspace to JSON and back. */
export const keptWebhookCodec: Schema.Codec<KeptWebhook, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    callback_url: Webhook.fields.callback_url,
    updated_at: Webhook.fields.updated_at,
    secrets: Schema.Array(KeptSecret)
  } satisfies FieldsOf<KeptWebhook>)
)
