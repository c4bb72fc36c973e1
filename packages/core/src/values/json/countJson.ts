/** Counts the nodes of a value like `JsonScanner` does in text, in steps. */

export interface JsonCounts {
  /** Containers and keys. */
  readonly nodes: number
  /** The least number of UTF-8 bytes its JSON takes. */
  readonly minBytes: number
}

/**
 * Yields after every `stride` values and stops when `isEnough`. Values with `toJSON`, such as dates, count as objects.
 */
export function* countJson(
  value: unknown,
  isEnough: (counts: JsonCounts) => boolean,
  stride = 50_000
): Generator<void, JsonCounts> {
  let nodes = 0
  let minBytes = 0
  let visited = 0
  const stack: Array<Iterator<unknown>> = [[value].values()]
  while (stack.length > 0) {
    const next = stack[stack.length - 1]!.next()
    if (next.done === true) {
      stack.pop()
      continue
    }
    // Brackets, quotes, or a character and a comma; undefined is omitted.
    if (next.value !== undefined) minBytes += 2
    if (typeof next.value === "string") minBytes += next.value.length
    else if (typeof next.value === "object" && next.value !== null) {
      nodes++
      if (Array.isArray(next.value)) stack.push(next.value.values())
      else {
        nodes += Object.keys(next.value).length
        stack.push(Object.values(next.value).values())
      }
    }
    if (++visited % stride === 0) {
      if (isEnough({ nodes, minBytes })) break
      yield
    }
  }
  // A value by itself has no comma.
  return { nodes, minBytes: minBytes - 1 }
}

/** For a value that is small or has few parts. */
export const estimateMinBytes = (value: unknown): number => {
  const counting = countJson(value, () => false, Infinity)
  const step = counting.next()
  return step.done === true ? step.value.minBytes : 0
}
