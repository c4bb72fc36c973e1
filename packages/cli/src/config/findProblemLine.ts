/** Finds the line of a configuration that a problem with its options is about. */

/**
 * The line, counted from 1, of the field that the problem begins with, such as `models.0: …`, or of a text that it
 * quotes; undefined if neither occurs exactly once in the source.
 */
export const findProblemLine = (source: string, problem: string): number | undefined => {
  const [path = ""] = /^\w+(?:(?:\.|: )\w+(?=[.:\s]))*/.exec(problem) ?? []
  const fields = path.split(/\.|: /).toReversed().filter(isName).map(toFieldPattern)
  const quoted = Array.from(problem.matchAll(/"([\w./:~-]+)"/g), ([, text = ""]) =>
    toStringPattern(text)
  )
  for (const pattern of [...fields, ...quoted]) {
    const [first, second] = Array.from(source.matchAll(new RegExp(pattern, "g")))
    if (first !== undefined && second === undefined) {
      return source.slice(0, first.index).split("\n").length
    }
  }
  return undefined
}

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

const toFieldPattern = (name: string): string => `(?<![\\w$.])${name}["']?\\s*[:(,}]`

const toStringPattern = (text: string): string => `(["'\`])${text.replaceAll(".", "\\.")}\\1`
