/** The webhook of a workspace, as the HTTP API shows it. */
import * as Schema from "effect/Schema"

/** The webhook of a workspace. */
export const Webhook = Schema.Struct({
  workspace_id: Schema.String,
  /** The URL for events without their own; null for none. */
  callback_url: Schema.NullOr(Schema.String),
  /** When the URL was set, in ISO 8601; null when it never was. */
  updated_at: Schema.NullOr(Schema.String)
})
export type Webhook = typeof Webhook.Type

/** Null removes the URL and keeps the secrets. */
export const WebhookConfig = Schema.Struct({ callback_url: Schema.NullOr(Schema.String) })
export type WebhookConfig = typeof WebhookConfig.Type

/** A signing secret without its value. */
export const WebhookSecret = Schema.Struct({
  id: Schema.String,
  /** The masked secret. */
  label: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String
})
export type WebhookSecret = typeof WebhookSecret.Type

/** As many as a rotation needs. */
export const maxSecrets = 2
