/** The name of a cause: the tag of its error, `Error`, `Interrupted` or `Defect`. */
import * as Cause from "effect/Cause"
import * as Predicate from "effect/Predicate"

export const toErrorType = (cause: Cause.Cause<unknown>): string => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) {
    return Predicate.hasProperty(failed.error, "_tag") ? String(failed.error._tag) : "Error"
  }
  return Cause.hasInterruptsOnly(cause) ? "Interrupted" : "Defect"
}
