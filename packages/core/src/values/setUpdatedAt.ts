/** Sets `updated_at` when something changed. */
import * as Equal from "effect/Equal"

/** `after` with `updated_at` set to `at` (ISO 8601), or `before` when both are equal. */
export const setUpdatedAt = <A extends { readonly updated_at: string | null }>(
  before: A,
  after: A,
  at: string
): A => (Equal.equals(before, after) ? before : { ...after, updated_at: at })
