/** The tables of the documentation match the code, including defaults. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { expect, it } from "vitest"
import { defaults } from "../../packages/core/src/instance/Settings.ts"
import { renderFailures } from "../renderFailures.ts"
import { renderFields } from "../renderFields.ts"
import { renderQuirks } from "../renderQuirks.ts"
import {
  contractOperationsPath,
  renderExports,
  renderContractOperations,
  renderOperations
} from "../writeReference.ts"
import { clientFolder, renderClient } from "../writeClient.ts"
import { toSettingsPage } from "../toSettingsPage.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The cells of the rows whose first cell is one name. */
const parseRows = (markdown: string): ReadonlyArray<ReadonlyArray<string>> =>
  markdown
    .split("\n")
    .filter((line) => /^\| `\w+` \|/.test(line))
    .map((line) => line.slice(2, -2).split(" | "))

it("docs/reference/settings.md has the settings of the schema; `npm run docs` writes them", () => {
  const page = read("docs/reference/settings.md")
  expect(page).toBe(toSettingsPage(page))
  const [, settings = ""] = page.split("\n## Settings\n")
  const names = parseRows(settings).map(([name = ""]) => name.slice(1, -1))
  expect(names.toSorted()).toEqual(Object.keys(defaults).toSorted())
})

it("docs/reference/settings.md has every option", () => {
  const [, options = ""] = read("packages/core/src/Options.ts").split(
    /export interface Options<.*> \{/
  )
  const names = Array.from(options.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, name]) => name)
  const [documented = ""] = read("docs/reference/settings.md").split("\n## Settings\n")
  expect(new Set(parseRows(documented).map(([name]) => name?.slice(1, -1)))).toEqual(new Set(names))
})

it("docs/guides/users-from-your-login.md has the programs that e2e/logins starts", () => {
  const page = read("docs/guides/users-from-your-login.md")
  const programs = globSync("e2e/logins/!(*.test).ts", { cwd: root })
  expect(programs.length).toBeGreaterThan(5)
  for (const program of programs) {
    const [, text = ""] = /^\/\*\*.*\*\/\n(.*)\n$/s.exec(read(program)) ?? []
    expect([program, page.includes(`\n${text}\n\`\`\`\n`)]).toEqual([program, true])
  }
})

it("guides leave no price unknown that the list has: under a budget such a model is not tried", () => {
  const unpriced = globSync("docs/**/*.md", { cwd: root }).filter((path) =>
    /provider: "(?:anthropic|google-ai-studio|openai)", price: \{\}/.test(read(path))
  )
  expect(unpriced).toEqual([])
})

it("docs/guides/storage.md has every table", () => {
  const sources = globSync("packages/sql/src/**/*.ts", { cwd: root }).map(read).join("\n")
  const renamed = new Map(
    Array.from(
      sources.matchAll(/ALTER TABLE (\w+) RENAME TO (\w+)/g),
      ([, from = "", to = ""]) => [from, to] as const
    )
  )
  const tables = Array.from(
    sources.matchAll(/CREATE TABLE (\w+)/g),
    ([, name = ""]) => renamed.get(name) ?? name
  )
  const page = read("docs/guides/storage.md")
  expect(renamed.size).toBeGreaterThan(0)
  expect(tables.length).toBeGreaterThan(20)
  expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  expect(Array.from(renamed.keys()).filter((name) => page.includes(`\`${name}\``))).toEqual([])
})

it("docs/explanation/choices.md names source files that exist", () => {
  const files = new Set(
    globSync("{packages,scripts}/**/*.ts", {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path)
    }).map((path) => basename(path))
  )
  const named = Array.from(
    read("docs/explanation/choices.md").matchAll(/`(?:[\w/]+\/)?(\w+\.ts)`/g),
    ([, name = ""]) => name
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !files.has(name))).toEqual([])
})

it.each([
  ["docs/reference/operations.md", renderOperations],
  ["docs/reference/exports.md", renderExports],
  ["docs/reference/failures.md", renderFailures],
  ["docs/reference/provider-quirks.md", renderQuirks],
  ["docs/reference/request-fields.md", renderFields],
  [contractOperationsPath, renderContractOperations]
])("%s is what `npm run docs` writes", (page, render) => {
  expect(read(page)).toBe(render())
})

it("the generated files of the client are what `npm run docs` writes", async () => {
  const rendered = await renderClient()
  const committed = globSync("**/*.ts", { cwd: join(root, clientFolder) })
  expect(committed.toSorted()).toEqual([...rendered.keys()].toSorted())
  for (const [file, text] of rendered) expect(read(join(clientFolder, file))).toBe(text)
})
