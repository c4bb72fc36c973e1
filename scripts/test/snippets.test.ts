/** Runs the TypeScript blocks of the documentation, except those marked `no-run`. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"
import { bundleOptions } from "../../vitest.programs.ts"
import { pickScope } from "../../vitest.scope.ts"
import { extractSnippets } from "../extractSnippets.ts"
import { emptySnippetFolder, listSnippets } from "../listSnippets.ts"

const runnable = listSnippets().filter(({ running }) => running !== "")
// The sample is the first snippet of each document.
const snippets = pickScope({
  full: runnable,
  sample: runnable.filter(({ document }, at) => document !== runnable[at - 1]?.document)
})

const root = join(import.meta.dirname, "../..")
const folder = emptySnippetFolder("snippets")
const toPath = (name: string): string => join(folder, name)

/** In full each snippet imports the modules as they are; otherwise one bundle runs the snippet of its argument. */
const { prepare, toArguments } = pickScope({
  full: {
    prepare: () =>
      build({
        ...bundleOptions,
        bundle: false,
        entryPoints: snippets.map(({ file }) => toPath(`${file}.ts`)),
        outdir: folder
      }),
    toArguments: (file: string) => [toPath(`${file}.mjs`)]
  },
  sample: {
    prepare: () => {
      const imports = snippets.map(({ file }) => `"${file}": () => import("./${file}.ts")`)
      const contents = `await ({ ${imports.join(", ")} })[process.argv[3]]()`
      return build({
        ...bundleOptions,
        stdin: { contents, resolveDir: folder, sourcefile: "all.js" },
        outfile: toPath("all.mjs")
      })
    },
    toArguments: (file: string) => [toPath("all.mjs"), file]
  }
})

/** The environment of a reader. No provider receives these keys. */
const readerKeys = {
  ANTHROPIC_API_KEY: "sk-of-the-reader",
  OPENAI_API_KEY: "sk-of-the-reader",
  OPENROUTER_API_KEY: "sk-of-the-reader"
}

/** Resolves to the errors of a snippet, or to an empty string. */
const listProblems = (file: string): Promise<string> =>
  promisify(execFile)(
    process.execPath,
    [join(root, "scripts/runSnippet.ts"), ...toArguments(file)],
    { cwd: folder, timeout: 900_000, env: { ...process.env, ...readerKeys } }
  ).then(
    () => "",
    ({ message, stdout }: { readonly message: string; readonly stdout: string }) =>
      `${message}\n${stdout}`
  )

beforeAll(async () => {
  for (const { file, running } of snippets) writeFileSync(toPath(`${file}.ts`), running)
  await prepare()
})

it("finds the snippets of the documentation", () => {
  expect(snippets.map(({ document }) => document)).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/get-started/mounting.md",
      "packages/testing/README.md"
    ])
  )
})

describe.concurrent("running", () => {
  it.each(snippets)("$document:$line", async ({ file }) => {
    expect(await listProblems(file)).toBe("")
  })
})

describe("extractSnippets", () => {
  const document = [
    "# A page",
    "```ts",
    'import { a } from "a"',
    "a()",
    "```",
    "```sh",
    "npm start",
    "```",
    "```ts no-run",
    "a(1)",
    "```",
    "```ts no-run",
    'import { b } from "b"',
    "```",
    ""
  ].join("\n")

  it("joins blocks without imports to the block before, and keeps line numbers", () => {
    expect(extractSnippets(document)).toEqual([
      {
        line: 3,
        text: '\n\nimport { a } from "a"\na()\n\n\n\n\n\na(1)',
        running: '\n\nimport { a } from "a"\na()'
      },
      { line: 13, text: `${"\n".repeat(12)}import { b } from "b"`, running: "" }
    ])
  })

  it("returns nothing for a page without TypeScript", () => {
    expect(extractSnippets("text\n```sh\nimport nothing\n```\n")).toEqual([])
  })
})
