/** Encodes text chosen by callers for a lookup column. Different texts stay different. */

/** Escapes NUL, which Postgres rejects, and lone surrogates, which UTF-8 cannot encode. */
export const toKeyText = (text: string): string =>
  text.replaceAll(
    unsupportedChars,
    (char) => `\\${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

export const toNullableKeyText = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : toKeyText(text)

const unsupportedChars = /[\0\\]|\p{Surrogate}/gu

/** What `toKeyText` encoded. */
export const fromKeyText = (text: string): string =>
  text.replaceAll(/\\([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
