/** Looks whether the database can be used. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { findStoreFailure, NoAnswer } from "../errors/findStoreFailure.ts"
import { checkSpace } from "./checkSpace.ts"
import { checkWritable } from "./checkWritable.ts"
import { makeSchemaCheck } from "./makeSchemaCheck.ts"

interface LookOptions {
  readonly needsSpace: boolean
  readonly needsSchema: boolean
}

/** Succeeds with what the schema has lost, if that is asked for, and dies with `NoAnswer` after five seconds. */
export type DatabaseLook = (options: LookOptions) => Effect.Effect<string | undefined, SqlError>

/** `sessions` is the size of the pool. */
export const makeDatabaseLook = (
  sql: SqlClient.SqlClient,
  sessions: number
): Effect.Effect<DatabaseLook, SqlError> =>
  Effect.map(
    makeSchemaCheck(sql),
    (findMissing) =>
      ({ needsSchema, needsSpace }) =>
        checkWritable(sql).pipe(
          Effect.andThen(needsSpace ? checkSpace(sql) : Effect.void),
          Effect.andThen(needsSchema ? findMissing : Effect.undefined),
          // What ended one session of the pool has often ended all.
          Effect.retry({ times: sessions, while: hasEndedSession }),
          // The sessions that the pool has may serve, and one will be free.
          Effect.retry({
            times: crowdedLooks,
            schedule: Schedule.spaced(crowdedMillis),
            while: (error) => findStoreFailure(error)?.code === tooManyConnections
          }),
          Effect.timeoutOrElse({
            duration: lookTimeoutMillis,
            orElse: () => Effect.die(new NoAnswer(lookTimeoutMillis))
          })
        )
  )

const hasEndedSession = (error: SqlError): boolean =>
  error.reason.operation !== "connect" && findStoreFailure(error)?.scope === "session"

const tooManyConnections = "SQLSTATE 53300"
const crowdedLooks = 20
const crowdedMillis = 100
const lookTimeoutMillis = 5_000
