import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { listExports, listRequired, listUndocumented } from "../listExports.ts"

const sources = join(import.meta.dirname, "../../packages/core/src")
const subpaths = ["contract.ts", "stores.ts", "upstream.ts", "adapter.ts"]
const subpathExports = subpaths.flatMap((entry) => listExports(sources, entry))
const rootExports = listExports(sources, "index.ts")
const readSource = (file: string): string => readFileSync(join(sources, file), "utf8")

/** The public declarations, which state the requirements of layers whose types are inferred, by file. */
const declarations = new Map(
  readFileSync(join(sources, "../api.md"), "utf8")
    .split(/^## /m)
    .map((section) => [section.split("\n", 1).join(), section])
)
const listRequiredBy = [
  ...new Set(
    subpathExports
      .concat(rootExports)
      .flatMap(({ file }) => listRequired(declarations.get(file.replace(/\.ts$/, "")) ?? ""))
  )
].toSorted()

test("a service that a public layer requires is exported from a subpath", () => {
  expect(listRequiredBy).toContain("GenerationStore")
  expect(listRequiredBy).toContain("SpendLimits")
  const names = new Set(subpathExports.map(({ local }) => local))
  expect(listRequiredBy.filter((name) => !names.has(name))).toEqual([])
})

test("services and stores are not exported from the root", () => {
  const services = rootExports.filter(({ file, local }) =>
    new RegExp(`class ${local} extends Context\\.Service`).test(readSource(file))
  )
  expect(services).toEqual([])
  expect(rootExports.map(({ local }) => local)).not.toContain("memoryStores")
})

test("the root exports at most 90 names", () => {
  const names = new Set(rootExports.map(({ name }) => name))
  expect(names.size).toBeGreaterThan(50)
  expect(names.size).toBeLessThanOrEqual(90)
})

test("the contract exports no service", () => {
  const files = listExports(sources, "contract.ts").map(({ file }) => file)
  expect(files.filter((file) => readSource(file).includes("extends Context.Service"))).toEqual([])
})

test("every export has a docstring", () => {
  const undocumented = rootExports
    .concat(subpathExports)
    .flatMap(({ file, local }) =>
      local !== undefined && listUndocumented(readSource(file)).includes(local)
        ? [`${file}: ${local}`]
        : []
    )
  expect(undocumented).toEqual([])
})
