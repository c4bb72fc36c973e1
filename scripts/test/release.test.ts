/** What a release needs: manifests, change sets, one version for all packages, and canaries that leave nothing behind. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { pickScope } from "../../vitest.scope.ts"
import { writeCanaryVersion } from "../release/writeCanaryVersion.ts"
import { writeRepository } from "../release/writeRepository.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly repository?: unknown
  readonly files?: ReadonlyArray<string>
  readonly engines?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
}

const root = join(import.meta.dirname, "../..")
const changeset = join(root, "node_modules/@changesets/cli/bin.js")

const readManifests = (directory: string): ReadonlyMap<string, Manifest> =>
  new Map(
    globSync("packages/*/package.json", { cwd: directory })
      .toSorted()
      .map((path) => [dirname(path), JSON.parse(readFileSync(join(directory, path), "utf8"))])
  )
const manifests = readManifests(root)
const names = [...manifests.values()].map(({ name }) => name)
const workspace: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

describe("every public package", () => {
  it.each([...manifests])("%s has what npm shows and checks", (directory, manifest) => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/\w+/),
      license: "MIT",
      engines: workspace.engines,
      publishConfig: { access: "public", provenance: true }
    })
    // Data of others come with their licence.
    const files = manifest.files?.filter((file) => !file.startsWith("LICENSE-"))
    expect(files).toEqual(["dist", "!**/*.tsbuildinfo"])
    expect(manifest.private).toBeUndefined()
    expect(existsSync(join(root, directory, "README.md"))).toBe(true)
  })

  it("is released with all others", () => {
    const { fixed }: { fixed: ReadonlyArray<ReadonlyArray<string>> } = JSON.parse(
      readFileSync(join(root, ".changeset/config.json"), "utf8")
    )
    expect(fixed).toEqual([["@signalbox/*"]])
    expect(names.filter((name) => !name.startsWith("@signalbox/"))).toEqual([])
  })

  it("is installed by the applications that try the packages", () => {
    const consumer: Manifest = JSON.parse(
      readFileSync(join(root, "scripts/consumer/package.json"), "utf8")
    )
    expect(Object.keys(consumer.dependencies ?? {})).toEqual(expect.arrayContaining(names))
  })
})

it.each(globSync(".changeset/*.md", { cwd: root }).toSorted())(
  "%s names packages that exist",
  (path) => {
    const [, matter = ""] = readFileSync(join(root, path), "utf8").split(/^---$/m)
    const releases: Readonly<Record<string, string>> = parse(matter) ?? {}
    expect(names).toEqual(expect.arrayContaining(Object.keys(releases)))
    for (const bump of Object.values(releases)) expect(bump).toMatch(/^(?:patch|minor|major)$/)
  }
)

/**
 * The folder of the clones. A repository of its own has the uncommitted changes, and is complete when this one is
 * shallow.
 */
let work = ""
const git = (directory: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: directory, encoding: "utf8", maxBuffer: 1e8 })

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "release-"))
  const origin = join(work, "origin")
  const listed = git(root, "ls-files", "-z")
  for (const path of listed.split("\0").filter((path) => path !== "")) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(origin, path)), { recursive: true })
    copyFileSync(join(root, path), join(origin, path))
  }
  // A tree that was just released has no changesets.
  writeFileSync(
    join(origin, ".changeset/of-the-test.md"),
    '---\n"@signalbox/core": patch\n---\n\nA change.\n'
  )
  git(origin, "init", "--quiet")
  git(origin, "add", "--all")
  const author = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
  git(origin, ...author, "commit", "--quiet", "--no-verify", "--message", "The tree")
})
afterAll(() => rmSync(work, { recursive: true }))

const makeClone = (): string => {
  const directory = mkdtempSync(join(work, "clone-"))
  git(work, "clone", "--quiet", "--shared", "origin", directory)
  return directory
}

describe("in a clone", () => {
  it("a release gives all packages one version, a changelog each, and uses up the change sets", () => {
    const directory = makeClone()
    execFileSync(process.execPath, [changeset, "version"], { cwd: directory })
    const released = readManifests(directory)
    const [version = "", ...others] = new Set([...released.values()].map((it) => it.version))
    expect(others).toEqual([])
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(version).not.toBe(manifests.get("packages/core")?.version)
    for (const [path, { dependencies = {} }] of released) {
      expect(readFileSync(join(directory, path, "CHANGELOG.md"), "utf8")).toContain(`## ${version}`)
      // pnpm writes it as `^` and the version into the tarball.
      const internal = Object.entries(dependencies).filter(([name]) => names.includes(name))
      expect(internal).toEqual(internal.map(([name]) => [name, "workspace:^"]))
    }
    expect(globSync(".changeset/*.md", { cwd: directory })).toEqual([])
  })

  it("a canary has the commit in its version, and takes its own packages only", async () => {
    const directory = makeClone()
    const commit = git(directory, "rev-parse", "HEAD")
    const version = await writeCanaryVersion(directory, changeset)
    expect(version).toBe(`0.0.0-canary-${commit.slice(0, 7)}`)
    for (const { dependencies = {}, ...manifest } of readManifests(directory).values()) {
      expect(manifest.version).toBe(version)
      const internal = Object.entries(dependencies).filter(([name]) => names.includes(name))
      expect(internal).toEqual(internal.map(([name]) => [name, "workspace:*"]))
    }
  })

  it("a canary without a change set is refused", async () => {
    const directory = makeClone()
    for (const path of globSync(".changeset/*.md", { cwd: directory })) {
      rmSync(join(directory, path))
    }
    await expect(writeCanaryVersion(directory, changeset)).rejects.toThrow(
      /there is no changeset, so nothing changed for users.*npx changeset/
    )
  })

  it("the manifests get the repository that builds them", () => {
    const directory = makeClone()
    expect(() => writeRepository(directory, {})).toThrow(/GITHUB_REPOSITORY.*release\.yml/)
    writeRepository(directory, {
      GITHUB_REPOSITORY: "somebody/fork",
      GITHUB_SERVER_URL: "https://git.example"
    })
    for (const [path, { repository, ...manifest }] of readManifests(directory)) {
      const url = "git+https://git.example/somebody/fork.git"
      expect(repository).toEqual({ type: "git", url, directory: path })
      expect(manifest).toEqual(manifests.get(path))
    }
  })
})

/** Interrupts it at the line that matches, if given. */
const runCanary = async (directory: string, interruptAt?: RegExp) => {
  const child = spawn(process.execPath, [join(root, "scripts/release/canary.ts"), "--dry-run"], {
    cwd: directory,
    // No proxy listens there, so a script that needs the network fails.
    env: {
      ...process.env,
      HTTP_PROXY: "http://127.0.0.1:9",
      HTTPS_PROXY: "http://127.0.0.1:9",
      npm_config_offline: "true"
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const closed = once(child, "close")
  const lines: Array<string> = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (interruptAt?.test(line) === true) child.kill("SIGTERM")
  }
  await closed
  const folder = /^cloning \w+ into (.*)$/m.exec(lines.join("\n"))?.[1]
  return { code: child.exitCode, folder, lines }
}

describe("npm run release:canary -- --dry-run", () => {
  const atOnce = /^cloning /
  const compiling = /All files have been updated/
  it.each(pickScope({ full: [atOnce, compiling], sample: [atOnce] }))(
    "leaves nothing behind when it is interrupted after %s",
    async (line) => {
      const directory = makeClone()
      const { code, folder } = await runCanary(directory, line)
      expect(code).toBe(143)
      expect(folder).toBeDefined()
      expect(existsSync(folder ?? root)).toBe(false)
      expect(git(directory, "status", "--porcelain")).toBe("")
    }
  )

  // It compiles and packs everything.
  it.each(pickScope({ full: ["all"], sample: [] }))(
    "packs %s packages without a network, and leaves the tree as it was",
    { timeout: 900_000 },
    async () => {
      const directory = makeClone()
      const { code, folder, lines } = await runCanary(directory)
      expect(code).toBe(0)
      expect(lines.at(-1)).toMatch(
        new RegExp(`^${names.length} packages would be published as 0\\.0\\.0-canary-\\w+, under`)
      )
      for (const name of names) {
        const file = name.replace("@", "").replace("/", "-")
        expect(lines).toContainEqual(
          expect.stringMatching(`^${file}-0\\.0\\.0-canary-\\w+\\.tgz  `)
        )
      }
      expect(existsSync(folder ?? root)).toBe(false)
      expect(git(directory, "status", "--porcelain")).toBe("")
    }
  )
})
