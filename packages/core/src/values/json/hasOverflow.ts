/** Finds JSON numbers that overflow a double: they parse as Infinity and would be sent on as null. */

/**
 * An overflow needs an exponent of three digits, or more than three hundred digits. The lookbehind matches only from
 * the first digit, so that long runs of digits take linear time.
 */
const overflowPattern = /(?<!\d)(?:\d+[eE]\+?\d{3}|\d{309})/

/** Whether `value`, parsed from `text`, contains an overflow; walks the value only if the text may have one. */
export const hasOverflow = (text: string, value: unknown): boolean =>
  overflowPattern.test(text) && hasInfinity(value)

/** The same for a value without its text. */
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
