/** Numbers that JSON can write and a double cannot hold: read as Infinity, sent on as null, and lost. */

/**
 * A number needs three digits of exponent, or more than three hundred of its own, to be too large. Looked
 * for from the first of its digits only, so that no row of digits takes long.
 */
const overflowPattern = /(?<!\d)(?:\d+[eE]\+?\d{3}|\d{309})/

/** Whether `value`, read from `text`, holds such a number. Texts without a large number are not walked. */
export const hasOverflow = (text: string, value: unknown): boolean =>
  overflowPattern.test(text) && hasInfinity(value)

/** The same of a value whose text is not at hand. */
export const hasInfinity = (value: unknown): boolean => {
  const left: Array<unknown> = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (item === Infinity || item === -Infinity) return true
    if (typeof item !== "object" || item === null) continue
    // A list may hold millions of numbers.
    for (const child of Array.isArray(item) ? item : Object.values(item)) {
      if (child === Infinity || child === -Infinity) return true
      if (typeof child === "object" && child !== null) left.push(child)
    }
  }
  return false
}
