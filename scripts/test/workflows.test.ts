/** The workflows are valid, pin what they run, and give the right to publish to the jobs that publish alone. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Parser from "@actions/workflow-parser"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { findUnproven } from "../release/checkProvenance.ts"

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string
        readonly environment?: string
        readonly permissions?: Readonly<Record<string, string>>
        readonly "timeout-minutes"?: number
        readonly steps: ReadonlyArray<Step>
      }
    >
  >
}

const root = join(import.meta.dirname, "../..")
const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

let parser: typeof Parser
let folder = ""
beforeAll(async () => {
  // GitHub's parser imports JSON in a way that only bundlers know.
  folder = mkdtempSync(join(tmpdir(), "workflows-"))
  const outfile = join(folder, "parser.mjs")
  await build({
    entryPoints: [join(root, "node_modules/@actions/workflow-parser/dist/index.js")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)`
    }
  })
  parser = await import(outfile)
})
afterAll(() => rmSync(folder, { recursive: true }))

const lint = async (name: string, content: string): Promise<ReadonlyArray<string>> => {
  const trace = new parser.NoOperationTraceWriter()
  const { context, value } = parser.parseWorkflow({ name, content }, trace)
  if (value !== undefined) await parser.convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

describe.each(globSync(".github/workflows/*.yml", { cwd: root }))("%s", (path) => {
  const content = readFileSync(join(root, path), "utf8")
  const { jobs, permissions }: Workflow = parse(content)
  const steps = Object.values(jobs).flatMap(({ steps }) => steps)

  it("is what GitHub accepts", async () => {
    expect(await lint(path, content)).toEqual([])
    expect(await lint(path, content.replace("runs-on", "run-on"))).not.toEqual([])
  })

  it("needs jobs that exist, and ends each", () => {
    const needed = Object.values(jobs).flatMap(({ needs }) => needs ?? [])
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needed))
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0)
  })

  it("runs scripts that exist, and puts no text of others into a command", () => {
    for (const { run = "" } of steps) {
      expect(run).not.toContain("${{")
      const called = Array.from(
        run.matchAll(/(?:pnpm(?:@[\d.]+)?|npm) run ([\w:]+)/g),
        ([, name = ""]) => name
      )
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called))
      for (const [file] of run.matchAll(/scripts\/[\w/]+\.ts/g)) {
        expect(globSync(file, { cwd: root })).toEqual([file])
      }
    }
  })

  it("may read the source and nothing else, unless a job says so", () => {
    expect([{}, { contents: "read" }]).toContainEqual(permissions)
  })
})

describe(".github/workflows/release.yml", () => {
  const { jobs }: Workflow = parse(
    readFileSync(join(root, ".github/workflows/release.yml"), "utf8")
  )

  it("pins every action to a commit", () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
    expect(used).not.toEqual([])
    expect(used.filter((it) => !/@[0-9a-f]{40}$/.test(it))).toEqual([])
  })

  it("gives an identity to the jobs that publish alone, behind an environment", () => {
    const identified = Object.entries(jobs).filter(([, it]) => it.permissions?.["id-token"])
    expect(identified.map(([name]) => name)).toEqual(["publish", "canary"])
    for (const [, { environment }] of identified) expect(environment).toBe("npm")
  })

  it("has no secret: npm trusts the workflow", () => {
    const text = JSON.stringify(jobs)
    expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/)
  })
})

describe("findUnproven", () => {
  const published = [
    { name: "a", version: "1.0.0" },
    { name: "b", version: "1.0.0" }
  ]
  const proven = `{"provenance":{"predicateType":"https://slsa.dev/provenance/v1"}}`

  it("waits until npm shows the provenance", async () => {
    let waits = 0
    const view = (specifier: string): string => (specifier === "a@1.0.0" || waits > 1 ? proven : "")
    const wait = async (): Promise<void> => void waits++
    expect(await findUnproven(published, view, wait)).toEqual([])
    expect(waits).toBe(2)
  })

  it("names what was published without one", async () => {
    const shown = new Map([["a@1.0.0", proven]])
    const view = (specifier: string): string => shown.get(specifier) ?? "{}"
    expect(await findUnproven(published, view, async () => {})).toEqual(["b@1.0.0"])
  })
})
