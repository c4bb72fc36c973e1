/** Follows the README in empty projects: its install line with npm and with pnpm, then its program. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pnpmCommand, toPublishedVersions, run, type Tarballs } from "./packedProject.ts"
import { extractSnippets } from "./extractSnippets.ts"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")
const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]

/** The names in the install line of the README. */
export const listInstalledNames = (markdown: string): ReadonlyArray<string> => {
  const line = /^npm install (.+)$/m.exec(markdown)?.[1]
  if (line === undefined) throw new Error("README.md has no `npm install` line")
  return line.split(" ")
}

const listOurNames = (consumer: string): ReadonlyArray<string> => {
  const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(consumer, "package.json"), "utf8")
  )
  return Object.keys(dependencies).filter((name) => name.startsWith("@signalbox/"))
}

export const checkQuickStart = (tarballs: Tarballs, consumer: string): void => {
  const [program] = extractSnippets(readme)
  if (program === undefined) throw new Error("README.md has no TypeScript block")
  const names = listInstalledNames(readme)
  const specs = Object.entries(toPublishedVersions(names, consumer, tarballs))
  // Without overrides, the dependencies between our packages would come from the registry.
  const overrides = toPublishedVersions(listOurNames(consumer), consumer, tarballs)
  const others = Object.fromEntries(
    Object.entries(overrides).filter(([name]) => !names.includes(name))
  )
  const [pnpm, ...pnpmArguments] = pnpmCommand()
  const add = (directory: string, manager: "npm" | "pnpm", ...more: ReadonlyArray<string>) => {
    const toSpecs = specs.map(([name, version]) => `${name}@${version}`)
    return manager === "npm"
      ? run("npm", ["install", "--prefer-offline", ...quiet, ...toSpecs, ...more], directory)
      : run(pnpm, [...pnpmArguments, "add", "--silent", ...toSpecs, ...more], directory)
  }
  for (const manager of ["npm", "pnpm"] as const) {
    const directory = join(tarballs.directory, `first-day-${manager}`)
    mkdirSync(directory)
    writeFileSync(
      join(directory, "package.json"),
      // npm refuses to override what a project asks for itself.
      JSON.stringify({ private: true, overrides: others })
    )
    writeFileSync(join(directory, "pnpm-workspace.yaml"), JSON.stringify({ overrides }))
    add(directory, manager)
    writeFileSync(join(directory, "server.mts"), program.running)
    const env = { ...process.env, OPENAI_API_KEY: "sk-of-the-reader" }
    execFileSync(
      process.execPath,
      [join(root, "scripts/runSnippet.ts"), join(directory, "server.mts")],
      { cwd: directory, env, stdio: "inherit", timeout: 900_000 }
    )
    console.log(`the README's first program, installed with ${manager}: ok`)
  }
  checkVersionErrors(join(tarballs.directory, "first-day-npm"), () =>
    add(join(tarballs.directory, "first-day-npm"), "npm", "effect@^3", "--legacy-peer-deps")
  )
}

/** On an old Node, or beside another Effect, the first error must be one sentence that names the problem. */
const checkVersionErrors = (directory: string, installOldEffect: () => void): void => {
  const captureError = (node: string): string => {
    try {
      execFileSync(node, ["--input-type=module", "--eval", 'import "@signalbox/express"'], {
        cwd: directory,
        encoding: "utf8",
        stdio: "pipe"
      })
    } catch (error) {
      return /^Error: (.*)$/m.exec((error as { readonly stderr: string }).stderr)?.[1] ?? "none"
    }
    return "none"
  }
  const old = (process.env["PATH"] ?? "")
    .split(":")
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => ({ node: join(folder, "node"), version: getVersion(join(folder, "node")) }))
    .find(({ version }) => /^v(?:1\d|20|21)\./.test(version))
  if (old === undefined) console.warn("no Node below 22 on this machine: its error is not tried")
  else {
    expect(
      captureError(old.node),
      /^@signalbox\/express needs Node 22\.19\.0 or newer; this is Node 2?\d/
    )
  }
  rmSync(join(directory, "node_modules/effect"), { recursive: true })
  expect(
    captureError(process.execPath),
    /needs effect \^4\.1\.0; there is none\. Run: npm install effect/
  )
  installOldEffect()
  expect(captureError(process.execPath), /needs effect \^4\.1\.0; there is effect 3\./)
}

const expect = (message: string, words: RegExp): void => {
  if (!words.test(message)) throw new Error(`expected ${words}, got: ${message}`)
  console.log(message)
}

const getVersion = (node: string): string => {
  try {
    return execFileSync(node, ["--version"], { encoding: "utf8", stdio: "pipe" })
  } catch {
    return "none"
  }
}
