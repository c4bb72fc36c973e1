/** Where the events of a workspace go, and what they are signed with, as our own operations show it. */
import * as Schema from "effect/Schema"

/** Where a workspace wants events sent. */
export const Webhook = Schema.Struct({
  workspace_id: Schema.String,
  /** Where events go that name no address themselves; null: nowhere. */
  callback_url: Schema.NullOr(Schema.String),
  /** ISO 8601, of the address; null: it was never set. */
  updated_at: Schema.NullOr(Schema.String)
})
export type Webhook = typeof Webhook.Type

/** Null takes the address away and leaves the secrets. */
export const WebhookConfig = Schema.Struct({ callback_url: Schema.NullOr(Schema.String) })
export type WebhookConfig = typeof WebhookConfig.Type

/** What may be told of a signing secret. */
export const WebhookSecret = Schema.Struct({
  id: Schema.String,
  /** The masked secret. */
  label: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String
})
export type WebhookSecret = typeof WebhookSecret.Type

/** As many as a rotation needs. Our choice. */
export const maxSecrets = 2
