/** Vaults, their sealed secrets and the keys they are sealed with. */
import {
  type StoredSecret,
  type OwnedKey,
  type OwnedSecret,
  type SecretPutResult,
  type Vault,
  VaultStore
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { countRows } from "../rows/countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { isSameSealed } from "../rows/isSameSealed.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { selectRowsToReseal } from "../rows/selectRowsToReseal.ts"

export const vaultStore: Layer.Layer<VaultStore, never, SqlClient.SqlClient> = Layer.effect(
  VaultStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** One lock for a vault and its secrets, because they are deleted together. */
    const withLock = (id: string) => withExclusiveLock(sql)("vault", id)
    const matchSecret = (id: string, name: string) =>
      sql`vault = ${toKeyText(id)} AND name = ${toKeyText(name)}`

    const find = (id: string) =>
      Effect.map(
        sql<DocumentRow<Vault>>`SELECT document FROM vaults WHERE id = ${toKeyText(id)}`,
        (rows) => readFirst(rows)
      )
    const findSecret = (id: string, name: string) =>
      Effect.map(
        sql<
          DocumentRow<OwnedSecret>
        >`SELECT document FROM vault_secrets WHERE ${matchSecret(id, name)}`,
        (rows) => readFirst(rows)?.secret
      )
    const findKey = (id: string) =>
      Effect.map(
        sql<DocumentRow<OwnedKey>>`SELECT sealed_key AS document FROM vaults
          WHERE id = ${toKeyText(id)} AND sealed_key IS NOT NULL`,
        (rows) => readFirst(rows)?.key
      )
    const putSecret = Effect.fnUntraced(function* (id: Vault["id"], put: StoredSecret) {
      const before = yield* findSecret(id, put.name)
      const after = before === undefined ? put : { ...put, created_at: before.created_at }
      const [vault, name] = [toKeyText(id), toKeyText(put.name)]
      yield* sql`INSERT INTO vault_secrets ${sql.insert({
        vault,
        name,
        sealed_under: toKeyText(after.sealed.keyId),
        document: encodeSecret({ vault: id, secret: after })
      })} ON CONFLICT (vault, name)
        DO UPDATE SET sealed_under = excluded.sealed_under, document = excluded.document`
      yield* sql`DELETE FROM vault_hosts WHERE ${matchSecret(id, put.name)}`
      const hosts = Array.from(new Set(after.hosts), (host) => ({
        vault,
        host: toKeyText(host),
        name
      }))
      if (Arr.isArrayNonEmpty(hosts)) {
        yield* sql`INSERT INTO vault_hosts ${sql.insert(hosts)}`
      }
      return { before, after } satisfies SecretPutResult
    })

    return {
      open: (vault) =>
        guardStoreCall(
          Effect.map(
            sql`INSERT INTO vaults ${sql.insert({
              id: toKeyText(vault.id),
              account: toKeyText(vault.account),
              workspace: toKeyText(vault.workspace),
              document: JSON.stringify(vault)
            })} ON CONFLICT DO NOTHING RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      find: (id) => guardStoreCall(find(id)),
      listByWorkspace: (account, workspace) =>
        guardStoreCall(
          Effect.map(
            sql<DocumentRow<Vault>>`SELECT document FROM vaults
              WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`,
            (rows) => rows.map(readDocument)
          )
        ),
      close: Effect.fnUntraced(
        function* (id) {
          const vault = yield* find(id)
          if (vault === undefined) return undefined
          const secrets = yield* sql<DocumentRow<OwnedSecret>>`
            SELECT document FROM vault_secrets WHERE vault = ${toKeyText(id)} ORDER BY name`
          yield* sql`DELETE FROM vault_hosts WHERE vault = ${toKeyText(id)}`
          yield* sql`DELETE FROM vault_secrets WHERE vault = ${toKeyText(id)}`
          yield* sql`DELETE FROM vaults WHERE id = ${toKeyText(id)}`
          return { vault, secrets: secrets.map(toSecret) }
        },
        (effect, id) => withLock(id)(effect)
      ),
      put: Effect.fnUntraced(
        function* (id, secrets) {
          if ((yield* find(id)) === undefined) return undefined
          return yield* Effect.forEach(secrets, (each) => putSecret(id, each))
        },
        (effect, id) => withLock(id)(effect)
      ),
      remove: Effect.fnUntraced(
        function* (id, name) {
          const before = yield* findSecret(id, name)
          yield* sql`DELETE FROM vault_hosts WHERE ${matchSecret(id, name)}`
          yield* sql`DELETE FROM vault_secrets WHERE ${matchSecret(id, name)}`
          return before
        },
        (effect, id) => withLock(id)(effect)
      ),
      findByNames: (id, names) =>
        names.length === 0
          ? Effect.succeed([])
          : guardStoreCall(
              Effect.map(
                sql<DocumentRow<OwnedSecret>>`SELECT document FROM vault_secrets
                  WHERE vault = ${toKeyText(id)} AND ${sql.in("name", names.map(toKeyText))}`,
                (rows) => rows.map(toSecret)
              )
            ),
      count: countRows(
        sql,
        "secrets",
        sql`vault_secrets JOIN vaults ON vaults.id = vault_secrets.vault`
      ),
      list: (id, { limit, offset }) =>
        guardStoreCall(
          Effect.map(
            // The extra row says whether another page follows.
            sql<DocumentRow<OwnedSecret>>`SELECT document FROM vault_secrets
              WHERE vault = ${toKeyText(id)} ORDER BY name LIMIT ${limit + 1} OFFSET ${offset}`,
            (rows) => ({ rows: rows.slice(0, limit).map(toSecret), hasMore: rows.length > limit })
          )
        ),
      listByHost: (ids, host) =>
        ids.length === 0
          ? Effect.succeed([])
          : guardStoreCall(
              Effect.map(
                sql<DocumentRow<OwnedSecret>>`SELECT vault_secrets.document FROM vault_hosts
                  JOIN vault_secrets ON vault_secrets.vault = vault_hosts.vault
                    AND vault_secrets.name = vault_hosts.name
                  WHERE ${sql.in("vault_hosts.vault", ids.map(toKeyText))}
                    AND vault_hosts.host = ${toKeyText(host)}`,
                (rows) => rows.map(readDocument)
              )
            ),
      listToReseal: (keyId, after, limit) =>
        guardStoreCall(
          selectRowsToReseal<OwnedSecret>(sql, {
            table: "vault_secrets",
            keyId,
            id: ["vault", "name"],
            after: after && [after.secret.sealed.keyId, after.vault, after.secret.name],
            limit
          })
        ),
      reseal: Effect.fnUntraced(
        function* (id, name, before, after) {
          const found = yield* findSecret(id, name)
          if (found === undefined || !isSameSealed(found.sealed, before)) return false
          yield* sql`UPDATE vault_secrets SET sealed_under = ${toKeyText(after.keyId)},
            document = ${encodeSecret({ vault: id, secret: { ...found, sealed: after } })}
            WHERE ${matchSecret(id, name)}`
          return true
        },
        (effect, id) => withLock(id)(effect)
      ),
      findKey: (id) => guardStoreCall(findKey(id)),
      compareAndSetKey: Effect.fnUntraced(
        function* (id, before, after) {
          if (!isSameSealed(yield* findKey(id), before)) return false
          const swapped = yield* sql`UPDATE vaults SET key_sealed_under = ${toKeyText(after.keyId)},
            sealed_key = ${JSON.stringify({ vault: id, key: after })}
            WHERE id = ${toKeyText(id)} RETURNING id`
          return swapped.length > 0
        },
        (effect, id) => withLock(id)(effect)
      ),
      listKeysToReseal: (keyId, after, limit) =>
        guardStoreCall(
          selectRowsToReseal<OwnedKey>(sql, {
            table: "vaults",
            documentColumn: "sealed_key",
            keyColumn: "key_sealed_under",
            keyId,
            id: ["id"],
            after: after && [after.key.keyId, after.vault],
            limit
          })
        )
    }
  })
)

const encodeSecret = (owned: OwnedSecret): string => JSON.stringify(owned)

const toSecret = (row: DocumentRow<OwnedSecret>): StoredSecret => readDocument(row).secret
