/** Configurations that Node loads, and the messages about those that it does not load. */
import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { LoadedConfig } from "../src/config/loadConfig.ts"
import { TemporaryFolder } from "./temporaryFolder.ts"

const loader = join(import.meta.dirname, "../src/config/loadConfig.ts")
const modules = join(import.meta.dirname, "../../../node_modules")

/** Prints what is loaded from each file, or what went wrong. */
const program = `
  import * as Effect from "effect/Effect"
  import * as Option from "effect/Option"
  import { loadConfig } from ${JSON.stringify(loader)}
  const told = []
  for (const name of process.argv.slice(1)) {
    const loading = loadConfig(name === "" ? Option.none() : Option.some(name))
    told.push(
      await Effect.runPromise(
        Effect.match(loading, {
          onSuccess: ({ options, server }) => ({ options: Object.keys(options), server }),
          onFailure: ({ userMessage }) => userMessage
        })
      )
    )
  }
  process.stdout.write(JSON.stringify(told))
`

/** Loads files of a folder that has these; the folder is removed from the answers. */
const load = async (
  sources: Readonly<Record<string, string>>,
  names: ReadonlyArray<string>
): Promise<ReadonlyArray<unknown>> => {
  await using folder = await TemporaryFolder.make()
  await symlink(modules, join(folder.path, "node_modules"))
  for (const [name, source] of Object.entries(sources)) await folder.write(name, source)
  return await new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["--input-type=module", "-e", program, ...names],
      { cwd: folder.path, env: process.env },
      (error, stdout) =>
        error === null
          ? resolve(JSON.parse(stdout.replaceAll(`${folder.path}/`, "")))
          : reject(error)
    )
  })
}

describe("a configuration", () => {
  const typed = `import { defineConfig } from "@signalbox/cli"
import { openai } from "@signalbox/openai"

const port: number = 8080
export default defineConfig({
  upstreams: [openai({ apiKey: "sk-of-a-test" })],
  models: [],
  server: { port, console: { allowActions: true } }
})
`
  const server: LoadedConfig["server"] = { port: 8080, console: { allowActions: true } }
  const loaded = { options: ["upstreams", "models"], server }

  test("is loaded from the file that is named, or from that of the current folder", async () => {
    expect(await load({ "other.ts": typed }, ["./other.ts"])).toEqual([loaded])
    expect(await load({ "signalbox.config.ts": typed }, [""])).toEqual([loaded])
    const plain = { "signalbox.config.mjs": "export default { upstreams: [], models: [] }" }
    expect(await load(plain, [""])).toEqual([{ options: ["upstreams", "models"], server: {} }])
  })

  test("is found as .mts first, which is a module in every folder", async () => {
    const files = {
      "package.json": '{"type":"commonjs"}',
      "signalbox.config.mts": typed,
      "signalbox.config.ts": "export default {}"
    }
    expect(await load(files, [""])).toEqual([loaded])
  })

  test("in a folder of CommonJS modules, as npm init makes it, says what to do", async () => {
    for (const source of [typed, "export default { upstreams: [], models: [] }"]) {
      const files = { "package.json": '{"type":"commonjs"}', "signalbox.config.ts": source }
      expect(await load(files, [""])).toEqual([
        expect.stringContaining('rename the file to signalbox.config.mts, or set "type": "module"')
      ])
    }
  })

  test("that is not there is described, with an example", async () => {
    expect(await load({}, ["", "none.ts"])).toEqual([
      expect.stringMatching(
        /^There is no signalbox\.config\.mts in .*: name it with --config FILE, run `npx signalbox init`, or write one, for example:\n\n {2}import \{ defineConfig \}/
      ),
      "There is no file none.ts: check --config"
    ])
  })

  const broken: ReadonlyArray<readonly [problem: string, source: string, told: string]> = [
    ["no default export", "export const config = {}", " has no default export. Write, for example"],
    ["a promise", "export default Promise.resolve({})", ": the default export is a promise"],
    ["a list", "export default []", ": the default export must be an object"],
    [
      "an option that does not exist",
      "export default {\n  upstreams: [],\n  modles: []\n}",
      ":3: modles is no option; did you mean models?"
    ],
    [
      "a wrong kind of option",
      "export default {\n  upstreams: [],\n  models: [],\n  keys: {}\n}",
      ":4: keys must be a list of keys"
    ],
    ["a missing option", "export default { upstreams: [] }", ": models is missing"],
    [
      "a setting that does not exist",
      "export default { upstreams: [], models: [],\n  settings: {\n    maxAttemts: 3 } }",
      ":3: settings.maxAttemts is no setting; did you mean maxAttempts?"
    ],
    [
      "a field of the server that does not exist",
      "export default { upstreams: [], models: [], server: {\n  prot: 80 } }",
      ":2: server: prot is no option; did you mean port?"
    ],
    [
      "a port that is none",
      "export default { upstreams: [], models: [],\n  server: { port: 80_000 } }",
      ":2: server.port must be a whole number from 0 to 65535, got 80000"
    ],
    [
      "an unset variable as database",
      "export default { upstreams: [], models: [],\n  server: { database: '' } }",
      ":2: server.database is empty; is the variable that holds it set?"
    ],
    [
      "two storages",
      `import { sqlite } from "@signalbox/sql"
const stores = sqlite({ path: ":memory:" })
export default { upstreams: [], models: [], stores, server: { database: "a.db" } }`,
      ":3: server.database and stores are two storages"
    ],
    [
      "a field of the console of a wrong kind",
      "export default { upstreams: [], models: [],\n  server: { console: {\n  authorize: 'me' } } }",
      ":3: server.console: authorize must be of type function"
    ],
    [
      "a package that is not installed",
      'import none from "@nobody/none"\nexport default none',
      ": Cannot find package '@nobody/none'. Install it: npm install @nobody/none"
    ],
    [
      "a file without its ending",
      'import none from "./models"\nexport default none',
      ": Cannot find module 'models'. Is the file there? Imports need its ending, such as ./models.ts"
    ],
    [
      "syntax that Node does not run",
      "const a = 1\nenum Kind { One }\nexport default {}",
      ":2: TypeScript enum is not supported in strip-only mode. Node runs TypeScript by removing"
    ],
    ["wrong syntax", "\nexport default { a: ", ":2: Expression expected"],
    [
      "an exception",
      'import { openai } from "@signalbox/openai"\n\nexport default { upstreams: [openai({ apiKey: process.env.NONE })] }',
      ":3: openai: apiKey is missing"
    ],
    ["no exception", "throw 'secret'", " threw string, which is no Error"]
  ]
  test("says where and what to do about what is wrong", async () => {
    const names = broken.map((_, at) => `case-${at}.ts`)
    const told = await load(
      Object.fromEntries(broken.map(([, source], at) => [`case-${at}.ts`, source])),
      names
    )
    expect(broken.map(([problem], at) => [problem, told[at]])).toEqual(
      broken.map(([problem, , expected], at) => [
        problem,
        expect.stringContaining(`case-${at}.ts${expected}`)
      ])
    )
  })
})
