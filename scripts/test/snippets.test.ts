/** Compiles every TypeScript block of the documentation, and runs those without `no-run`. */
import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { extractSnippets } from "../extractSnippets.ts"

const root = join(import.meta.dirname, "../..")
// Snippets are compiled inside an example, where imports resolve as in an application.
const work = join(root, "examples/servers/node_modules/.cache/snippets")

const programs = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root })
  .toSorted()
  .flatMap((document) =>
    extractSnippets(readFileSync(join(root, document), "utf8")).map((snippet) => ({
      name: `${document}:${snippet.line}`,
      file: `${document.replaceAll("/", "-")}-${snippet.line}`,
      ...snippet
    }))
  )
const runnable = programs.filter((program) => program.running !== "")
const toDocument = ({ name }: { readonly name: string }) => name.split(":")[0]
// The sample is the first snippet of each document.
const running = pickScope({
  full: runnable,
  sample: runnable.filter(
    (one, at) => at === 0 || toDocument(one) !== toDocument(runnable[at - 1]!)
  )
})

const run = promisify(execFile)

/** The environment of a reader. No provider receives these keys. */
const readerKeys = { OPENAI_API_KEY: "sk-of-the-reader", OPENROUTER_API_KEY: "sk-of-the-reader" }

/** Resolves to the errors of a command, or to an empty string. */
const listProblems = (command: string, args: ReadonlyArray<string>): Promise<string> =>
  run(command, args, { cwd: work, timeout: 60_000, env: { ...process.env, ...readerKeys } }).then(
    () => "",
    ({ message, stdout }: { readonly message: string; readonly stdout: string }) =>
      `${message}\n${stdout}`
  )

let problems = ""

beforeAll(async () => {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const files = programs.flatMap(({ file, running, text }) => {
    const versions = [[`${file}.ts`, text] as const]
    if (running !== "") versions.push([`${file}.run.ts`, running])
    for (const [name, code] of versions) writeFileSync(join(work, name), code)
    return versions.map(([name]) => name)
  })
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      files,
      compilerOptions: {
        rootDir: ".",
        outDir: "out",
        composite: false,
        incremental: false,
        tsBuildInfoFile: null,
        declarationMap: false,
        emitDeclarationOnly: false,
        sourceMap: false,
        noPropertyAccessFromIndexSignature: false,
        noUnusedLocals: false,
        types: ["node"]
      }
    })
  )
  problems = await listProblems(join(root, "node_modules/.bin/tsc"), ["-p", work])
}, 90_000)

it("finds the snippets of the documentation", () => {
  const documents = new Set(running.map(toDocument))
  expect([...documents]).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/get-started/mounting.md",
      "packages/testing/README.md"
    ])
  )
})

it("compiles them", () => {
  expect(problems).toBe("")
})

describe.concurrent("running", { timeout: 90_000 }, () => {
  it.each(running)("$name", async ({ file }) => {
    const program = join(root, "scripts/runSnippet.ts")
    expect(await listProblems(process.execPath, [program, join(work, `out/${file}.run.js`)])).toBe(
      ""
    )
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
