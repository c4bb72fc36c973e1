/** `signalbox init` as a child process. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "./runCli.ts"
import { TemporaryFolder } from "./temporaryFolder.ts"

const common = [
  ".env.example",
  ".gitignore",
  "package.json",
  "signalbox.config.mts",
  "signalbox.test.mts",
  "tsconfig.json"
]

describe("signalbox init", () => {
  test.each([
    ["standalone", "openai", common],
    ["express", "anthropic", [...common, "server.mts"]],
    ["standalone", "google", common]
  ])("writes a folder for %s with %s", async (host, provider, names) => {
    await using folder = await TemporaryFolder.make()
    const path = join(folder.path, "router")
    const { code, stderr, stdout } = await runCli([
      "init",
      path,
      "--host",
      host,
      "--provider",
      provider
    ])
    expect([code, stderr]).toEqual([0, ""])
    expect((await readdir(path)).toSorted()).toEqual(names.toSorted())
    expect(stdout).toContain("npm install")
    const manifest: { readonly dependencies: Record<string, string> } = JSON.parse(
      await readFile(join(path, "package.json"), "utf8")
    )
    expect(Object.keys(manifest.dependencies)).toContain(`@signalbox/${provider}`)
    expect(Object.hasOwn(manifest.dependencies, "@signalbox/express")).toBe(host === "express")
    const config = await readFile(join(path, "signalbox.config.mts"), "utf8")
    expect(config).toContain(`import { ${provider} } from "@signalbox/${provider}"`)
  })

  test("overwrites nothing, and says what a package.json that is there needs", async () => {
    await using folder = await TemporaryFolder.make()
    await folder.write("package.json", "{}")
    await folder.write("signalbox.config.mts", "export default 5\n")
    const { code, stdout } = await runCli(["init", folder.path])
    expect(code).toBe(0)
    expect(await readFile(join(folder.path, "package.json"), "utf8")).toBe("{}")
    expect(await readFile(join(folder.path, "signalbox.config.mts"), "utf8")).toBe(
      "export default 5\n"
    )
    expect(stdout).toContain("Kept as they are: package.json, signalbox.config.mts")
    expect(stdout).toContain("npm install @signalbox/cli @signalbox/node @signalbox/openai effect")
    expect(stdout).toContain("npm install --save-dev @types/node typescript")
    expect(stdout).toContain('npm pkg set scripts.start="signalbox serve"')
    const again = await runCli(["init", folder.path])
    expect(again.stdout).toContain("Everything is there already.")
  })

  test("says why a folder cannot be written", async () => {
    await using folder = await TemporaryFolder.make()
    const file = await folder.write("taken", "")
    const { code, stderr } = await runCli(["init", file])
    expect(code).toBe(1)
    expect(stderr).toContain(`${file} cannot be written`)
  })
})
