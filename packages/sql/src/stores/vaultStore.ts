/** Vaults and their secrets, the values sealed. */
import {
  type KeptSecret,
  type OwnedKey,
  type OwnedSecret,
  type PutSecret,
  type Sealed,
  type Vault,
  VaultStore
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { counting } from "../counting.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { inTime } from "../orUnavailable.ts"
import { sealedOtherwise } from "../sealedOtherwise.ts"

export const vaultStore: Layer.Layer<VaultStore, never, SqlClient.SqlClient> = Layer.effect(
  VaultStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** What happens to a vault happens to its secrets. */
    const locked = (id: string) => alone(sql)("vault", id)
    const one = (id: string, name: string) =>
      sql`vault = ${keyText(id)} AND name = ${keyText(name)}`

    const find = (id: string) =>
      Effect.map(sql<Kept<Vault>>`SELECT document FROM vaults WHERE id = ${keyText(id)}`, (rows) =>
        first(rows)
      )
    const secret = (id: string, name: string) =>
      Effect.map(
        sql<Kept<OwnedSecret>>`SELECT document FROM vault_secrets WHERE ${one(id, name)}`,
        (rows) => first(rows)?.secret
      )
    const findKey = (id: string) =>
      Effect.map(
        sql<Kept<OwnedKey>>`SELECT sealed_key AS document FROM vaults
          WHERE id = ${keyText(id)} AND sealed_key IS NOT NULL`,
        (rows) => first(rows)?.key
      )
    const putOne = Effect.fnUntraced(function* (id: Vault["id"], put: KeptSecret) {
      const before = yield* secret(id, put.name)
      const after = before === undefined ? put : { ...put, created_at: before.created_at }
      const [vault, name] = [keyText(id), keyText(put.name)]
      yield* sql`INSERT INTO vault_secrets ${sql.insert({
        vault,
        name,
        sealed_under: keyText(after.sealed.keyId),
        document: kept({ vault: id, secret: after })
      })} ON CONFLICT (vault, name)
        DO UPDATE SET sealed_under = excluded.sealed_under, document = excluded.document`
      yield* sql`DELETE FROM vault_hosts WHERE ${one(id, put.name)}`
      const hosts = Array.from(new Set(after.hosts), (host) => ({
        vault,
        host: keyText(host),
        name
      }))
      if (Arr.isArrayNonEmpty(hosts)) {
        yield* sql`INSERT INTO vault_hosts ${sql.insert(hosts)}`
      }
      return { before, after } satisfies PutSecret
    })

    return {
      open: (vault) =>
        inTime(
          Effect.map(
            sql`INSERT INTO vaults ${sql.insert({
              id: keyText(vault.id),
              account: keyText(vault.account),
              workspace: keyText(vault.workspace),
              document: JSON.stringify(vault)
            })} ON CONFLICT DO NOTHING RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      find: (id) => inTime(find(id)),
      ofWorkspace: (account, workspace) =>
        inTime(
          Effect.map(
            sql<Kept<Vault>>`SELECT document FROM vaults
              WHERE account = ${keyText(account)} AND workspace = ${keyText(workspace)}`,
            (rows) => rows.map(read)
          )
        ),
      close: Effect.fnUntraced(
        function* (id) {
          const vault = yield* find(id)
          if (vault === undefined) return undefined
          const secrets = yield* sql<Kept<OwnedSecret>>`
            SELECT document FROM vault_secrets WHERE vault = ${keyText(id)} ORDER BY name`
          yield* sql`DELETE FROM vault_hosts WHERE vault = ${keyText(id)}`
          yield* sql`DELETE FROM vault_secrets WHERE vault = ${keyText(id)}`
          yield* sql`DELETE FROM vaults WHERE id = ${keyText(id)}`
          return { vault, secrets: secrets.map(secretOf) }
        },
        (effect, id) => inTime(locked(id)(effect))
      ),
      put: Effect.fnUntraced(
        function* (id, secrets) {
          if ((yield* find(id)) === undefined) return undefined
          return yield* Effect.forEach(secrets, (each) => putOne(id, each))
        },
        (effect, id) => inTime(locked(id)(effect))
      ),
      remove: Effect.fnUntraced(
        function* (id, name) {
          const before = yield* secret(id, name)
          yield* sql`DELETE FROM vault_hosts WHERE ${one(id, name)}`
          yield* sql`DELETE FROM vault_secrets WHERE ${one(id, name)}`
          return before
        },
        (effect, id) => inTime(locked(id)(effect))
      ),
      get: (id, names) =>
        names.length === 0
          ? Effect.succeed([])
          : inTime(
              Effect.map(
                sql<Kept<OwnedSecret>>`SELECT document FROM vault_secrets
                  WHERE vault = ${keyText(id)} AND ${sql.in("name", names.map(keyText))}`,
                (rows) => rows.map(secretOf)
              )
            ),
      count: counting(
        sql,
        "secrets",
        sql`vault_secrets JOIN vaults ON vaults.id = vault_secrets.vault`
      ),
      list: (id, { limit, offset }) =>
        inTime(
          Effect.map(
            // One more tells whether there are more.
            sql<Kept<OwnedSecret>>`SELECT document FROM vault_secrets
              WHERE vault = ${keyText(id)} ORDER BY name LIMIT ${limit + 1} OFFSET ${offset}`,
            (rows) => ({ rows: rows.slice(0, limit).map(secretOf), hasMore: rows.length > limit })
          )
        ),
      secretsOf: (ids, host) =>
        ids.length === 0
          ? Effect.succeed([])
          : inTime(
              Effect.map(
                sql<Kept<OwnedSecret>>`SELECT vault_secrets.document FROM vault_hosts
                  JOIN vault_secrets ON vault_secrets.vault = vault_hosts.vault
                    AND vault_secrets.name = vault_hosts.name
                  WHERE ${sql.in("vault_hosts.vault", ids.map(keyText))}
                    AND vault_hosts.host = ${keyText(host)}`,
                (rows) => rows.map(read)
              )
            ),
      sealedOtherwise: (keyId, after, limit) =>
        inTime(
          sealedOtherwise<OwnedSecret>(sql, {
            table: "vault_secrets",
            keyId,
            id: ["vault", "name"],
            after: after && [after.secret.sealed.keyId, after.vault, after.secret.name],
            limit
          })
        ),
      reseal: Effect.fnUntraced(
        function* (id, name, before, after) {
          const found = yield* secret(id, name)
          if (found === undefined || !isSame(found.sealed, before)) return false
          yield* sql`UPDATE vault_secrets SET sealed_under = ${keyText(after.keyId)},
            document = ${kept({ vault: id, secret: { ...found, sealed: after } })}
            WHERE ${one(id, name)}`
          return true
        },
        (effect, id) => inTime(locked(id)(effect))
      ),
      findKey: (id) => inTime(findKey(id)),
      swapKey: Effect.fnUntraced(
        function* (id, before, after) {
          if (!isSame(yield* findKey(id), before)) return false
          const swapped = yield* sql`UPDATE vaults SET key_under = ${keyText(after.keyId)},
            sealed_key = ${JSON.stringify({ vault: id, key: after })}
            WHERE id = ${keyText(id)} RETURNING id`
          return swapped.length > 0
        },
        (effect, id) => inTime(locked(id)(effect))
      ),
      keysSealedOtherwise: (keyId, after, limit) =>
        inTime(
          sealedOtherwise<OwnedKey>(sql, {
            table: "vaults",
            document: "sealed_key",
            under: "key_under",
            keyId,
            id: ["id"],
            after: after && [after.key.keyId, after.vault],
            limit
          })
        )
    }
  })
)

const kept = (owned: OwnedSecret): string => JSON.stringify(owned)

const secretOf = (row: Kept<OwnedSecret>): KeptSecret => read(row).secret

const isSame = (self: Sealed | undefined, that: Sealed | undefined): boolean =>
  self?.box === that?.box && self?.keyId === that?.keyId
