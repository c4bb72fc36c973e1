/** Redacts secrets from the defects of a cause. */
import * as Cause from "effect/Cause"
import { format } from "effect/Formatter"
import * as Redacted from "effect/Redacted"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { makeRedactor } from "./Redactor.ts"

/** Failures stay unchanged. */
export const redactCause = <E>(
  cause: Cause.Cause<E>,
  ...secrets: ReadonlyArray<Redacted.Redacted>
): Cause.Cause<E> => {
  const redactText: RedactText = makeRedactor(secrets.map(Redacted.value)).redactText
  return Cause.fromReasons(
    cause.reasons.map((reason) =>
      Cause.isDieReason(reason)
        ? Cause.makeDieReason(redactError(reason.defect, redactText))
        : reason
    )
  )
}

type RedactText = (text: string) => string

/**
 * Keeps the message, the stack and the cause of a defect and drops everything else, because a secret
 * may be anywhere in it.
 */
export const redactError = (defect: unknown, redactText: RedactText, depth = 0): unknown => {
  if (!(defect instanceof Error)) return redactText(format(defect))
  const { message, name, stack } = defect
  const cause =
    defect.cause === undefined || depth === maxCauses
      ? undefined
      : { cause: redactError(defect.cause, redactText, depth + 1) }
  // Kept, because it has an HTTP status of its own.
  if (defect instanceof StoreUnavailable) {
    return new StoreUnavailable({
      cause: cause?.cause,
      ...(defect.isLogged === true ? { isLogged: true } : undefined)
    })
  }
  const redacted = new Error(redactText(message), cause)
  redacted.name = redactText(name)
  redacted.stack = redactText(stack ?? "")
  return redacted
}

/** An error may be its own cause. */
const maxCauses = 5
