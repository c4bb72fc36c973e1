/** Redacts secrets from one text, such as an error message, and masks a secret that is listed. */
import * as Cause from "effect/Cause"
import { format } from "effect/Formatter"
import * as Redacted from "effect/Redacted"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { makeRedactor, type Redactor } from "./Redactor.ts"

export const redact = (text: string, secrets: ReadonlyArray<string>): string =>
  makeRedactor(secrets).redactText(text)

/** The same for one secret, whose encodings are cached as long as it lives. */
export const redactSecret = (text: string, secret: Redacted.Redacted): string => {
  let redactor = redactors.get(secret)
  if (redactor === undefined) {
    redactors.set(secret, (redactor = makeRedactor([Redacted.value(secret)])))
  }
  return redactor.redactText(text)
}

const redactors = new WeakMap<Redacted.Redacted, Redactor>()

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
const redactError = (defect: unknown, redactText: RedactText, depth = 0): unknown => {
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

/** A URL without its query, which may contain tokens. */
export const redactUrlQuery = (url: string): string => url.replace(/\?.*$/, "?...")

/** Masks a secret: shows nine characters, fewer of a short secret, and no characters of one below 16. */
export const maskSecret = (secret: string): string => {
  if (secret.length < 16) return "***"
  const shown = Math.min(9, Math.floor(secret.length / 4))
  const last = Math.floor(shown / 3)
  return `${secret.slice(0, shown - last)}...${secret.slice(-last)}`
}
