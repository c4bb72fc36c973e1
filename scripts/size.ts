/** Bundles a few imports as an application would, and fails if one exceeds its budget. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { buildConsole, measureConsole } from "./buildConsole.ts"
import { bundlePackages } from "./bundlePackages.ts"

const root = join(import.meta.dirname, "..")

/** In kB, minified and gzipped, with effect and every other dependency; about 15 % above the measured size. */
const budgets: ReadonlyArray<{
  readonly name: string
  readonly budget: number
  readonly code: string
}> = [
  { name: "contract only", budget: 80, code: `export * from "@signalbox/core/contract"` },
  {
    name: "client",
    budget: 12,
    code: `export { chat, connect, decisions } from "@signalbox/client"`
  },
  { name: "node", budget: 300, code: `export { Signalbox } from "@signalbox/node"` },
  { name: "web", budget: 300, code: `export { Signalbox, signalbox } from "@signalbox/web"` },
  { name: "express", budget: 325, code: `export { signalbox } from "@signalbox/express"` }
]

/** The file behind each specifier of a published package. */
const findPublishedEntries = (directory: string): ReadonlyArray<readonly [string, string]> => {
  const manifest: {
    readonly name: string
    readonly publishConfig: {
      readonly exports: Readonly<
        Record<string, string | { readonly module?: string; readonly default: string }>
      >
    }
  } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
  return Object.entries(manifest.publishConfig.exports).map(
    ([key, target]) =>
      [
        manifest.name + key.slice(1),
        join(directory, typeof target === "string" ? target : (target.module ?? target.default))
      ] as const
  )
}
const listSpecifiers = new Map(
  ["client", "core", "node", "web", "express"].flatMap((name) =>
    findPublishedEntries(join(root, "packages", name))
  )
)

await bundlePackages()

/** The files that an application loads at the start: the entry and its static imports, without lazy chunks. */
const listLoadedAtStart = (
  outputs: Readonly<
    Record<string, { entryPoint?: string; imports: ReadonlyArray<{ kind: string; path: string }> }>
  >
): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    const output = outputs[file]
    if (output === undefined || reached.has(file)) return
    reached.add(file)
    for (const { kind, path } of output.imports) if (kind === "import-statement") visit(path)
  }
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === "<stdin>") visit(file)
  }
  return reached
}

const report = (name: string, size: number, budget: number): void => {
  const verdict = size > budget ? "FAIL" : "ok  "
  console.log(`${verdict} ${name.padEnd(14)} ${size.toFixed(1)} kB of ${budget} kB`)
  if (size > budget || size === 0) process.exitCode = 1
}

for (const { name, budget, code } of budgets) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: join(root, "packages/express") },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2024",
    write: false,
    metafile: true,
    outdir: "out",
    logLevel: "error",
    plugins: [
      {
        name: "published-exports",
        setup: (plugin) => {
          plugin.onResolve({ filter: /^@signalbox\// }, ({ path }) => {
            const target = listSpecifiers.get(path)
            return target === undefined ? null : { path: target, sideEffects: false }
          })
        }
      }
    ]
  })
  const loaded = listLoadedAtStart(metafile.outputs)
  const text = outputFiles
    .filter(({ path }) => loaded.has(path.slice(root.length + 1)))
    .map((file) => file.text)
  const size = gzipSync(text.join("\n"), { level: 9 }).length / 1000
  report(name, text.length === 0 ? 0 : size, budget)
}

/** What a browser loads to show the console, and then for each page that is opened. */
const { firstView, pages } = measureConsole(await buildConsole())
report("console", firstView / 1000, 80)
for (const [name, bytes] of pages) report(`  ${name}`, bytes / 1000, 60)
