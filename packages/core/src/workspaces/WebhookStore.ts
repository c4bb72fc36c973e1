/** Stores webhooks and their sealed signing secrets. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { Webhook, WebhookSecret } from "./Webhook.ts"

/** A stored, sealed signing secret. */
export interface StoredWebhookSecret extends WebhookSecret {
  readonly sealed: SealedSecret
}

/** The stored webhook of a workspace. */
export interface StoredWebhook extends Pick<Webhook, "callback_url" | "updated_at"> {
  /** Oldest first. */
  readonly secrets: ReadonlyArray<StoredWebhookSecret>
}

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
>()("@signalbox/core/workspaces/WebhookStore") {}
