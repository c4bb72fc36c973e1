/** What may be logged of a cause that comes from code of others: what it says and where, without secrets. */
import * as Cause from "effect/Cause"
import * as Redacted from "effect/Redacted"
import { leftOf } from "./struckOut.ts"
import { withoutSecrets } from "./withoutSecrets.ts"

/**
 * Blanks `secret`, and whatever looks like a credential: which ones the code of others holds, nobody knows here.
 * An error that is no defect becomes one.
 */
export const redactDefects = (
  cause: Cause.Cause<unknown>,
  secret?: Redacted.Redacted
): Cause.Cause<never> => {
  const secrets = secret === undefined ? [] : [Redacted.value(secret)]
  const blank = (text: string): string => withoutCredentials(withoutSecrets(text, secrets))
  return Cause.fromReasons(
    cause.reasons.map((reason) => {
      if (Cause.isDieReason(reason)) return Cause.makeDieReason(leftOf(reason.defect, blank))
      return Cause.isFailReason(reason) ? Cause.makeDieReason(leftOf(reason.error, blank)) : reason
    })
  )
}

/** After the word of a scheme, after the prefix of a key, or long and of letters and digits mixed. */
const credentials =
  /\b(?:bearer|basic)\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghs|key)[-_][\w-]{4,}|\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi

const withoutCredentials = (text: string): string => text.replaceAll(credentials, "[redacted]")
