/** A path parameter has one name: in process, in the client and in the documentation. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as SchemaAST from "effect/SchemaAST"
import { expect, it } from "vitest"
import { Api } from "../../packages/core/src/api/Api.ts"
import { listOperations } from "../../packages/core/src/api/contract/Operation.ts"
import { clientFolder } from "../writeClient.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The names in a path, such as `/keys/:hash` or `/keys/{hash}`. */
const listNames = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/[:{](\w+)/g), ([, name = ""]) => name)

const operations = listOperations(...Object.values(Api.groups)).map(
  ({ endpoint: { method, params, path } }) => ({
    route: `${method} ${path}`,
    names: listNames(path),
    /** The names that a call in process takes. */
    fields:
      params !== undefined && SchemaAST.isObjects(params.ast)
        ? params.ast.propertySignatures.map(({ name }) => String(name))
        : []
  })
)

it("a call in process takes the names of the path", () => {
  expect(operations.filter(({ names }) => names.length > 0).length).toBeGreaterThan(50)
  const differing = operations.filter(
    ({ fields, names }) => fields.toSorted().join() !== names.toSorted().join()
  )
  expect(differing).toEqual([])
})

it("docs/reference/operations.md has the names of the contract", () => {
  // The last section lists the operations of OpenRouter that the contract leaves out.
  const sections = read("docs/reference/operations.md").split("\n## OpenRouter's operations\n")
  expect(sections).toHaveLength(2)
  const [page = ""] = sections
  const documented = Array.from(
    page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm),
    ([, route = ""]) => route
  )
  expect(documented.toSorted()).toEqual(
    operations.map(({ route }) => route.replaceAll(/:(\w+)/g, "{$1}")).toSorted()
  )
})

it("a call of the client takes the names of the contract", () => {
  const source = globSync("**/*.ts", { cwd: join(root, clientFolder) })
    .map((file) => read(join(clientFolder, file)))
    .join("\n")
  const called = Array.from(
    source.matchAll(/\binput\??: (\w+)(?:(?!\binput\??:|\n {2}\/\*\*)[\s\S])*?"([A-Z]+ \/[^"?]*)/g),
    ([, input = "", route = ""]) => ({ input, route })
  )
  const routes = new Map(called.map(({ input, route }) => [route, input]))
  const withNames = operations.filter(({ names }) => names.length > 0)
  expect(withNames.filter(({ route }) => !routes.has(route))).toEqual([])
  const lacking = withNames.flatMap(({ names, route }) => {
    const [, rest = ""] = source.split(`export interface ${routes.get(route)} {\n`)
    const [fields = ""] = rest.split("\n}")
    return names
      .filter((name) => !new RegExp(`^ {2}readonly ${name}: `, "m").test(fields))
      .map((name) => `${route} ${name}`)
  })
  expect(lacking).toEqual([])
})
