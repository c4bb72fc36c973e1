/**
 * Prints the size of the sources of packages/core by folder: files, their median and greatest length, the lines that
 * are neither comments nor blank nor imports, and casts. `--at <commit>` counts another commit, and `--depth <n>` sets
 * the depth of the listed folders (1).
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parseSync, Visitor } from "oxc-parser"

const { values: options } = parseArgs({
  options: { at: { type: "string", default: "HEAD" }, depth: { type: "string", default: "1" } }
})
const root = join(import.meta.dirname, "..")
const sources = "packages/core/src/"

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

interface FileCount {
  readonly folder: string
  /** All of its lines. */
  readonly length: number
  /** Lines of code other than imports. */
  readonly lines: number
  readonly casts: number
}

const countFile = (path: string): FileCount => {
  const text = git("show", `${options.at}:${path}`)
  const { comments, errors, program } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  let casts = 0
  new Visitor({
    TSAsExpression: ({ typeAnnotation }) => {
      const { start, end } = typeAnnotation
      if (text.slice(start, end) !== "const") casts++
    }
  }).visit(program)
  const imports = program.body.filter(({ type }) => type === "ImportDeclaration")
  const code = [...comments, ...imports].reduce(
    (rest, { end, start }) =>
      rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end),
    text
  )
  return {
    folder: path
      .slice(sources.length)
      .split("/")
      .slice(0, -1)
      .slice(0, Number(options.depth))
      .join("/"),
    length: text.trimEnd().split("\n").length,
    lines: code.split("\n").filter((line) => line.trim() !== "").length,
    casts
  }
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")

const findMedian = (sorted: ReadonlyArray<number>): number => sorted[sorted.length >> 1] ?? 0

const summarize = (folder: string, files: ReadonlyArray<FileCount>) => {
  const lengths = files.map(({ length }) => length).toSorted((one, other) => one - other)
  const add = (field: "casts" | "lines"): number =>
    files.reduce((sum, file) => sum + file[field], 0)
  return {
    folder,
    files: files.length,
    median: findMedian(lengths),
    longest: lengths.at(-1) ?? 0,
    lines: add("lines"),
    casts: add("casts")
  }
}

const counted = git("ls-tree", "-r", "--name-only", options.at, sources)
  .split("\n")
  .filter((path) => path.endsWith(".ts"))
  .map(countFile)
const folders = Object.entries(Object.groupBy(counted, ({ folder }) => folder))
console.table([
  ...folders.map(([folder, files = []]) => summarize(folder || "(entries)", files)),
  summarize("all", counted)
])
