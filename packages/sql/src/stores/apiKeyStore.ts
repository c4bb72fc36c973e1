/** API keys, by their own hash and by the hashes of their secrets. */
import { type ApiKey, ApiKeyStore, isSameHash } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { countRows } from "../rows/countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { selectPage } from "../rows/selectPage.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const apiKeyStore: Layer.Layer<ApiKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  ApiKeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const withLock = (hash: string) => withExclusiveLock(sql)("key", hash)
    const find = (account: string, hash: string) =>
      Effect.map(
        sql<DocumentRow<ApiKey>>`SELECT document FROM api_keys
          WHERE hash = ${hash} AND account = ${toKeyText(account)} AND document IS NOT NULL`,
        readFirst
      )
    const add = (key: ApiKey) => sql`INSERT INTO api_keys ${sql.insert(toRow(key))}`
    const write = (key: ApiKey) =>
      sql`${add(key)} ON CONFLICT (hash) DO UPDATE SET account = excluded.account,
        workspace = excluded.workspace, secret = excluded.secret,
        former_secret = excluded.former_secret, disabled = excluded.disabled,
        document = excluded.document`
    const rotate = Effect.fnUntraced(
      function* (account: string, hash: string, change: (key: ApiKey) => ApiKey) {
        const before = yield* find(account, hash)
        if (before === undefined) return undefined
        const after = change(before)
        yield* write(after)
        return { before, after }
      },
      (effect, _, hash) => withLock(hash)(effect)
    )

    return {
      findBySecretHash: (secret) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<ApiKey>>`SELECT document FROM api_keys
              WHERE (secret = ${secret} OR former_secret = ${secret}) AND document IS NOT NULL`,
            (rows) => {
              const key = readFirst(rows)
              return key !== undefined && hasSecret(secret, key) ? key : undefined
            }
          )
        ),
      find: (account, hash) => guardStoreCall(find(account, hash)),
      count: countRows(sql, "keys", sql`api_keys`, sql`document IS NOT NULL`),
      list: (account, { includeDisabled, newestFirst = false, workspace }, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`api_keys WHERE ${sql.and([
              sql`account = ${toKeyText(account)}`,
              ...matchOptional(sql, "workspace", workspace),
              ...(includeDisabled ? [] : [sql`disabled = 0`]),
              sql`document IS NOT NULL`
            ])}`,
            order: newestFirst ? sql`seq DESC` : sql`seq`,
            page,
            decode: readDocument<ApiKey>
          })
        ),
      put: (key) => withLock(key.hash)(write(key)),
      ensure: (key) => guardStoreCall(Effect.asVoid(sql`${add(key)} ON CONFLICT DO NOTHING`)),
      update: (account, hash, update) =>
        Effect.map(rotate(account, hash, update), (rotation) => rotation?.after),
      remove: Effect.fnUntraced(
        function* (account, hash) {
          const before = yield* find(account, hash)
          if (before !== undefined) {
            yield* sql`UPDATE api_keys SET secret = NULL, former_secret = NULL, document = NULL
              WHERE hash = ${hash}`
          }
          return before
        },
        (effect, _, hash) => withLock(hash)(effect)
      ),
      rotate
    }
  })
)

/** Compares in constant time, which the lookup in the index does not. */
const hasSecret = (secret: ApiKey["hash"], { former_secret, secret_hash }: ApiKey): boolean =>
  isSameHash(secret, secret_hash) ||
  (former_secret !== null && isSameHash(secret, former_secret.hash))

const toRow = (key: ApiKey) => ({
  hash: key.hash,
  account: toKeyText(key.account),
  workspace: toKeyText(key.workspace),
  secret: key.secret_hash,
  former_secret: key.former_secret?.hash ?? null,
  disabled: key.disabled ? 1 : 0,
  document: JSON.stringify(key)
})
