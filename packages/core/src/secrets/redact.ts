/** Strikes secrets out of one text, such as the words of an error. */
import * as Redacted from "effect/Redacted"
import { type Redactor, makeRedactor } from "./Redactor.ts"

export const redact = (text: string, secrets: ReadonlyArray<string>): string =>
  makeRedactor(secrets).redactText(text)

/** The same for one secret, whose spellings are kept for as long as itself. */
export const redactSecret = (text: string, secret: Redacted.Redacted): string => {
  let redactor = redactors.get(secret)
  if (redactor === undefined) {
    redactors.set(secret, (redactor = makeRedactor([Redacted.value(secret)])))
  }
  return redactor.redactText(text)
}

const redactors = new WeakMap<Redacted.Redacted, Redactor>()
