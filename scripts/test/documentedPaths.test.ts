/** Every path the documentation names in backticks exists, so that nobody follows a map of a house that has moved. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const documents = globSync(["{ARCHITECTURE,README,AGENTS,CONTRIBUTING}.md", "docs/**/*.md"], {
  cwd: root
})
const entries = new Set(readdirSync(root))

/** A file of ours: a path with an extension, or the bare name of one, except the `X.ts` that stands for any. */
const repositoryFolders =
  /^(?!X[A-Zs]?\w*\.ts$)(?:[A-Z]\w*\.ts|\w+\.(?:md|json|ya?ml)|.+\/.+\.(?:ts|js|mjs|md|json|ya?ml))$/

/** The inline code of a text that reads as a path of this repository; fenced blocks are commands and drawings. */
const listPaths = (markdown: string): ReadonlyArray<string> =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, code = ""]) => {
      if (!/^[\w.@*-][\w.@*{},-]*(?:\/[\w.@*{},-]+)*\/?$/.test(code)) return []
      const [first = ""] = code.split("/")
      return entries.has(first) || repositoryFolders.test(code) ? [code] : []
    }
  )

/** Paths are spelled from the root, or from the end: `Settings.ts`, `questions/Answer.ts`. */
const pathExists = (path: string): boolean =>
  existsSync(join(root, path)) ||
  globSync([path, `docs/**/${path}`, `{packages,examples}/*/{,src/**/,test/**/}${path}`], {
    cwd: root
  }).length > 0

it("recognises a path, and only a path", () => {
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
