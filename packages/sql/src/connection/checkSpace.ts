/** Checks that the database has space for more. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { findStoreFailure } from "../errors/findStoreFailure.ts"

/**
 * Fills a table in a transaction that is rolled back, so other sessions never see it. A changed row fits into the place
 * of its dead versions, even on a full disk, so changing a row would prove nothing:
 * https://www.postgresql.org/docs/current/storage-hot.html. A role that may not create tables learns nothing about the
 * space.
 */
export const checkSpace = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError> =>
  Effect.andThen(
    sql`CREATE TABLE signalbox_space (filler TEXT)`,
    Effect.andThen(
      sql`INSERT INTO signalbox_space (filler) VALUES (${makeFiller()})`,
      Effect.fail(new Rollback())
    )
  ).pipe(
    sql.withTransaction,
    Effect.catchTag("Rollback", () => Effect.void),
    Effect.catchIf(
      (error) => findStoreFailure(error)?.scope === "statement",
      () => Effect.void
    )
  )

class Rollback extends Data.TaggedError("Rollback")<object> {}

/** 64 KiB, some pages of either database, which Postgres cannot compress: UUIDs are random. */
const makeFiller = (): string => Array.from({ length: 1_820 }, () => crypto.randomUUID()).join("")
