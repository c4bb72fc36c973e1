/** WebhookStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { listRowsToReseal } from "../engine/secrets/resealAll.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import {
  WebhookStore,
  type StoredWebhook,
  type OwnedWebhookSecret
} from "../tenants/workspaces/WebhookStore.ts"
import { toRowKey } from "./ownedRows.ts"

export const memoryWebhookStore: Layer.Layer<WebhookStore, never, MemoryJournal> = Layer.effect(
  WebhookStore,
  Effect.map(MemoryJournal, (journal) => {
    const table = makeMemoryTable<string, WebhookRow>(journal)
    const change = <A>(
      account: AccountId,
      workspace: string,
      change: (before: StoredWebhook) => readonly [after: StoredWebhook, result: A]
    ) =>
      table.edit((draft) => {
        const id = toRowKey(account, workspace)
        const before = draft.get(id)?.webhook
        const [webhook, result] = change(before ?? emptyWebhook)
        if (webhook !== (before ?? emptyWebhook)) draft.set(id, { account, workspace, webhook })
        return result
      })

    return {
      find: (account, workspace) =>
        Effect.sync(() => table.rows.get(toRowKey(account, workspace))?.webhook),
      putUrl: (account, workspace, webhook) =>
        change(account, workspace, (before) => [{ ...before, ...webhook }, before.callback_url]),
      remove: (account, workspace) =>
        table.edit((draft) => {
          const before = draft.get(toRowKey(account, workspace))?.webhook
          draft.delete(toRowKey(account, workspace))
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
      listToReseal: (keyId, after, limit) =>
        Effect.sync(() => {
          const rows = Array.from(table.rows.values()).flatMap(({ account, webhook, workspace }) =>
            webhook.secrets.flatMap((secret) =>
              secret.sealed.keyId === keyId ? [] : [{ account, workspace, secret }]
            )
          )
          return listRowsToReseal(
            rows,
            ({ account, secret, workspace }) => toRowKey(account, workspace, secret.id),
            after,
            limit
          )
        }),
      reseal: ({ account, secret: { id, sealed }, workspace }, after) =>
        change(account, workspace, (before) => {
          const at = before.secrets.findIndex(
            (secret) => secret.id === id && secret.sealed.ciphertext === sealed.ciphertext
          )
          const secret = before.secrets[at]
          return secret === undefined
            ? [before, false]
            : [{ ...before, secrets: before.secrets.with(at, { ...secret, sealed: after }) }, true]
        })
    }
  })
)

interface WebhookRow extends Pick<OwnedWebhookSecret, "account" | "workspace"> {
  readonly webhook: StoredWebhook
}

const emptyWebhook: StoredWebhook = { callback_url: null, updated_at: null, secrets: [] }
