/** Every TypeScript block of the documentation compiles, and those not marked `no-run` run. */
import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { extractSnippets } from "../extractSnippets.ts"

const root = join(import.meta.dirname, "../..")
// Snippets are compiled where their imports are those of an application: in an example.
const work = join(root, "examples/servers/node_modules/.cache/snippets")

const programs = globSync(["README.md", "docs/**/*.md"], { cwd: root })
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
// Otherwise the first of each document.
const running = pickScope({
  full: runnable,
  sample: runnable.filter(
    (one, at) => at === 0 || toDocument(one) !== toDocument(runnable[at - 1]!)
  )
})

const run = promisify(execFile)

/** What a reader has in the environment; nobody is asked with it. */
const readerKeys = { OPENAI_API_KEY: "sk-of-the-reader", OPENROUTER_API_KEY: "sk-of-the-reader" }

/** Resolves with what went wrong, empty when nothing did. */
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
    expect.arrayContaining(["README.md", "docs/get-started/mounting.md"])
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

describe("snippetsIn", () => {
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

  it("joins what has no imports to what it follows, every line in its place", () => {
    expect(extractSnippets(document)).toEqual([
      {
        line: 3,
        text: '\n\nimport { a } from "a"\na()\n\n\n\n\n\na(1)',
        running: '\n\nimport { a } from "a"\na()'
      },
      { line: 13, text: `${"\n".repeat(12)}import { b } from "b"`, running: "" }
    ])
  })

  it("finds nothing in a page without TypeScript", () => {
    expect(extractSnippets("text\n```sh\nimport nothing\n```\n")).toEqual([])
  })
})
