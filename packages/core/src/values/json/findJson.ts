/** Finds the JSON in a text; undefined when the text contains none. */
export const findJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
