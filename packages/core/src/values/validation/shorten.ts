/** Shortens texts of callers, providers and catalogs before an error or a report repeats them. */

/** An ellipsis takes the place of the rest. */
export const shorten = (text: string, characters = maxRepeatedCharacters): string =>
  // A cut through a surrogate pair would leave half of it.
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`

/** Names that callers or guardrails choose, in any number and of any length, with commas between them. */
export const shortenList = (names: ReadonlyArray<string>): string =>
  shorten(names.map((name) => shorten(name)).join(", "), maxListCharacters)

/** Enough for every real name, and little enough for logs and errors. */
const maxRepeatedCharacters = 200
const maxListCharacters = 1_000
