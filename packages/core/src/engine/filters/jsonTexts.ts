/** The texts inside a JSON text, which are replaced without touching the rest of it. */

/** A key, a string or a number of a JSON text, from `start` to before `end`, with its quotes. */
export interface JsonText {
  readonly start: number
  readonly end: number
  /** What it says. */
  readonly text: string
  /** Whether it is the name of a field. */
  readonly isKey: boolean
}

const literals = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs

const colon = /\s*:/y

/** Undefined for what is no JSON object or array, which is an ordinary text. */
export const listJsonTexts = (json: string): ReadonlyArray<JsonText> | undefined => {
  if (!/^\s*[{[]/.test(json)) return undefined
  try {
    JSON.parse(json)
  } catch {
    return undefined
  }
  const texts: Array<JsonText> = []
  literals.lastIndex = 0
  for (let match = literals.exec(json); match !== null; match = literals.exec(json)) {
    const [literal] = match
    const text: unknown = literal.startsWith('"') ? JSON.parse(literal) : literal
    const end = match.index + literal.length
    colon.lastIndex = end
    texts.push({ start: match.index, end, text: String(text), isKey: colon.test(json) })
  }
  return texts
}
