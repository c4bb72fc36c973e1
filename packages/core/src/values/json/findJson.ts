/** The JSON in a text; undefined when the text is none. */
export const findJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
