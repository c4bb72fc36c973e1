/** Deletes in small bites: a large one would keep others waiting. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** Repeats `bite`, which returns what it deleted, until there was nothing. */
export const drainAll = (
  deleteBatch: Effect.Effect<ReadonlyArray<unknown>, SqlError>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(Effect.repeat(deleteBatch, { while: (deleted) => deleted.length > 0 }))
