/** Webhook settings of workspaces, and the sealed secrets that sign their events. */
import { type StoredWebhook, type OwnedWebhookSecret, WebhookStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { isSameSealed } from "../rows/isSameSealed.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { selectRowsToReseal } from "../rows/selectRowsToReseal.ts"

export const webhookStore: Layer.Layer<WebhookStore, never, SqlClient.SqlClient> = Layer.effect(
  WebhookStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const withLock = (account: string, workspace: string) =>
      withExclusiveLock(sql)("webhook", account, workspace)
    const matchWorkspace = (account: string, workspace: string) =>
      sql`account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`
    const matchSecret = (account: string, workspace: string, id: string) =>
      sql`${matchWorkspace(account, workspace)} AND id = ${toKeyText(id)}`

    const find = Effect.fnUntraced(function* (account: string, workspace: string) {
      const [row] = yield* sql<Omit<StoredWebhook, "secrets">>`
        SELECT callback_url, updated_at FROM webhooks WHERE ${matchWorkspace(account, workspace)}`
      if (row === undefined) return undefined
      const secrets = yield* sql<DocumentRow<OwnedWebhookSecret>>`
        SELECT document FROM webhook_secrets WHERE ${matchWorkspace(account, workspace)} ORDER BY seq`
      return {
        callback_url: row.callback_url,
        updated_at: row.updated_at,
        secrets: secrets.map((row) => readDocument(row).secret)
      }
    })
    const findSecret = (account: string, workspace: string, id: string) =>
      Effect.map(
        sql<
          DocumentRow<OwnedWebhookSecret>
        >`SELECT document FROM webhook_secrets WHERE ${matchSecret(account, workspace, id)}`,
        (rows) => readFirst(rows)?.secret
      )

    return {
      find: (account, workspace) => guardStoreCall(find(account, workspace)),
      putUrl: Effect.fnUntraced(
        function* (account, workspace, { callback_url, updated_at }) {
          const before = yield* find(account, workspace)
          yield* sql`INSERT INTO webhooks ${sql.insert({
            account: toKeyText(account),
            workspace: toKeyText(workspace),
            callback_url,
            updated_at
          })} ON CONFLICT (account, workspace)
            DO UPDATE SET callback_url = excluded.callback_url, updated_at = excluded.updated_at`
          return before?.callback_url ?? null
        },
        (effect, account, workspace) => withLock(account, workspace)(effect)
      ),
      remove: Effect.fnUntraced(
        function* (account, workspace) {
          const before = yield* find(account, workspace)
          yield* sql`DELETE FROM webhook_secrets WHERE ${matchWorkspace(account, workspace)}`
          yield* sql`DELETE FROM webhooks WHERE ${matchWorkspace(account, workspace)}`
          return before
        },
        (effect, account, workspace) => withLock(account, workspace)(effect)
      ),
      addSecret: Effect.fnUntraced(
        function* (account, workspace, added, maxSecrets) {
          const before = yield* find(account, workspace)
          if ((before?.secrets.length ?? 0) >= maxSecrets) return false
          const owner = { account: toKeyText(account), workspace: toKeyText(workspace) }
          yield* sql`INSERT INTO webhooks ${sql.insert(owner)} ON CONFLICT DO NOTHING`
          yield* sql`INSERT INTO webhook_secrets ${sql.insert({
            ...owner,
            id: toKeyText(added.id),
            sealed_under: toKeyText(added.sealed.keyId),
            document: encodeSecret({ account, workspace, secret: added })
          })}`
          return true
        },
        (effect, account, workspace) => withLock(account, workspace)(effect)
      ),
      removeSecret: Effect.fnUntraced(
        function* (account, workspace, id) {
          const before = yield* findSecret(account, workspace, id)
          yield* sql`DELETE FROM webhook_secrets WHERE ${matchSecret(account, workspace, id)}`
          return before
        },
        (effect, account, workspace) => withLock(account, workspace)(effect)
      ),
      listToReseal: (keyId, after, limit) =>
        guardStoreCall(
          selectRowsToReseal<OwnedWebhookSecret>(sql, {
            table: "webhook_secrets",
            keyId,
            id: ["account", "workspace", "id"],
            after: after && [
              after.secret.sealed.keyId,
              after.account,
              after.workspace,
              after.secret.id
            ],
            limit
          })
        ),
      reseal: Effect.fnUntraced(
        function* ({ account, secret: { id, sealed }, workspace }, after) {
          const before = yield* findSecret(account, workspace, id)
          if (before === undefined || !isSameSealed(before.sealed, sealed)) return false
          yield* sql`UPDATE webhook_secrets SET sealed_under = ${toKeyText(after.keyId)},
            document = ${encodeSecret({ account, workspace, secret: { ...before, sealed: after } })}
            WHERE ${matchSecret(account, workspace, id)}`
          return true
        },
        (effect, { account, workspace }) => withLock(account, workspace)(effect)
      )
    }
  })
)

const encodeSecret = (owned: OwnedWebhookSecret): string => JSON.stringify(owned)
