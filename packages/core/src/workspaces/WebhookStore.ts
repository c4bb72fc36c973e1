/** Where the webhook settings of workspaces are kept, their signing secrets sealed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { memoryTable } from "../memoryTable.ts"
import { rowsBehind } from "../secrets/rowsBehind.ts"
import type { Sealed } from "../secrets/Sealing.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { Webhook, WebhookSecret } from "./Webhook.ts"

/** A signing secret as a store keeps it, sealed. */
export interface KeptWebhookSecret extends WebhookSecret {
  readonly sealed: Sealed
}

/** The address and the secrets of a workspace as a store keeps them. */
export interface KeptWebhook extends Pick<Webhook, "callback_url" | "updated_at"> {
  /** Oldest first. */
  readonly secrets: ReadonlyArray<KeptWebhookSecret>
}

/** A signing secret together with the workspace it belongs to. */
export interface OwnedWebhookSecret {
  readonly account: AccountId
  readonly workspace: string
  readonly secret: KeptWebhookSecret
}

/** Keeps webhook addresses and their sealed signing secrets. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Undefined where nothing was ever set. */
    readonly find: (account: AccountId, workspace: string) => Effect.Effect<KeptWebhook | undefined>
    /** Sets the address, and leaves the secrets; the address there was. */
    readonly putUrl: (
      account: AccountId,
      workspace: string,
      webhook: Pick<KeptWebhook, "callback_url" | "updated_at">
    ) => Effect.Effect<string | null>
    /** With its secrets; what was there. */
    readonly remove: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<KeptWebhook | undefined>
    /** False, and nothing is done, when there are `most` already. Race: never are there more. */
    readonly addSecret: (
      account: AccountId,
      workspace: string,
      secret: KeptWebhookSecret,
      most: number
    ) => Effect.Effect<boolean>
    /** What was there. */
    readonly removeSecret: (
      account: AccountId,
      workspace: string,
      id: string
    ) => Effect.Effect<KeptWebhookSecret | undefined>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly sealedOtherwise: (
      keyId: string,
      after: OwnedWebhookSecret | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedWebhookSecret>>
    /** Race: false, and nothing is done, when it was removed, or is not sealed as it was `before`. */
    readonly reseal: (owned: OwnedWebhookSecret, after: Sealed) => Effect.Effect<boolean>
  }
>()("@signalbox/core/workspaces/WebhookStore") {
  static readonly layerMemory: Layer.Layer<WebhookStore, never, MemoryJournal> = Layer.effect(
    WebhookStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = memoryTable<string, Row>(journal)
      const change = <A>(
        account: AccountId,
        workspace: string,
        change: (before: KeptWebhook) => readonly [after: KeptWebhook, result: A]
      ) =>
        table.edit((draft) => {
          const id = key(account, workspace)
          const before = draft.get(id)?.webhook
          const [webhook, result] = change(before ?? nothing)
          if (webhook !== (before ?? nothing)) draft.set(id, { account, workspace, webhook })
          return result
        })

      return {
        find: (account, workspace) =>
          Effect.sync(() => table.rows.get(key(account, workspace))?.webhook),
        putUrl: (account, workspace, webhook) =>
          change(account, workspace, (before) => [{ ...before, ...webhook }, before.callback_url]),
        remove: (account, workspace) =>
          table.edit((draft) => {
            const before = draft.get(key(account, workspace))?.webhook
            draft.delete(key(account, workspace))
            return before
          }),
        addSecret: (account, workspace, secret, most) =>
          change(account, workspace, (before) =>
            before.secrets.length < most
              ? [{ ...before, secrets: [...before.secrets, secret] }, true]
              : [before, false]
          ),
        removeSecret: (account, workspace, id) =>
          change(account, workspace, (before) => {
            const removed = before.secrets.find((secret) => secret.id === id)
            return removed === undefined
              ? [before, undefined]
              : [
                  { ...before, secrets: before.secrets.filter((secret) => secret !== removed) },
                  removed
                ]
          }),
        sealedOtherwise: (keyId, after, limit) =>
          Effect.sync(() => {
            const rows = Array.from(table.rows.values()).flatMap(
              ({ account, webhook, workspace }) =>
                webhook.secrets.flatMap((secret) =>
                  secret.sealed.keyId === keyId ? [] : [{ account, workspace, secret }]
                )
            )
            return rowsBehind(
              rows,
              ({ account, secret, workspace }) => key(account, workspace, secret.id),
              after,
              limit
            )
          }),
        reseal: ({ account, secret: { id, sealed }, workspace }, after) =>
          change(account, workspace, (before) => {
            const at = before.secrets.findIndex(
              (secret) => secret.id === id && secret.sealed.box === sealed.box
            )
            const secret = before.secrets[at]
            return secret === undefined
              ? [before, false]
              : [
                  { ...before, secrets: before.secrets.with(at, { ...secret, sealed: after }) },
                  true
                ]
          })
      }
    })
  )
}

interface Row extends Pick<OwnedWebhookSecret, "account" | "workspace"> {
  readonly webhook: KeptWebhook
}

const nothing: KeptWebhook = { callback_url: null, updated_at: null, secrets: [] }

const key = (account: AccountId, ...parts: ReadonlyArray<string>): string =>
  JSON.stringify([account, ...parts])
