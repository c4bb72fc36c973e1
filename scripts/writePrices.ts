/**
 * Writes the prices of `@signalbox/prices` from the list of https://models.dev, from a file of the same form, or from two
 * files with models and with their sellers (`prices/readBaseModels.ts`):
 * `node scripts/writePrices.ts [--day YYYY-MM-DD] [api.json | models.json sellers.json]`. The day is that of the list;
 * default: today.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { ListedProvider } from "./prices/PublishedModel.ts"
import { readBaseModels } from "./prices/readBaseModels.ts"
import { toListedModel } from "./prices/toListedModel.ts"

const address = "https://models.dev/api.json"

/** Their ids in the list; the upstreams are `listedAs` them. */
const providerIds = [
  "amazon-bedrock",
  "anthropic",
  "cerebras",
  "deepinfra",
  "deepseek",
  "fireworks-ai",
  "google",
  "google-vertex",
  "groq",
  "mistral",
  "moonshotai",
  "openai",
  "togetherai",
  "xai"
]

const folder = join(import.meta.dirname, "../packages/prices/src/generated")
const header =
  "/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */\n"

/** A large answer is no list of prices. */
const maxCharacters = 50_000_000

const readList = async (): Promise<string> => {
  const response = await fetch(address, { signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const text = await response.text()
  if (text.length > maxCharacters) throw new Error(`${address} is longer than expected`)
  return text
}

const toVariable = (id: string): string =>
  id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { day: { type: "string" } }
})
const date = values.day ?? new Date().toISOString().slice(0, 10)
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error(`the day must be YYYY-MM-DD, got ${date}`)
const [first, sellers] = positionals.map((path) => readFileSync(path, "utf8"))
const list: Readonly<Record<string, ListedProvider | undefined>> =
  sellers === undefined
    ? JSON.parse(first ?? (await readList()))
    : readBaseModels(JSON.parse(first ?? ""), JSON.parse(sellers))

const files = new Map<string, string>()
for (const id of providerIds) {
  const models = Object.entries(list[id]?.models ?? {})
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, model]) => {
      const listed = toListedModel(id, name, model)
      return listed === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(listed)}`]
    })
  // A list that lost a provider must not take its prices away unnoticed. Sellers alone do not tell what all of them charge.
  if (models.length === 0 && sellers === undefined) {
    throw new Error(`the list has no priced model of ${id}`)
  }
  files.set(
    `${id}.ts`,
    `${header}import type { ListedModels } from "../ListedModels.ts"\n\nexport const ${toVariable(id)}: ListedModels = {\n${models.join(",\n")}\n}\n`
  )
  console.log(`${id}: ${models.length} models`)
}
const imports = providerIds.map((id) => `import { ${toVariable(id)} } from "./${id}.ts"`)
const entries = providerIds.map((id) => `  ${JSON.stringify(id)}: ${toVariable(id)}`)
files.set(
  "providers.ts",
  `${header}import type { PriceBook } from "@signalbox/core/catalog"\n${imports.join("\n")}\n\nexport const providers: PriceBook["providers"] = {\n${entries.join(",\n")}\n}\n`
)
files.set(
  "date.ts",
  `${header}\n/** The day of the prices. */\nexport const date = ${JSON.stringify(date)}\n`
)
for (const [name, content] of files) writeFileSync(join(folder, name), content)
