/** Strikes secrets out of one text, such as the words of an error. */
import * as Redacted from "effect/Redacted"
import { type Redactor, redactorOf } from "./Redactor.ts"

export const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string =>
  redactorOf(secrets).inText(text)

/** The same for one secret, whose spellings are kept for as long as itself. */
export const withoutSecret = (text: string, secret: Redacted.Redacted): string => {
  let redactor = redactors.get(secret)
  if (redactor === undefined) {
    redactors.set(secret, (redactor = redactorOf([Redacted.value(secret)])))
  }
  return redactor.inText(text)
}

const redactors = new WeakMap<Redacted.Redacted, Redactor>()
