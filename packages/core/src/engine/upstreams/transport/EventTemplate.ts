/** Recognises events that differ from another one only in one text, as the events of a streamed answer do. */

/** An event up to the text, and from there to the end of its line. */
export interface EventTemplate {
  readonly before: string
  readonly after: string
}

/**
 * `getText` finds the text in the JSON of `data`. It finds another one there too, so the text that was replaced is the
 * one in question, wherever else it occurs.
 */
export const makeEventTemplate = (
  data: string,
  text: string,
  getText: (data: string) => string | undefined
): EventTemplate | undefined => {
  const quoted = JSON.stringify(text)
  const at = data.lastIndexOf(quoted)
  if (at === -1) return undefined
  const before = data.slice(0, at + 1)
  const after = data.slice(at + quoted.length - 1)
  const other = text === "a" ? "b" : "a"
  return getText(before + other + after) === other
    ? { before: `data: ${before}`, after }
    : undefined
}

/** The end of the text in the event that begins at `start`; 0: the event differs, or is not complete. */
export const findTextEnd = (
  { after, before }: EventTemplate,
  stream: string,
  start: number
): number => {
  const from = start + before.length
  // A comparison of slices is one of bytes; `startsWith` compares characters.
  if (stream.slice(start, from) !== before) return 0
  let end = from
  for (; end < stream.length; end++) {
    const code = stream.charCodeAt(end)
    if (code === quote || code < space) break
    if (code === backslash) end++
  }
  return stream.slice(end, end + after.length) === after ? end : 0
}

/** The start of the next event, if the line of this one ends at `at` and a blank line follows; otherwise 0. */
export const findNextEvent = (stream: string, at: number): number => {
  if (stream.charCodeAt(at) === lf) return stream.charCodeAt(at + 1) === lf ? at + 2 : 0
  return stream.slice(at, at + 4) === "\r\n\r\n" ? at + 4 : 0
}

/** Decodes the inside of a JSON string; undefined if it is not valid. */
export const unescapeText = (text: string): string | undefined => {
  if (!text.includes("\\")) return text
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    return undefined
  }
}

const lf = 10
const quote = 34
const space = 32
const backslash = 92
