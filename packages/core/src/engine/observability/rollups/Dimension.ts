/** What rollups are broken down by. */
import type { Generation } from "../generations/Generation.ts"
import { type Counted, countAttempt, countGeneration } from "./MeasuresSum.ts"

/**
 * Each dimension is a series of its own: rollups know no combinations of two. `endpoint` and `provider` count attempts,
 * so that a failed attempt belongs to the endpoint that failed; all others count requests. `outcome` is `answered` or
 * the tag of the error. `model` is the one that answered, else the requested one.
 */
export const dimensions = [
  "total",
  "outcome",
  "operation",
  "model",
  "provider",
  "endpoint",
  "workspace",
  "key",
  "user"
] as const
/** A property that the figures of requests are grouped by. */
export type Dimension = (typeof dimensions)[number]

/** A value of a dimension; null for requests without one, such as requests without a key. */
export type DimensionValue = string | null

/** Calls `add` with every value that the generation counts to. */
export const forEachValue = (
  generation: Generation,
  add: (dimension: Dimension, value: DimensionValue, counted: Counted) => void
): void => {
  const request = countGeneration(generation)
  const { error = "answered", keyHash, model, requestedModel, user } = generation
  add("total", null, request)
  add("outcome", error, request)
  add("operation", generation.operation, request)
  add("model", truncate(model ?? requestedModel), request)
  add("workspace", generation.workspace, request)
  add("key", keyHash ?? null, request)
  add("user", user === undefined ? null : truncate(user), request)
  for (const attempt of generation.attempts) {
    const counted = countAttempt(attempt)
    add("provider", truncate(attempt.provider), counted)
    add("endpoint", truncate(attempt.endpoint), counted)
  }
}

/** Callers choose the text. */
const truncate = (text: string): string =>
  text.length <= maxValueCharacters && text.isWellFormed()
    ? text
    : text.slice(0, maxValueCharacters).toWellFormed()

/** The length that values are truncated to. */
export const maxValueCharacters = 256
