/** Prepares a cause from foreign code for the log: its messages and stacks, without secrets. */
import * as Cause from "effect/Cause"
import * as Redacted from "effect/Redacted"
import { redactError } from "./redactCause.ts"
import { redact } from "./redact.ts"

/**
 * Redacts `secret` and everything that looks like a credential, because foreign code may hold unknown ones.
 * Typed errors become defects.
 */
export const redactDefects = (
  cause: Cause.Cause<unknown>,
  secret?: Redacted.Redacted
): Cause.Cause<never> => {
  const secrets = secret === undefined ? [] : [Redacted.value(secret)]
  const redactText = (text: string): string => redactCredentials(redact(text, secrets))
  return Cause.fromReasons(
    cause.reasons.map((reason) => {
      if (Cause.isDieReason(reason))
        return Cause.makeDieReason(redactError(reason.defect, redactText))
      return Cause.isFailReason(reason)
        ? Cause.makeDieReason(redactError(reason.error, redactText))
        : reason
    })
  )
}

/** After the word of a scheme, after the prefix of a key, or long and of letters and digits mixed. */
const credentialPattern =
  /\b(?:bearer|basic)\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghs|key)[-_][\w-]{4,}|\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi

const redactCredentials = (text: string): string => text.replaceAll(credentialPattern, "[redacted]")
