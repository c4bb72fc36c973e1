/** Blanks what was sent in confidence where an upstream repeats it: its words end up in errors and records. */

/** Whatever spelling JSON gives a secret, it is gone from what the text means. */
export const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string => {
  if (secrets.length === 0) return text
  const blank = (said: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, "[redacted]"), said)
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
