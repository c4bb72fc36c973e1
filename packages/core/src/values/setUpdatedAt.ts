/** The time of the last change, which only a change moves. */
import * as Equal from "effect/Equal"

/** `after` as of `at` (ISO 8601), or `before` itself when nothing is different. */
export const setUpdatedAt = <A extends { readonly updated_at: string | null }>(
  before: A,
  after: A,
  at: string
): A => (Equal.equals(before, after) ? before : { ...after, updated_at: at })
