/** Redacts secrets from one text, such as an error message. */
import * as Redacted from "effect/Redacted"
import { type Redactor, makeRedactor } from "./Redactor.ts"

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
