import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { exportsOf, requiredIn, undocumentedIn } from "../entriesOf.ts"

const sources = join(import.meta.dirname, "../../packages/core/src")
const subpaths = ["stores.ts", "upstream.ts", "adapter.ts"]
const ofSubpaths = subpaths.flatMap((entry) => exportsOf(sources, entry))
const ofRoot = exportsOf(sources, "index.ts")
const textOf = (file: string): string => readFileSync(join(sources, file), "utf8")

const required = [
  ...new Set(ofSubpaths.concat(ofRoot).flatMap(({ file }) => requiredIn(textOf(file))))
].toSorted()

test("a service that a public layer requires is exported from a subpath", () => {
  expect(required).toContain("GenerationStore")
  expect(required).toContain("SpendLimits")
  const names = new Set(ofSubpaths.map(({ local }) => local))
  expect(required.filter((name) => !names.has(name))).toEqual([])
})

test("services and stores are not exported from the root", () => {
  const services = ofRoot.filter(({ file, local }) =>
    new RegExp(`class ${local} extends Context\\.Service`).test(textOf(file))
  )
  expect(services).toEqual([])
  expect(ofRoot.map(({ local }) => local)).not.toContain("memoryStores")
})

test("every export of a subpath has a docstring", () => {
  const undocumented = ofSubpaths.flatMap(({ file, local }) =>
    local !== undefined && undocumentedIn(textOf(file)).includes(local) ? [`${file}: ${local}`] : []
  )
  expect(undocumented).toEqual([])
})
