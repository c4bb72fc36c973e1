/** Webhook settings of workspaces, and the sealed secrets their events are signed with. */
import { type KeptWebhook, type OwnedWebhookSecret, WebhookStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"
import { sealedOtherwise } from "../sealedOtherwise.ts"

export const webhookStore: Layer.Layer<WebhookStore, never, SqlClient.SqlClient> = Layer.effect(
  WebhookStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const locked = alone(sql)
    const of = (account: string, workspace: string) =>
      sql`account = ${keyText(account)} AND workspace = ${keyText(workspace)}`
    const one = (account: string, workspace: string, id: string) =>
      sql`${of(account, workspace)} AND id = ${keyText(id)}`

    const find = Effect.fnUntraced(function* (account: string, workspace: string) {
      const [row] = yield* sql<Omit<KeptWebhook, "secrets">>`
        SELECT callback_url, updated_at FROM webhooks WHERE ${of(account, workspace)}`
      if (row === undefined) return undefined
      const secrets = yield* sql<Kept<OwnedWebhookSecret>>`
        SELECT document FROM webhook_secrets WHERE ${of(account, workspace)} ORDER BY seq`
      return {
        callback_url: row.callback_url,
        updated_at: row.updated_at,
        secrets: secrets.map((row) => read(row).secret)
      }
    })
    const secret = (account: string, workspace: string, id: string) =>
      Effect.map(
        sql<
          Kept<OwnedWebhookSecret>
        >`SELECT document FROM webhook_secrets WHERE ${one(account, workspace, id)}`,
        (rows) => first(rows)?.secret
      )

    return {
      find: (account, workspace) => inTime(find(account, workspace)),
      putUrl: Effect.fnUntraced(
        function* (account, workspace, { callback_url, updated_at }) {
          const before = yield* find(account, workspace)
          yield* sql`INSERT INTO webhooks ${sql.insert({
            account: keyText(account),
            workspace: keyText(workspace),
            callback_url,
            updated_at
          })} ON CONFLICT (account, workspace)
            DO UPDATE SET callback_url = excluded.callback_url, updated_at = excluded.updated_at`
          return before?.callback_url ?? null
        },
        (effect, account, workspace) => inTime(locked("webhook", account, workspace)(effect))
      ),
      remove: Effect.fnUntraced(
        function* (account, workspace) {
          const before = yield* find(account, workspace)
          yield* sql`DELETE FROM webhook_secrets WHERE ${of(account, workspace)}`
          yield* sql`DELETE FROM webhooks WHERE ${of(account, workspace)}`
          return before
        },
        (effect, account, workspace) => inTime(locked("webhook", account, workspace)(effect))
      ),
      addSecret: Effect.fnUntraced(
        function* (account, workspace, added, most) {
          const before = yield* find(account, workspace)
          if ((before?.secrets.length ?? 0) >= most) return false
          const owner = { account: keyText(account), workspace: keyText(workspace) }
          yield* sql`INSERT INTO webhooks ${sql.insert(owner)} ON CONFLICT DO NOTHING`
          yield* sql`INSERT INTO webhook_secrets ${sql.insert({
            ...owner,
            id: keyText(added.id),
            sealed_under: keyText(added.sealed.keyId),
            document: kept({ account, workspace, secret: added })
          })}`
          return true
        },
        (effect, account, workspace) => inTime(locked("webhook", account, workspace)(effect))
      ),
      removeSecret: Effect.fnUntraced(
        function* (account, workspace, id) {
          const before = yield* secret(account, workspace, id)
          yield* sql`DELETE FROM webhook_secrets WHERE ${one(account, workspace, id)}`
          return before
        },
        (effect, account, workspace) => inTime(locked("webhook", account, workspace)(effect))
      ),
      sealedOtherwise: (keyId, after, limit) =>
        inTime(
          sealedOtherwise<OwnedWebhookSecret>(sql, {
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
          const before = yield* secret(account, workspace, id)
          if (before?.sealed.box !== sealed.box) return false
          yield* sql`UPDATE webhook_secrets SET sealed_under = ${keyText(after.keyId)},
            document = ${kept({ account, workspace, secret: { ...before, sealed: after } })}
            WHERE ${one(account, workspace, id)}`
          return true
        },
        (effect, { account, workspace }) => inTime(locked("webhook", account, workspace)(effect))
      )
    }
  })
)

const kept = (owned: OwnedWebhookSecret): string => JSON.stringify(owned)
