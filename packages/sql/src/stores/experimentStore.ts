/** How experiments stand. */
import {
  addToState,
  endRun,
  type ExperimentState,
  experimentStateCodec,
  ExperimentStore,
  startRun
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withExclusiveLock } from "../connection/locks.ts"
import { toKeyText } from "../rows/toKeyText.ts"

export const experimentStore: Layer.Layer<ExperimentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ExperimentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const find = (id: string): Effect.Effect<ExperimentState | undefined, SqlError> =>
        Effect.map(
          sql<{ document: string }>`SELECT document FROM experiments WHERE id = ${toKeyText(id)}`,
          ([row]) => (row === undefined ? undefined : decodeState(JSON.parse(row.document)))
        )
      const put = (state: ExperimentState) =>
        sql`INSERT INTO experiments ${sql.insert({
          id: toKeyText(state.id),
          document: JSON.stringify(encodeState(state))
        })} ON CONFLICT (id) DO UPDATE SET document = excluded.document`

      /** Stores what `change` returns, unless that is undefined; the state after it. */
      const change = <A>(
        id: string,
        change: (before: ExperimentState | undefined) => {
          readonly after?: ExperimentState
          readonly result: A
        }
      ): Effect.Effect<A> =>
        withExclusiveLock(sql)("experiment", id)(
          Effect.gen(function* () {
            const { after, result } = change(yield* find(id))
            if (after !== undefined) yield* put(after)
            return result
          })
        )

      return {
        open: (id, at) =>
          change(id, (before) => {
            const state = before ?? startRun(id, 1, at)
            return before === undefined ? { after: state, result: state } : { result: state }
          }),
        add: (id, run, measured, at) =>
          change(id, (before) => {
            const state = addToState(before ?? startRun(id, 1, at), run, measured)
            return { after: state, result: state }
          }),
        end: (id, run, end) =>
          change(id, (before) =>
            before?.run === run && before.status === "running"
              ? { after: endRun(before, end), result: true }
              : { result: false }
          ),
        restart: (id, run, at) =>
          change(id, (before) =>
            before?.run === run && before.status !== "running"
              ? { after: startRun(id, run + 1, at), result: true }
              : { result: false }
          )
      }
    })
  )

const decodeState = Schema.decodeSync(experimentStateCodec)
const encodeState = Schema.encodeSync(experimentStateCodec)
