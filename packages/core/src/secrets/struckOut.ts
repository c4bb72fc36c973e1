/** What is left of a defect when what was told in confidence is struck out of it. */
import * as Cause from "effect/Cause"
import { format } from "effect/Formatter"
import * as Redacted from "effect/Redacted"
import { StoreUnavailable } from "../values/StoreUnavailable.ts"
import { redactorOf } from "./Redactor.ts"

/** Failures stay as they are. */
export const struckOut = <E>(
  cause: Cause.Cause<E>,
  ...secrets: ReadonlyArray<Redacted.Redacted>
): Cause.Cause<E> => {
  const blank: Blank = redactorOf(secrets.map(Redacted.value)).inText
  return Cause.fromReasons(
    cause.reasons.map((reason) =>
      Cause.isDieReason(reason) ? Cause.makeDieReason(leftOf(reason.defect, blank)) : reason
    )
  )
}

type Blank = (text: string) => string

/**
 * What it says, where it was thrown and what caused it: nothing else of a defect is kept, for a secret
 * may be anywhere in it.
 */
export const leftOf = (defect: unknown, blank: Blank, depth = 0): unknown => {
  if (!(defect instanceof Error)) return blank(format(defect))
  const { message, name, stack } = defect
  const cause =
    defect.cause === undefined || depth === mostCauses
      ? undefined
      : { cause: leftOf(defect.cause, blank, depth + 1) }
  // The door tells of this one apart.
  if (defect instanceof StoreUnavailable) return new StoreUnavailable({ cause: cause?.cause })
  const said = new Error(blank(message), cause)
  said.name = blank(name)
  said.stack = blank(stack ?? "")
  return said
}

/** An error may be its own cause. */
const mostCauses = 5
