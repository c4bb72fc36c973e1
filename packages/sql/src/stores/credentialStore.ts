/** Customers' own credentials, their secrets sealed. */
import {
  arranged,
  CredentialStore,
  type KeptCredential,
  type NewKeptCredential,
  type OwnedCredential,
  type Sealed
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { alone } from "../alone.ts"
import { counting } from "../counting.ts"
import { first, type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { listed } from "../listed.ts"
import { inTime } from "../orUnavailable.ts"
import { sealedOtherwise } from "../sealedOtherwise.ts"

export const credentialStore: Layer.Layer<CredentialStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CredentialStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** The places of an account's credentials hang together. */
      const locked = (account: string) => alone(sql)("credentials", account)
      const one = (account: string, id: string) =>
        sql`account = ${keyText(account)} AND id = ${keyText(id)}`
      const find = (account: string, id: string) =>
        Effect.map(
          sql<Kept<OwnedCredential>>`SELECT document FROM credentials WHERE ${one(account, id)}`,
          (rows) => first(rows)?.kept
        )
      const write = ({ account, kept }: OwnedCredential) => {
        const { disabled, id, provider, sort_order, workspace_id } = kept.credential
        return Effect.as(
          sql`INSERT INTO credentials ${sql.insert({
            account: keyText(account),
            id: keyText(id),
            workspace: workspace_id === null ? null : keyText(workspace_id),
            provider: keyText(provider),
            disabled: disabled ? 1 : 0,
            place: sort_order,
            sealed_under: keyText(kept.sealed.keyId),
            document: JSON.stringify({ account, kept })
          })} ON CONFLICT (account, id) DO UPDATE SET workspace = excluded.workspace,
            provider = excluded.provider, disabled = excluded.disabled, place = excluded.place,
            sealed_under = excluded.sealed_under, document = excluded.document`,
          kept
        )
      }
      const add = Effect.fnUntraced(function* (
        account: OwnedCredential["account"],
        { credential, ...kept }: NewKeptCredential
      ) {
        const [row] = yield* sql<{ next: number | bigint }>`
          SELECT coalesce(max(place) + 1, 0) AS next FROM credentials
          WHERE account = ${keyText(account)} AND provider = ${keyText(credential.provider)}`
        const sort_order = Number(row?.next ?? 0)
        return yield* write({
          account,
          kept: { ...kept, credential: { ...credential, sort_order } }
        })
      })
      /** Undefined when there is none, or when `change` wants nothing changed. */
      const change = Effect.fnUntraced(
        function* (
          account: OwnedCredential["account"],
          id: string,
          change: (kept: KeptCredential) => KeptCredential | undefined
        ) {
          const before = yield* find(account, id)
          const after = before === undefined ? undefined : change(before)
          return after === undefined ? undefined : yield* write({ account, kept: after })
        },
        (effect, account) => inTime(locked(account)(effect))
      )

      return {
        find: (account, id) => inTime(find(account, id)),
        count: counting(sql, "credentials", sql`credentials`),
        list: (account, { provider, workspace }, page) =>
          inTime(
            listed(sql, {
              from: sql`credentials WHERE ${sql.and([
                sql`account = ${keyText(account)}`,
                ...(provider === undefined ? [] : [sql`provider = ${keyText(provider)}`]),
                ...(workspace === undefined
                  ? []
                  : [sql`(workspace IS NULL OR workspace = ${keyText(workspace)})`])
              ])}`,
              order: sql`place, seq`,
              page,
              of: keptOf
            })
          ),
        enabled: (account) =>
          inTime(
            Effect.map(
              sql<Kept<OwnedCredential>>`SELECT document FROM credentials
                WHERE account = ${keyText(account)} AND disabled = 0`,
              (rows) => rows.map(keptOf)
            )
          ),
        insert: (account, kept) => inTime(locked(account)(add(account, kept))),
        put: Effect.fnUntraced(
          function* (account, kept, isSame) {
            const before = yield* find(account, kept.credential.id)
            if (before === undefined) return yield* add(account, kept)
            const { created_at, sort_order } = before.credential
            const credential = { ...kept.credential, created_at, sort_order }
            const after = isSame ? { ...before, credential } : { ...kept, credential }
            return yield* write({ account, kept: after })
          },
          (effect, account) => inTime(locked(account)(effect))
        ),
        update: change,
        remove: Effect.fnUntraced(
          function* (account, id) {
            const before = yield* find(account, id)
            yield* sql`DELETE FROM credentials WHERE ${one(account, id)}`
            return before
          },
          (effect, account) => inTime(locked(account)(effect))
        ),
        arrange: Effect.fnUntraced(
          function* (account, ids) {
            const rows = yield* sql<Kept<OwnedCredential>>`
              SELECT document FROM credentials WHERE account = ${keyText(account)} ORDER BY seq`
            const all = rows.map(keptOf)
            const moved = arranged(all, ids)
            const places = new Map(moved?.map(({ after, id }) => [id, after]))
            for (const kept of all) {
              const sort_order = places.get(kept.credential.id)
              if (sort_order === undefined) continue
              const credential = { ...kept.credential, sort_order }
              yield* write({ account, kept: { ...kept, credential } })
            }
            return moved
          },
          (effect, account) => inTime(locked(account)(effect))
        ),
        noteRefused: (account, id, sealed, refused) =>
          Effect.asVoid(
            change(account, id, (kept) =>
              isSealed(kept, sealed) ? { ...kept, refused } : undefined
            )
          ),
        sealedOtherwise: (keyId, after, limit) =>
          inTime(
            sealedOtherwise<OwnedCredential>(sql, {
              table: "credentials",
              keyId,
              id: ["account", "id"],
              after: after && [after.kept.sealed.keyId, after.account, after.kept.credential.id],
              limit
            })
          ),
        reseal: (account, id, before, after) =>
          Effect.map(
            change(account, id, (kept) =>
              isSealed(kept, before) ? { ...kept, sealed: after } : undefined
            ),
            (resealed) => resealed !== undefined
          )
      }
    })
  )

const keptOf = (row: Kept<OwnedCredential>): KeptCredential => read(row).kept

const isSealed = ({ sealed }: KeptCredential, { box, keyId }: Sealed): boolean =>
  sealed.box === box && sealed.keyId === keyId
