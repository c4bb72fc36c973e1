/** The address and the secrets of a workspace's webhook, to JSON and back. */
import * as Schema from "effect/Schema"
import { Webhook, WebhookSecret } from "../workspaces/Webhook.ts"
import type { StoredWebhook, StoredWebhookSecret } from "../workspaces/WebhookStore.ts"
import type { FieldsOf } from "./codecFields.ts"
import { Sealed } from "./Sealed.ts"

const StoredSecret = Schema.Struct({
  ...WebhookSecret.fields,
  sealed: Sealed
} satisfies FieldsOf<StoredWebhookSecret>)

/** A signing secret, sealed, to JSON and back. */
export const storedWebhookSecretCodec: Schema.Codec<StoredWebhookSecret, Schema.Json> =
  Schema.toCodecJson(StoredSecret)

/** The address and the signing secrets of a workspace to JSON and back. */
export const storedWebhookCodec: Schema.Codec<StoredWebhook, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    callback_url: Webhook.fields.callback_url,
    updated_at: Webhook.fields.updated_at,
    secrets: Schema.Array(StoredSecret)
  } satisfies FieldsOf<StoredWebhook>)
)
