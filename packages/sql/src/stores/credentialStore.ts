/** Customers' own credentials, their secrets sealed. */
import {
  reorder,
  CredentialStore,
  type SealedCredential,
  type NewSealedCredential,
  type OwnedCredential,
  type SealedSecret
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../locks.ts"
import { countRows } from "../countRows.ts"
import { readFirst, type DocumentRow, readDocument } from "../DocumentRow.ts"
import { toKeyText } from "../toKeyText.ts"
import { selectPage } from "../selectPage.ts"
import { guardStoreCall } from "../guardStoreCall.ts"
import { selectRowsToReseal } from "../selectRowsToReseal.ts"

export const credentialStore: Layer.Layer<CredentialStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CredentialStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** The places of an account's credentials hang together. */
      const withLock = (account: string) => withExclusiveLock(sql)("credentials", account)
      const one = (account: string, id: string) =>
        sql`account = ${toKeyText(account)} AND id = ${toKeyText(id)}`
      const find = (account: string, id: string) =>
        Effect.map(
          sql<
            DocumentRow<OwnedCredential>
          >`SELECT document FROM credentials WHERE ${one(account, id)}`,
          (rows) => readFirst(rows)?.row
        )
      const write = ({ account, row: kept }: OwnedCredential) => {
        const { disabled, id, provider, sort_order, workspace_id } = kept.credential
        return Effect.as(
          sql`INSERT INTO credentials ${sql.insert({
            account: toKeyText(account),
            id: toKeyText(id),
            workspace: workspace_id === null ? null : toKeyText(workspace_id),
            provider: toKeyText(provider),
            disabled: disabled ? 1 : 0,
            sort_order,
            sealed_under: toKeyText(kept.sealed.keyId),
            document: JSON.stringify({ account, row: kept })
          })} ON CONFLICT (account, id) DO UPDATE SET workspace = excluded.workspace,
            provider = excluded.provider, disabled = excluded.disabled, sort_order = excluded.sort_order,
            sealed_under = excluded.sealed_under, document = excluded.document`,
          kept
        )
      }
      const add = Effect.fnUntraced(function* (
        account: OwnedCredential["account"],
        { credential, ...kept }: NewSealedCredential
      ) {
        const [row] = yield* sql<{ next: number | bigint }>`
          SELECT coalesce(max(sort_order) + 1, 0) AS next FROM credentials
          WHERE account = ${toKeyText(account)} AND provider = ${toKeyText(credential.provider)}`
        const sort_order = Number(row?.next ?? 0)
        return yield* write({
          account,
          row: { ...kept, credential: { ...credential, sort_order } }
        })
      })
      /** Undefined when there is none, or when `change` wants nothing changed. */
      const change = Effect.fnUntraced(
        function* (
          account: OwnedCredential["account"],
          id: string,
          change: (kept: SealedCredential) => SealedCredential | undefined
        ) {
          const before = yield* find(account, id)
          const after = before === undefined ? undefined : change(before)
          return after === undefined ? undefined : yield* write({ account, row: after })
        },
        (effect, account) => guardStoreCall(withLock(account)(effect))
      )

      return {
        find: (account, id) => guardStoreCall(find(account, id)),
        count: countRows(sql, "credentials", sql`credentials`),
        list: (account, { provider, workspace }, page) =>
          guardStoreCall(
            selectPage(sql, {
              from: sql`credentials WHERE ${sql.and([
                sql`account = ${toKeyText(account)}`,
                ...(provider === undefined ? [] : [sql`provider = ${toKeyText(provider)}`]),
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
        insert: (account, kept) => guardStoreCall(withLock(account)(add(account, kept))),
        put: Effect.fnUntraced(
          function* (account, kept, isSame) {
            const before = yield* find(account, kept.credential.id)
            if (before === undefined) return yield* add(account, kept)
            const { created_at, sort_order } = before.credential
            const credential = { ...kept.credential, created_at, sort_order }
            const after = isSame ? { ...before, credential } : { ...kept, credential }
            return yield* write({ account, row: after })
          },
          (effect, account) => guardStoreCall(withLock(account)(effect))
        ),
        update: change,
        remove: Effect.fnUntraced(
          function* (account, id) {
            const before = yield* find(account, id)
            yield* sql`DELETE FROM credentials WHERE ${one(account, id)}`
            return before
          },
          (effect, account) => guardStoreCall(withLock(account)(effect))
        ),
        reorder: Effect.fnUntraced(
          function* (account, ids) {
            const rows = yield* sql<DocumentRow<OwnedCredential>>`
              SELECT document FROM credentials WHERE account = ${toKeyText(account)} ORDER BY seq`
            const all = rows.map(toCredential)
            const moved = reorder(all, ids)
            const places = new Map(moved?.map(({ after, id }) => [id, after]))
            for (const kept of all) {
              const sort_order = places.get(kept.credential.id)
              if (sort_order === undefined) continue
              const credential = { ...kept.credential, sort_order }
              yield* write({ account, row: { ...kept, credential } })
            }
            return moved
          },
          (effect, account) => guardStoreCall(withLock(account)(effect))
        ),
        recordRefusal: (account, id, sealed, refusal) =>
          Effect.asVoid(
            change(account, id, (kept) =>
              isSealedAs(kept, sealed) ? { ...kept, refusal } : undefined
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
            change(account, id, (kept) =>
              isSealedAs(kept, before) ? { ...kept, sealed: after } : undefined
            ),
            (resealed) => resealed !== undefined
          )
      }
    })
  )

const toCredential = (row: DocumentRow<OwnedCredential>): SealedCredential => readDocument(row).row

const isSealedAs = ({ sealed }: SealedCredential, { ciphertext, keyId }: SealedSecret): boolean =>
  sealed.ciphertext === ciphertext && sealed.keyId === keyId
