/** Credentials of customers, with sealed secrets. */
import {
  reorder,
  CredentialStore,
  type SealedCredential,
  type NewSealedCredential,
  type OwnedCredential
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { countRows } from "../rows/countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { isSameSealed } from "../rows/isSameSealed.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"
import { selectPage } from "../rows/selectPage.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { selectRowsToReseal } from "../rows/selectRowsToReseal.ts"

export const credentialStore: Layer.Layer<CredentialStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CredentialStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** One lock for an account, because its credentials share one sort order. */
      const withLock = (account: string) => withExclusiveLock(sql)("credentials", account)
      const matchCredential = (account: string, id: string) =>
        sql`account = ${toKeyText(account)} AND id = ${toKeyText(id)}`
      const find = (account: string, id: string) =>
        Effect.map(
          sql<
            DocumentRow<OwnedCredential>
          >`SELECT document FROM credentials WHERE ${matchCredential(account, id)}`,
          (rows) => readFirst(rows)?.row
        )
      const write = (owned: OwnedCredential) => {
        const { account, row } = owned
        const { disabled, id, provider, sort_order, workspace_id } = row.credential
        return Effect.as(
          sql`INSERT INTO credentials ${sql.insert({
            account: toKeyText(account),
            id: toKeyText(id),
            workspace: toNullableKeyText(workspace_id),
            provider: toKeyText(provider),
            disabled: disabled ? 1 : 0,
            sort_order,
            sealed_under: toKeyText(row.sealed.keyId),
            document: JSON.stringify(owned)
          })} ON CONFLICT (account, id) DO UPDATE SET workspace = excluded.workspace,
            provider = excluded.provider, disabled = excluded.disabled, sort_order = excluded.sort_order,
            sealed_under = excluded.sealed_under, document = excluded.document`,
          row
        )
      }
      const add = Effect.fnUntraced(function* (
        account: OwnedCredential["account"],
        { credential, ...rest }: NewSealedCredential
      ) {
        const [row] = yield* sql<{ next: number | bigint }>`
          SELECT coalesce(max(sort_order) + 1, 0) AS next FROM credentials
          WHERE account = ${toKeyText(account)} AND provider = ${toKeyText(credential.provider)}`
        const sort_order = Number(row?.next ?? 0)
        return yield* write({
          account,
          row: { ...rest, credential: { ...credential, sort_order } }
        })
      })
      /** Returns undefined if the credential does not exist or `change` returns undefined. */
      const update = Effect.fnUntraced(
        function* (
          account: OwnedCredential["account"],
          id: string,
          change: (sealed: SealedCredential) => SealedCredential | undefined
        ) {
          const before = yield* find(account, id)
          const after = before === undefined ? undefined : change(before)
          return after === undefined ? undefined : yield* write({ account, row: after })
        },
        (effect, account) => withLock(account)(effect)
      )

      return {
        find: (account, id) => guardStoreCall(find(account, id)),
        count: countRows(sql, "credentials", sql`credentials`),
        list: (account, { provider, workspace }, page) =>
          guardStoreCall(
            selectPage(sql, {
              from: sql`credentials WHERE ${sql.and([
                sql`account = ${toKeyText(account)}`,
                ...matchOptional(sql, "provider", provider),
                ...(workspace === undefined
                  ? []
                  : [sql`(workspace IS NULL OR workspace = ${toKeyText(workspace)})`])
              ])}`,
              order: sql`sort_order, seq`,
              page,
              decode: toCredential
            })
          ),
        listEnabled: (account) =>
          guardStoreCall(
            Effect.map(
              sql<DocumentRow<OwnedCredential>>`SELECT document FROM credentials
                WHERE account = ${toKeyText(account)} AND disabled = 0`,
              (rows) => rows.map(toCredential)
            )
          ),
        insert: (account, credential) => withLock(account)(add(account, credential)),
        put: Effect.fnUntraced(
          function* (account, put, isSame) {
            const before = yield* find(account, put.credential.id)
            if (before === undefined) return yield* add(account, put)
            const { created_at, sort_order } = before.credential
            const credential = { ...put.credential, created_at, sort_order }
            const after = isSame ? { ...before, credential } : { ...put, credential }
            return yield* write({ account, row: after })
          },
          (effect, account) => withLock(account)(effect)
        ),
        update,
        remove: Effect.fnUntraced(
          function* (account, id) {
            const before = yield* find(account, id)
            yield* sql`DELETE FROM credentials WHERE ${matchCredential(account, id)}`
            return before
          },
          (effect, account) => withLock(account)(effect)
        ),
        reorder: Effect.fnUntraced(
          function* (account, ids) {
            const rows = yield* sql<DocumentRow<OwnedCredential>>`
              SELECT document FROM credentials WHERE account = ${toKeyText(account)} ORDER BY seq`
            const all = rows.map(toCredential)
            const changes = reorder(all, ids)
            const sortOrderById = new Map(changes?.map(({ after, id }) => [id, after]))
            for (const row of all) {
              const sort_order = sortOrderById.get(row.credential.id)
              if (sort_order === undefined) continue
              const credential = { ...row.credential, sort_order }
              yield* write({ account, row: { ...row, credential } })
            }
            return changes
          },
          (effect, account) => withLock(account)(effect)
        ),
        recordRefusal: (account, id, sealed, refusal) =>
          Effect.asVoid(
            update(account, id, (row) =>
              isSameSealed(row.sealed, sealed) ? { ...row, refusal } : undefined
            )
          ),
        listToReseal: (keyId, after, limit) =>
          guardStoreCall(
            selectRowsToReseal<OwnedCredential>(sql, {
              table: "credentials",
              keyId,
              id: ["account", "id"],
              after: after && [after.row.sealed.keyId, after.account, after.row.credential.id],
              limit
            })
          ),
        reseal: (account, id, before, after) =>
          Effect.map(
            update(account, id, (row) =>
              isSameSealed(row.sealed, before) ? { ...row, sealed: after } : undefined
            ),
            (resealed) => resealed !== undefined
          )
      }
    })
  )

const toCredential = (row: DocumentRow<OwnedCredential>): SealedCredential => readDocument(row).row
