/** Stores webhooks and their sealed signing secrets. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SealedSecret } from "../../engine/secrets/Sealer.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { Webhook, WebhookSecret } from "./Webhook.ts"

/** A stored, sealed signing secret. */
export const StoredWebhookSecret = Schema.Struct({ ...WebhookSecret.fields, sealed: SealedSecret })
export type StoredWebhookSecret = typeof StoredWebhookSecret.Type

/** The stored webhook of a workspace. */
export const StoredWebhook = Schema.Struct({
  callback_url: Webhook.fields.callback_url,
  updated_at: Webhook.fields.updated_at,
  /** Oldest first. */
  secrets: Schema.Array(StoredWebhookSecret)
})
export type StoredWebhook = typeof StoredWebhook.Type

/** A signing secret and its workspace. */
export interface OwnedWebhookSecret {
  readonly account: AccountId
  readonly workspace: string
  readonly secret: StoredWebhookSecret
}

/** Stores webhooks and their sealed signing secrets. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Undefined when nothing was ever set. */
    readonly find: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<StoredWebhook | undefined>
    /** Sets the URL and keeps the secrets; returns the old URL. */
    readonly putUrl: (
      account: AccountId,
      workspace: string,
      webhook: Pick<StoredWebhook, "callback_url" | "updated_at">
    ) => Effect.Effect<string | null>
    /** Removes the webhook and its secrets; returns the removed webhook. */
    readonly remove: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<StoredWebhook | undefined>
    /** Returns false and changes nothing at the limit. Race: the limit holds for concurrent adds too. */
    readonly addSecret: (
      account: AccountId,
      workspace: string,
      secret: StoredWebhookSecret,
      most: number
    ) => Effect.Effect<boolean>
    /** Returns the removed secret. */
    readonly removeSecret: (
      account: AccountId,
      workspace: string,
      id: string
    ) => Effect.Effect<StoredWebhookSecret | undefined>
    /**
     * Secrets of all accounts sealed under another key, at most `limit`, in a fixed order of the store; those after
     * `after`, even when that one does not exist any more.
     */
    readonly listToReseal: (
      keyId: string,
      after: OwnedWebhookSecret | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedWebhookSecret>>
    /** Race: returns false and changes nothing when the secret was removed, or resealed since `before` was read. */
    readonly reseal: (owned: OwnedWebhookSecret, after: SealedSecret) => Effect.Effect<boolean>
  }
>()("@signalbox/core/tenants/workspaces/WebhookStore") {}
