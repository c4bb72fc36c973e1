/** Manages the webhooks of workspaces and their signing secrets; every change is in the audit log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { UnsealFailed } from "../../engine/secrets/Sealer.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Actor } from "../../values/Actor.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { Webhook, WebhookConfig, WebhookSecret } from "./Webhook.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import { buildBeforeDeletion } from "./Workspaces.ts"

/** Webhooks. Workspaces are given by id or slug; workspaces of other accounts are not found. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly get: (actor: Actor, workspace: string) => Effect.Effect<Webhook, ResourceNotFound>
    /** Sets the URL; rejects one that is not public. */
    readonly put: (
      actor: Actor,
      workspace: string,
      config: WebhookConfig
    ) => Effect.Effect<Webhook, InvalidRequest | ResourceNotFound>
    /** Removes the URL and all secrets. */
    readonly remove: (actor: Actor, workspace: string) => Effect.Effect<void, ResourceNotFound>
    /** The signing secrets, oldest first. */
    readonly listSecrets: (
      actor: Actor,
      workspace: string
    ) => Effect.Effect<ReadonlyArray<WebhookSecret>, ResourceNotFound>
    /** Adds a secret, which is shown only once; rejected when a rotation needs no more. */
    readonly createSecret: (
      actor: Actor,
      workspace: string
    ) => Effect.Effect<IssuedWebhookSecret, InvalidRequest | ResourceNotFound>
    /** Removes a secret. */
    readonly removeSecret: (
      actor: Actor,
      workspace: string,
      id: string
    ) => Effect.Effect<void, ResourceNotFound>
    /** The URL and secrets for a delivery; every secret signs, oldest first. */
    readonly getDeliveryConfig: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<WebhookDeliveryConfig, UnsealFailed>
    /** Removes the URL if it is still this one, because its receiver answered 410. */
    readonly disable: (account: AccountId, workspace: string, url: string) => Effect.Effect<void>
    /** Seals everything that is sealed under an older key under the current one; returns the count. */
    readonly reseal: Effect.Effect<number>
  }
>()("@signalbox/core/tenants/workspaces/Webhooks") {
  static readonly layer = layerOnDemand(
    Webhooks,
    {
      get: "call",
      put: "call",
      remove: "call",
      listSecrets: "call",
      createSecret: "call",
      removeSecret: "call",
      getDeliveryConfig: "call",
      disable: "call",
      reseal: "effect"
    },
    importNamed(() => import("./layerWebhooks.ts"), "layerWebhooks"),
    buildBeforeDeletion
  )
}

/** A new signing secret, which cannot be shown again. */
export interface IssuedWebhookSecret extends WebhookSecret {
  readonly secret: Redacted.Redacted
}

/** The URL and signing secrets for a delivery. */
export interface WebhookDeliveryConfig {
  readonly callbackUrl: string | undefined
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}
