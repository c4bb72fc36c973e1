/** Holds a session of Postgres until a test ends it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"

export interface HeldSession {
  readonly run: (text: string) => Promise<unknown>
  readonly end: () => Promise<void>
}

export const holdSession = async (url: string, schema: string): Promise<HeldSession> => {
  const begun = Promise.withResolvers<Connection>()
  const ended = Promise.withResolvers<void>()
  const holding = Effect.runPromise(
    Effect.flatMap(SqlClient, (sql) =>
      Effect.flatMap(sql.reserve, (connection) => {
        begun.resolve(connection)
        return Effect.promise(() => ended.promise)
      })
    ).pipe(
      Effect.scoped,
      Effect.provide(Layer.fresh(layerPostgresClient({ url, schema, maxConnections: 1 })))
    )
  )
  holding.catch(begun.reject)
  const connection = await begun.promise
  return {
    run: (text) => Effect.runPromise(connection.executeUnprepared(text, [], undefined)),
    end: () => {
      ended.resolve()
      return holding
    }
  }
}

/** Locks tables of a schema against everybody until the session ends, as a change of them does. */
export const holdLock = async (
  url: string,
  schema: string,
  tables: ReadonlyArray<string>
): Promise<HeldSession> => {
  const held = await holdSession(url, schema)
  await held.run("BEGIN")
  await held.run(`LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE`)
  return held
}
