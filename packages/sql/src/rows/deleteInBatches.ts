/** Deletes many rows in small statements, each of which holds its locks only briefly. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** Repeats `deleteBatch`, which returns the rows it deleted, until it deletes none. */
export const deleteInBatches = (
  deleteBatch: Effect.Effect<ReadonlyArray<unknown>, SqlError>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(Effect.repeat(deleteBatch, { while: (deleted) => deleted.length > 0 }))
