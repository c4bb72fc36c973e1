/** Finds the line of a field in the source of a configuration. */

/**
 * The line, counted from 1, of the innermost name of `path` that the source writes exactly once as the name of a field;
 * undefined if there is none.
 */
export const findFieldLine = (source: string, path: ReadonlyArray<string>): number | undefined => {
  for (const name of path.toReversed()) {
    if (!/^[A-Za-z_]\w*$/.test(name)) continue
    const [first, second] = Array.from(
      source.matchAll(new RegExp(`(?<![\\w$.])${name}["']?\\s*[:(,}]`, "g"))
    )
    if (first !== undefined && second === undefined) {
      return source.slice(0, first.index).split("\n").length
    }
  }
  return undefined
}
