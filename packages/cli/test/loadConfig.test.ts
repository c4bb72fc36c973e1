/** Configurations that load, and what is said about those that do not, as Node loads them. */
import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { LoadedConfig } from "../src/config/loadConfig.ts"
import { TemporaryFolder } from "./temporaryFolder.ts"

const loader = join(import.meta.dirname, "../src/config/loadConfig.ts")
const modules = join(import.meta.dirname, "../../../node_modules")

/** Prints what is loaded, or what went wrong. */
const program = `
  import * as Effect from "effect/Effect"
  import * as Option from "effect/Option"
  import { loadConfig } from ${JSON.stringify(loader)}
  const [, name] = process.argv
  const told = await Effect.runPromise(
    Effect.match(loadConfig(Option.fromUndefinedOr(name)), {
      onSuccess: ({ options, server }) => JSON.stringify({ options: Object.keys(options), server }),
      onFailure: ({ userMessage }) => userMessage
    })
  )
  process.stdout.write(told)
`

/** Loads from a folder with the file, whose path is removed from the answer. */
const load = async (
  source: string | undefined,
  { arg, name = "signalbox.config.ts" }: { readonly arg?: string; readonly name?: string } = {}
): Promise<string> => {
  await using folder = await TemporaryFolder.make()
  await symlink(modules, join(folder.path, "node_modules"))
  if (source !== undefined) await folder.write(name, source)
  return await new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["--input-type=module", "-e", program, ...(arg === undefined ? [] : [arg])],
      { cwd: folder.path, env: process.env },
      (error, stdout) =>
        error === null ? resolve(stdout.replaceAll(`${folder.path}/`, "")) : reject(error)
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

  test("is loaded from the current folder, or from the file that is named", async () => {
    expect(JSON.parse(await load(typed))).toEqual(loaded)
    const named = await load(typed, { name: "other.ts", arg: "./other.ts" })
    expect(JSON.parse(named)).toEqual(loaded)
    for (const name of ["signalbox.config.js", "signalbox.config.mjs"]) {
      const plain = await load("export default { upstreams: [], models: [] }", { name })
      expect(JSON.parse(plain)).toEqual({ options: ["upstreams", "models"], server: {} })
    }
  })

  test("that is not there is described, with an example", async () => {
    expect(await load(undefined)).toMatch(
      /^There is no signalbox\.config\.ts in .*: name it with --config FILE, or write one, for example:\n\n {2}import \{ defineConfig \}/
    )
    expect(await load(typed, { arg: "none.ts" })).toBe("There is no file none.ts: check --config")
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
  test.concurrent.each(broken)("with %s says where and what to do", async (_, source, told) => {
    expect(await load(source)).toContain(`signalbox.config.ts${told}`)
  })
})
