/** Sealed prompts and answers, by the ids of generations. */
import { ContentStore, type KeptContent, Settings } from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { selectRowsToReseal } from "../rows/selectRowsToReseal.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

export const contentStore: Layer.Layer<ContentStore, never, SqlClient.SqlClient> = Layer.effect(
  ContentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { maxKeptContentsPerAccount } = yield* Settings

    /** The oldest that are more than an account may keep. */
    const trim = (account: string) =>
      deleteInBatches(sql`DELETE FROM kept_contents WHERE id IN (
        SELECT id FROM kept_contents WHERE account = ${account} AND seq <= (
          SELECT seq FROM kept_contents WHERE account = ${account}
          ORDER BY seq DESC LIMIT 1 OFFSET ${maxKeptContentsPerAccount}
        ) ORDER BY seq LIMIT 500
      ) RETURNING id`)

    return {
      put: (contents) => {
        const rows = contents.map((content) => ({
          id: toKeyText(content.id),
          account: toKeyText(content.account),
          workspace: toKeyText(content.workspace),
          key_hash: toNullableKeyText(content.keyHash),
          acting_user: toNullableKeyText(content.user),
          user_id: toNullableKeyText(content.externalUser),
          expires_at: content.expiresAt,
          sealed_under: toKeyText(content.sealed.keyId),
          document: JSON.stringify(content)
        }))
        return Arr.isArrayNonEmpty(rows)
          ? guardStoreCall(
              Effect.asVoid(
                sql`INSERT INTO kept_contents ${sql.insert(rows)} ON CONFLICT (id) DO NOTHING`
              )
            )
          : Effect.void
      },
      list: (account, ids, now) =>
        ids.length === 0
          ? Effect.succeed([])
          : guardStoreCall(
              Effect.map(
                sql<DocumentRow<KeptContent>>`SELECT document FROM kept_contents
                  WHERE account = ${toKeyText(account)} AND expires_at > ${now}
                    AND ${sql.in("id", ids.map(toKeyText))}`,
                (rows) => rows.map(readDocument)
              )
            ),
      remove: ({ account, key, workspace }) =>
        guardStoreCall(
          Effect.map(
            sql`DELETE FROM kept_contents WHERE ${sql.and([
              sql`account = ${toKeyText(account)}`,
              ...matchOptional(sql, "workspace", workspace),
              ...matchOptional(sql, "key_hash", key)
            ])} RETURNING id`,
            (rows) => rows.length
          )
        ),
      purge: (now) =>
        guardStoreCall(
          Effect.gen(function* () {
            yield* deleteInBatches(sql`DELETE FROM kept_contents WHERE id IN (
              SELECT id FROM kept_contents WHERE expires_at <= ${now} LIMIT 500
            ) RETURNING id`)
            const crowded = yield* sql<{ account: string }>`SELECT account FROM kept_contents
              GROUP BY account HAVING count(*) > ${maxKeptContentsPerAccount}`
            for (const { account } of crowded) yield* trim(account)
          })
        ),
      listToReseal: (keyId, after, limit) =>
        guardStoreCall(
          selectRowsToReseal<KeptContent>(sql, {
            table: "kept_contents",
            keyId,
            id: ["id"],
            after: after && [after.sealed.keyId, after.id],
            limit
          })
        ),
      reseal: (content, after) => {
        const resealed: KeptContent = { ...content, sealed: after }
        return guardStoreCall(
          Effect.map(
            sql`UPDATE kept_contents SET sealed_under = ${toKeyText(after.keyId)},
                document = ${JSON.stringify(resealed)}
              WHERE id = ${toKeyText(content.id)} AND document = ${JSON.stringify(content)}
              RETURNING id`,
            (rows) => rows.length > 0
          )
        )
      }
    }
  })
)
