/** Extracts the TypeScript of a document, so that tests can compile and run it. */

/**
 * A program of a document: a fenced `ts` block with imports, and the following blocks without imports.
 * Lines keep their numbers, so that an error names the line of the document.
 */
export interface Snippet {
  /** The line where it begins. */
  readonly line: number
  readonly text: string
  /** The text without `ts no-run` blocks; may be empty. */
  readonly running: string
}

const fence = /^```(\w*)(.*)$/

export const extractSnippets = (markdown: string): ReadonlyArray<Snippet> => {
  const lines = markdown.split("\n")
  const programs: Array<{ line: number; text: Array<string>; running: Array<string> }> = []
  let index = 0
  while (index < lines.length) {
    const [, language, mark = ""] = fence.exec(lines[index++] ?? "") ?? []
    if (language === undefined) continue
    const start = index
    while (index < lines.length && lines[index] !== "```") index++
    const block = lines.slice(start, index++)
    if (language !== "ts") continue
    const isNew = programs.length === 0 || block.some((line) => line.startsWith("import "))
    if (isNew) programs.push({ line: start + 1, text: [], running: [] })
    const program = programs.at(-1)
    for (const [offset, line] of block.entries()) {
      if (program === undefined) break
      program.text[start + offset] = line
      if (mark.trim() !== "no-run") program.running[start + offset] = line
    }
  }
  return programs.map(({ line, running, text }) => ({
    line,
    text: Array.from(text, (code) => code ?? "").join("\n"),
    running: Array.from(running, (code) => code ?? "").join("\n")
  }))
}
