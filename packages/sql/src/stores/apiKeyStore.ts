/** API keys, by the hash that names them and by the hashes of the secrets that open them. */
import { type ApiKey, ApiKeyStore, sameHash } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { counting } from "../counting.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { listed } from "../listed.ts"
import { inTime } from "../orUnavailable.ts"

export const apiKeyStore: Layer.Layer<ApiKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  ApiKeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const locked = (hash: string) => alone(sql)("key", hash)
    const find = (account: string, hash: string) =>
      Effect.map(
        sql<Kept<ApiKey>>`SELECT document FROM api_keys
          WHERE hash = ${hash} AND account = ${keyText(account)} AND document IS NOT NULL`,
        first
      )
    const add = (key: ApiKey) => sql`INSERT INTO api_keys ${sql.insert(row(key))}`
    const write = (key: ApiKey) =>
      sql`${add(key)} ON CONFLICT (hash) DO UPDATE SET account = excluded.account,
        workspace = excluded.workspace, secret = excluded.secret,
        former_secret = excluded.former_secret, disabled = excluded.disabled,
        document = excluded.document`
    const change = Effect.fnUntraced(
      function* (account: string, hash: string, change: (key: ApiKey) => ApiKey) {
        const before = yield* find(account, hash)
        if (before === undefined) return undefined
        const after = change(before)
        yield* write(after)
        return { before, after }
      },
      (effect, _, hash) => inTime(locked(hash)(effect))
    )

    return {
      findByHash: (secret) =>
        inTime(
          Effect.map(
            sql<Kept<ApiKey>>`SELECT document FROM api_keys
              WHERE (secret = ${secret} OR former_secret = ${secret}) AND document IS NOT NULL`,
            (rows) => {
              const key = first(rows)
              return key !== undefined && opens(secret, key) ? key : undefined
            }
          )
        ),
      find: (account, hash) => inTime(find(account, hash)),
      count: counting(sql, "keys", sql`api_keys`, sql`document IS NOT NULL`),
      list: (account, { includeDisabled, workspace }, page) =>
        inTime(
          listed(sql, {
            from: sql`api_keys WHERE ${sql.and([
              sql`account = ${keyText(account)}`,
              ...(workspace === undefined ? [] : [sql`workspace = ${keyText(workspace)}`]),
              ...(includeDisabled ? [] : [sql`disabled = 0`]),
              sql`document IS NOT NULL`
            ])}`,
            order: sql`seq`,
            page,
            of: read<ApiKey>
          })
        ),
      put: (key) => inTime(locked(key.hash)(write(key))),
      ensure: (key) => inTime(Effect.asVoid(sql`${add(key)} ON CONFLICT DO NOTHING`)),
      update: (account, hash, update) =>
        Effect.map(change(account, hash, update), (changed) => changed?.after),
      remove: Effect.fnUntraced(
        function* (account, hash) {
          const before = yield* find(account, hash)
          if (before !== undefined) {
            yield* sql`UPDATE api_keys SET secret = NULL, former_secret = NULL, document = NULL
              WHERE hash = ${hash}`
          }
          return before
        },
        (effect, _, hash) => inTime(locked(hash)(effect))
      ),
      rotate: change
    }
  })
)

/** What found the row is compared again, in constant time. */
const opens = (secret: ApiKey["hash"], { former_secret, secret_hash }: ApiKey): boolean =>
  sameHash(secret, secret_hash) || (former_secret !== null && sameHash(secret, former_secret.hash))

const row = (key: ApiKey) => ({
  hash: key.hash,
  account: keyText(key.account),
  workspace: keyText(key.workspace),
  secret: key.secret_hash,
  former_secret: key.former_secret?.hash ?? null,
  disabled: key.disabled ? 1 : 0,
  document: JSON.stringify(key)
})
