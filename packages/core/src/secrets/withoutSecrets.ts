/** Blanks what was sent in confidence where somebody repeats it: such words end up in errors and records. */
import { spellingsOfAll } from "./spellingsOf.ts"

/** However a secret is spelt, in JSON too, it is gone from what the text means. */
export const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string => {
  if (secrets.length === 0) return text
  const spellings = spellingsOfAll(secrets)
  const blank = (said: string): string =>
    spellings.reduce((left, spelling) => left.replaceAll(spelling, "[redacted]"), said)
  const plain = blank(text)
  // Without an escape there is one way to write a character.
  if (!plain.includes("\\")) return plain
  try {
    return JSON.stringify(
      JSON.parse(plain, (_, value: unknown) => (typeof value === "string" ? blank(value) : value))
    )
  } catch {
    return plain
  }
}
