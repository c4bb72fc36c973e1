/** The key of a service or a reference is where it is declared: the folder of its file, and its name. */
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { expect, it } from "vitest"

const packages = join(import.meta.dirname, "../../packages")

/** Not the entry of a package that is imported. */
const key = /(?<!(?:from|import) |import\()"(@signalbox\/[\w-]+\/(?:\w+\/)*\w+)"/g

const declarations = globSync("*/src/**/*.ts", { cwd: packages }).flatMap((file) => {
  const text = readFileSync(join(packages, file), "utf8")
  return Array.from(text.matchAll(key), ({ 1: found = "", index }) => ({
    file,
    name: Array.from(text.slice(0, index).matchAll(/\b(?:class|const) (\w+)/g)).at(-1)?.[1] ?? "",
    key: found
  }))
})

it("a key is the path and the name of what it identifies", () => {
  expect(declarations.length).toBeGreaterThan(100)
  const misplaced = declarations.filter(({ file, key, name }) => {
    const [owner = ""] = file.split("/")
    const folder = join("@signalbox", owner, relative(join(owner, "src"), dirname(file)))
    // Each model of Effect's AI services has a `Config`.
    return ![join(folder, name), join(folder, basename(file, ".ts"), name)].includes(key)
  })
  expect(misplaced).toEqual([])
})
