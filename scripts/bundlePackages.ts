/** Bundles the entry points of each package into `dist`, because few files load faster than five hundred. */
import { globSync, readFileSync, rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { type GuardedManifest, guardEntries } from "./guardEntries.ts"

const root = join(import.meta.dirname, "..")

interface Manifest extends GuardedManifest {
  readonly exports: Readonly<Record<string, string>>
}

/** Dependencies stay imports. */
export const bundlePackages = async (): Promise<void> => {
  for (const directory of globSync("packages/*", { cwd: root }).map((it) => join(root, it))) {
    // Files of an earlier run would be published too.
    for (const file of globSync("dist/**/*.{js,js.map,d.ts.map}", { cwd: directory })) {
      rmSync(join(directory, file))
    }
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
    const sources = Object.values(manifest.exports).filter((path) => path.endsWith(".ts"))
    const bundle = await rolldown({
      cwd: directory,
      input: Object.fromEntries(
        sources.map((path) => [path.replace(/^\.\/src\/|\.ts$/g, ""), path])
      ),
      external: /^[^./]/,
      platform: "neutral",
      preserveEntrySignatures: "allow-extension"
    })
    const { output } = await bundle.write({
      dir: join(directory, "dist"),
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      sourcemap: true,
      comments: { jsdoc: false },
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: "chunks", name: makeChunkNamer(join(directory, "src")) }]
      }
    })
    await bundle.close()
    const entries = output.flatMap((file) =>
      file.type === "chunk" && file.isEntry ? [[file.fileName, file.exports] as const] : []
    )
    await guardEntries(directory, manifest, new Map(entries))
  }
}

interface ModuleGraph {
  readonly getModuleInfo: (
    id: string
  ) => { readonly isEntry: boolean; readonly importedIds: ReadonlyArray<string> } | null
}

/**
 * What is loaded at the start is one chunk, and what typed clients load, too, another: automatic chunks would be hundreds.
 * What is loaded on demand is a chunk for each folder of `sources`, two where typed clients load a part of it.
 */
const makeChunkNamer = (sources: string) => {
  const contract = join(sources, "contract.ts")
  let reached: { readonly fromContract: Ids; readonly fromOthers: Ids } | undefined
  return (id: string, graph: ModuleGraph): string | null => {
    if (!id.startsWith(sources)) return null
    reached ??= {
      fromContract: listStaticImports([contract], graph),
      fromOthers: listStaticImports(
        globSync("*.ts", { cwd: sources })
          .map((file) => join(sources, file))
          .filter((file) => file !== contract && graph.getModuleInfo(file)?.isEntry === true),
        graph
      )
    }
    const { fromContract, fromOthers } = reached
    const [folder = ""] = relative(sources, id).split(sep)
    if (fromOthers.has(id)) return fromContract.has(id) ? "common" : "start"
    return fromContract.has(id) ? `${folder}-contract` : folder
  }
}

type Ids = ReadonlySet<string>

/** The modules and all that they import, without dynamic imports. */
const listStaticImports = (modules: ReadonlyArray<string>, graph: ModuleGraph): Ids => {
  const reached = new Set<string>()
  const visit = (id: string): void => {
    if (reached.has(id)) return
    reached.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported)
  }
  for (const id of modules) visit(id)
  return reached
}
