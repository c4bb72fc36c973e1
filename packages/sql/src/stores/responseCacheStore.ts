/** Answers that requests may get again, until they expire. */
import {
  type CachedAnswerFilter,
  countAnswerBytes,
  type NewCachedAnswer,
  ResponseCacheStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

/** Where a workspace has too many, those make room that expire first. */
export const responseCacheStore: Layer.Layer<ResponseCacheStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ResponseCacheStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const removeKey = (key: string) => sql`DELETE FROM cached_answers WHERE answer_key = ${key}`

      /** Expired ones go first, and are not counted. */
      const makeRoom = Effect.fnUntraced(function* (
        { maxBytes, now, owner: { account, workspace } }: NewCachedAnswer,
        bytes: number
      ) {
        const own = sql`account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`
        yield* sql`DELETE FROM cached_answers WHERE ${own} AND expires_at <= ${now}`
        const [row] = yield* sql<{ readonly total: number | string | bigint }>`
          SELECT COALESCE(SUM(bytes), 0) AS total FROM cached_answers WHERE ${own}`
        let excess = Number(row?.total ?? 0) + bytes - maxBytes
        while (excess > 0) {
          const oldest = yield* sql<{
            readonly answer_key: string
            readonly bytes: number | string | bigint
          }>`SELECT answer_key, bytes FROM cached_answers WHERE ${own}
            ORDER BY expires_at, answer_key LIMIT ${batchSize}`
          if (oldest.length === 0) return
          for (const each of oldest) {
            if (excess <= 0) return
            yield* removeKey(each.answer_key)
            excess -= Number(each.bytes)
          }
        }
      })

      return {
        find: (key, now) =>
          guardStoreCall(
            Effect.map(
              sql<{ readonly document: string }>`SELECT document FROM cached_answers
                WHERE answer_key = ${key} AND expires_at > ${now}`,
              ([row]) => row?.document
            )
          ),
        put: (answer) => {
          const { expiresAt, key, maxBytes, owner, text } = answer
          const bytes = countAnswerBytes(answer)
          const row = {
            answer_key: key,
            account: toKeyText(owner.account),
            workspace: toKeyText(owner.workspace),
            key_hash: toNullableKeyText(owner.keyHash),
            acting_user: toNullableKeyText(owner.user),
            external_user: toNullableKeyText(owner.externalUser),
            bytes,
            expires_at: expiresAt,
            document: text
          }
          const { answer_key: _, ...columns } = row
          return guardStoreCall(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* removeKey(key)
                if (bytes > maxBytes) return
                yield* makeRoom(answer, bytes)
                yield* sql`INSERT INTO cached_answers ${sql.insert(row)}
                  ON CONFLICT (answer_key) DO UPDATE SET ${sql.update(columns)}`
              })
            )
          )
        },
        remove: (key) => guardStoreCall(Effect.asVoid(removeKey(key))),
        removeAll: (filter) =>
          guardStoreCall(
            Effect.map(
              sql`DELETE FROM cached_answers WHERE ${sql.and(toConditions(sql, filter))}
                RETURNING answer_key`,
              (rows) => rows.length
            )
          )
      }
    })
  )

/** Rows that are looked at together to make room. */
const batchSize = 100

const toConditions = (
  sql: SqlClient.SqlClient,
  { account, externalUser, keyHash, user, workspace }: CachedAnswerFilter
): ReadonlyArray<Fragment> => [
  sql`account = ${toKeyText(account)}`,
  ...matchOptional(sql, "workspace", workspace),
  ...matchOptional(sql, "key_hash", keyHash),
  ...matchOptional(sql, "acting_user", user),
  ...matchOptional(sql, "external_user", externalUser)
]
