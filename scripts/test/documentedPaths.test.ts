/** Every path that the documentation names in backticks exists. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const documents = globSync(
  ["{ARCHITECTURE,README,AGENTS,CONTRIBUTING}.md", "docs/**/*.md", "packages/*/README.md"],
  {
    cwd: root
  }
)
const entries = new Set(readdirSync(root))

/** A path with an extension or a bare file name, except `X.ts`, which stands for any file. */
const repositoryFile =
  /^(?!X[A-Zs]?\w*\.ts$)(?:[A-Z]\w*\.ts|\w+\.(?:md|json|ya?ml)|.+\/.+\.(?:ts|js|mjs|md|json|ya?ml))$/

/** Inline code that looks like a path of this repository. Fenced blocks are skipped: they are commands and drawings. */
const listPaths = (markdown: string): ReadonlyArray<string> =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, code = ""]) => {
      if (!/^[\w.@*-][\w.@*{},-]*(?:\/[\w.@*{},-]+)*\/?$/.test(code)) return []
      const [first = ""] = code.split("/")
      return entries.has(first) || repositoryFile.test(code) ? [code] : []
    }
  )

/** Every path of a source or document, from the root and from each folder on the way. */
const ends = new Set(
  globSync(["docs/**", "{packages,examples}/*/{*,app/**,src/**,test/**}"], { cwd: root }).flatMap(
    (path) => {
      const names = path.split("/")
      return names.map((_, from) => names.slice(from).join("/"))
    }
  )
)

/** A path may be relative to the root, or the end of one: `Settings.ts`, `questions/Answer.ts`. */
const pathExists = (path: string): boolean =>
  existsSync(join(root, path)) ||
  ends.has(path.replace(/\/$/, "")) ||
  (/[*{]/.test(path) &&
    globSync([path, `{packages,examples}/*/{,src/**/,test/**/}${path}`], { cwd: root }).length > 0)

it("recognizes paths, and nothing else", () => {
  const text =
    "`docs/get-started/mounting.md`, `Nowhere.ts`, `none/x.ts`, `packages/*/test` and `scripts/`, but not `npm test`, `.ts`, `XStore.ts`, `server.ts`, `/api/v1`, `{mount}/api/x.json`, `@signalbox/core`, `application/json`\n```\n`scripts/none`\n```\n"
  expect(listPaths(text)).toEqual([
    "docs/get-started/mounting.md",
    "Nowhere.ts",
    "none/x.ts",
    "packages/*/test",
    "scripts/"
  ])
  expect(pathExists("Nowhere.ts")).toBe(false)
  expect(pathExists("scripts/layers.ts")).toBe(true)
})

describe.each(documents)("%s", (document) => {
  it("names only paths that exist", () => {
    const named = listPaths(readFileSync(join(root, document), "utf8"))
    expect(named.filter((path) => !pathExists(path))).toEqual([])
  })
})
