/** Counts what a value holds as the scanner counts it in text, some of it at a time. */

export interface JsonCounts {
  /** Containers and keys. */
  readonly nodes: number
  /** The least number of UTF-8 bytes its JSON takes. */
  readonly leastBytes: number
}

/**
 * Yields after every `stride` values, so that whoever counts can do something else; stops where `isEnough` says so.
 * What JSON writes differently, such as dates, counts as what it is.
 */
export function* countJson(
  value: unknown,
  isEnough: (counts: JsonCounts) => boolean,
  stride = 50_000
): Generator<void, JsonCounts> {
  let nodes = 0
  let leastBytes = 0
  let seen = 0
  const left: Array<Iterator<unknown>> = [[value].values()]
  while (left.length > 0) {
    const next = left[left.length - 1]!.next()
    if (next.done === true) {
      left.pop()
      continue
    }
    // Its brackets, its quotes, or a character and a comma; what is undefined is left out.
    if (next.value !== undefined) leastBytes += 2
    if (typeof next.value === "string") leastBytes += next.value.length
    else if (typeof next.value === "object" && next.value !== null) {
      nodes++
      if (Array.isArray(next.value)) left.push(next.value.values())
      else {
        nodes += Object.keys(next.value).length
        left.push(Object.values(next.value).values())
      }
    }
    if (++seen % stride === 0) {
      if (isEnough({ nodes, leastBytes })) break
      yield
    }
  }
  // A value by itself has no comma.
  return { nodes, leastBytes: leastBytes - 1 }
}

/** Of a value that is small, or has few parts. */
export const leastBytesOf = (value: unknown): number => {
  const counting = countJson(value, () => false, Infinity)
  const step = counting.next()
  return step.done === true ? step.value.leastBytes : 0
}
