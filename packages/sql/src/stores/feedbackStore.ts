/** Feedback on generations, at most one of a category for each. */
import { type Feedback, FeedbackStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { type DocumentRow, readDocument, readFirst } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"

export const feedbackStore: Layer.Layer<FeedbackStore, never, SqlClient.SqlClient> = Layer.effect(
  FeedbackStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = (where: Fragment) =>
      guardStoreCall(
        Effect.map(
          sql<DocumentRow<Feedback>>`SELECT document FROM feedback WHERE ${where}`,
          (rows) => rows.map(readDocument)
        )
      )

    return {
      give: (feedback) => {
        const { category, generation, givenAt } = feedback
        const id = toKeyText(`${generation.id} ${category}`)
        return guardStoreCall(
          sql.withTransaction(
            Effect.gen(function* () {
              const before = yield* sql<DocumentRow<Feedback>>`SELECT document FROM feedback
                WHERE id = ${id}`
              yield* sql`INSERT INTO feedback ${sql.insert({
                id,
                account: toKeyText(generation.account),
                workspace: toKeyText(generation.workspace),
                generation: toKeyText(generation.id),
                category,
                experiment: toNullableKeyText(generation.experiment?.id),
                asked_at: generation.startedAt,
                given_at: givenAt,
                document: JSON.stringify(feedback)
              })} ON CONFLICT (id) DO UPDATE SET
                given_at = excluded.given_at, document = excluded.document`
              return readFirst(before)
            })
          )
        )
      },
      list: ({ account, category, generation }, page) =>
        guardStoreCall(
          selectCursorPage<Feedback>(
            sql,
            "feedback",
            [
              sql`account = ${toKeyText(account)}`,
              ...matchOptional(sql, "generation", generation),
              ...matchOptional(sql, "category", category)
            ],
            page
          )
        ),
      listByTime: (account, from, to) =>
        select(sql`account = ${toKeyText(account)} AND asked_at >= ${from} AND asked_at < ${to}`),
      listByExperiment: (experiment, from) =>
        select(sql`experiment = ${toKeyText(experiment)} AND asked_at >= ${from}`),
      remove: (account, workspace) =>
        guardStoreCall(
          Effect.map(
            sql`DELETE FROM feedback WHERE account = ${toKeyText(account)}
              AND workspace = ${toKeyText(workspace)} RETURNING id`,
            (rows) => rows.length
          )
        ),
      purge: (givenBefore) =>
        guardStoreCall(
          deleteInBatches(sql`DELETE FROM feedback WHERE id IN (
            SELECT id FROM feedback WHERE given_at < ${givenBefore} LIMIT 500
          ) RETURNING id`)
        )
    }
  })
)
