/** The command line in one file, and the packages that configurations import beside it. */
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { bundleProgram, programFolder, writeWhole } from "../../../vitest.programs.ts"

const packages = join(import.meta.dirname, "../..")
const folder = join(programFolder, "cli")

/** What configurations of tests import, by the package. */
const imported = { cli: "defineConfig", openrouter: "openrouter" }

export interface BundledCli {
  readonly program: string
  /** `node_modules` of a configuration, with the same modules as the program. */
  readonly modules: string
}

let bundled: Promise<BundledCli> | undefined

/** All is one bundle, because services of one copy of `effect` are unknown to another. */
export const bundleCli = (): Promise<BundledCli> => (bundled ??= makeBundle())

const makeBundle = async (): Promise<BundledCli> => {
  const all = join(folder, "all.ts")
  const sources = [
    ["runMain", "cli/src/runMain.ts"],
    ...Object.entries(imported).map(([name, value]) => [value, `${name}/src/index.ts`])
  ]
  const exports = sources.map(([name, file]) => `export { ${name} } from "${packages}/${file}"`)
  writeWhole(all, exports.join("\n"))
  const bundle = await bundleProgram(all)

  const program = join(folder, "dist/main.mjs")
  const call = `runMain(new URL("../package.json", import.meta.url))`
  writeWhole(program, `import { runMain } from ${toSpecifier(program, bundle)}\n${call}\n`)
  writeWhole(join(folder, "package.json"), readFileSync(join(packages, "cli/package.json")))

  const modules = join(folder, "node_modules")
  for (const [name, value] of Object.entries(imported)) {
    const index = join(modules, "@signalbox", name, "index.mjs")
    const manifest = { name: `@signalbox/${name}`, type: "module", exports: "./index.mjs" }
    writeWhole(join(index, "../package.json"), JSON.stringify(manifest))
    writeWhole(index, `export { ${value} } from ${toSpecifier(index, bundle)}\n`)
  }
  return { program, modules }
}

const toSpecifier = (from: string, to: string): string =>
  JSON.stringify(relative(dirname(from), to))
