/** The vector that a scripted upstream makes of an input. */

/** The same for the same input, and usually another for another; its numbers are exact in float32. */
export const vectorOf = (input: unknown, dimensions = 4): ReadonlyArray<number> => {
  const text = typeof input === "string" ? input : JSON.stringify(input)
  return Array.from({ length: dimensions }, (_, at) => {
    let hash = 2_166_136_261 + at
    for (const character of text) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    }
    return ((hash >>> 8) % 512) / 256 - 1
  })
}
