/** Bundles the entry points of each package into `dist`, because few files load faster than five hundred. */
import { globSync, readFileSync, rmSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { rolldown } from "rolldown"
import { buildConsole } from "./buildConsole.ts"
import { annotatePureCalls } from "./annotatePureCalls.ts"
import { listDeclarations } from "./listDeclarations.ts"
import { type GuardedManifest, guardEntries } from "./guardEntries.ts"

const root = join(import.meta.dirname, "..")

interface Manifest extends GuardedManifest {
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
}

export const bundlePackages = async (): Promise<void> => {
  await buildConsole()
  for (const directory of globSync("packages/*", { cwd: root }).map((it) => join(root, it))) {
    // Files of an earlier run would be published too.
    for (const file of globSync("dist/**/*.{js,js.map,d.ts.map}", { cwd: directory })) {
      rmSync(join(directory, file))
    }
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
    const programs = Object.values(manifest.bin ?? {})
    const sources = [...Object.values(manifest.exports), ...programs].filter((path) =>
      path.endsWith(".ts")
    )
    const programFiles = new Set(programs.map((path) => join(directory, path)))
    const bundle = await rolldown({
      cwd: directory,
      input: Object.fromEntries(
        sources.map((path) => [path.replace(/^\.\/src\/|\.ts$/g, ""), path])
      ),
      // Dependencies stay imports. What the target lacks, such as `using`, is no dependency, but a part of the bundle.
      external: /^(?!.?@oxc-project)[^./]/,
      platform: "neutral",
      // The oldest Node in range.
      transform: { target: "es2024" },
      preserveEntrySignatures: "allow-extension",
      plugins: [
        {
          name: "pure-calls",
          transform: {
            filter: { id: /\.tsx?$/ },
            handler: (code) => ({ code: annotatePureCalls(code), map: null })
          }
        }
      ]
    })
    const { output } = await bundle.write({
      dir: join(directory, "dist"),
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      sourcemap: true,
      // The sources, which are in the repository, would be a third of what is installed. Chunks keep their names and lines.
      sourcemapExcludeSources: true,
      comments: { jsdoc: false },
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { debugName: "chunks", name: makeChunkNamer(join(directory, "src"), programFiles) }
        ]
      }
    })
    await bundle.close()
    removeHiddenDeclarations(directory)
    const entries = output.flatMap((file) =>
      file.type === "chunk" &&
      file.isEntry &&
      !programs.some((path) => path === `./src/${file.name}.ts`)
        ? [[file.fileName, file.exports] as const]
        : []
    )
    await guardEntries(directory, manifest, new Map(entries))
  }
}

/** Declarations that no export leads to. Without its notes, the compiler writes all of them again when it is asked next. */
const removeHiddenDeclarations = (directory: string): void => {
  const reachable = listDeclarations(directory)
  const hidden = globSync("dist/**/*.d.ts", { cwd: directory })
    .map((file) => join(directory, file))
    .filter((file) => !reachable.has(file))
  const notes = globSync("dist/**/*.tsbuildinfo", { cwd: directory })
  for (const file of [...hidden, ...notes.map((each) => join(directory, each))]) rmSync(file)
}

/** Entries that load by themselves: for typed clients in browsers, and for contract suites, which need a test runner. */
const aloneEntries = ["contract.ts", "contracts.ts"]

/** Entries that load the start, and more that the start does not load. */
const furtherEntries = ["ai.ts", "catalog.ts", "dialects.ts", "render.ts", "simulator.ts"]

/**
 * Packages with upstreams also load the first, instances without a database the second, and packages with stores the third:
 * each is one chunk.
 */
const chunkEntries = ["upstream.ts", "memory/layerMemoryStores.ts", "stores.ts"]

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => {
    readonly isEntry: boolean
    readonly importedIds: ReadonlyArray<string>
    readonly dynamicallyImportedIds: ReadonlyArray<string>
  } | null
}

/**
 * What is loaded at the start is one chunk, and what `aloneEntries` load of it another: automatic chunks would be hundreds,
 * and even those of one or two kilobytes take a millisecond each. What is loaded on demand is a chunk for each folder of
 * `sources`, and another where `aloneEntries` or `furtherEntries` load a part.
 * What a program itself does stays in its own file, because other entries must not run it.
 * Folders that import each other share a chunk, because chunks in a circle would run before what they need.
 */
const makeChunkNamer = (sources: string, programs: ReadonlySet<string>) => {
  let names: ReadonlyMap<string, string> | undefined
  return (id: string, graph: ModuleGraph): string | null => {
    names ??= nameChunks(sources, graph)
    return programs.has(id) ? null : (names.get(id) ?? null)
  }
}

/** The names of the chunks, by the ids of their modules. */
const nameChunks = (sources: string, graph: ModuleGraph): ReadonlyMap<string, string> => {
  const entries = globSync("*.ts", { cwd: sources })
    .map((file) => join(sources, file))
    .filter((file) => graph.getModuleInfo(file)?.isEntry === true)
  const listImports = (id: string) => graph.getModuleInfo(id)?.importedIds ?? []
  const listAllImports = (id: string) => [
    ...listImports(id),
    ...(graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
  ]
  const toSharers = (files: ReadonlyArray<string>) =>
    files.map((file) => ({
      name: basename(file, ".ts"),
      modules: reach([join(sources, file)], listImports)
    }))
  const alone = toSharers(aloneEntries)
  const all = [...alone, ...toSharers(furtherEntries)]
  const stores = toSharers(chunkEntries)
  const start = reach(
    entries.filter(
      (file) => ![...all, ...stores].some(({ name }) => name === basename(file, ".ts"))
    ),
    listImports
  )
  const toName = (id: string): string => {
    const [folder = ""] = relative(sources, id).replace(/\.ts$/, "").split(sep)
    const shared = start.has(id) ? "start" : stores.find(({ modules }) => modules.has(id))?.name
    const sharing = (shared === undefined ? all : alone).filter(({ modules }) => modules.has(id))
    return [shared ?? folder, ...sharing.map(({ name }) => name)].join("-")
  }
  const modules = [...reach(entries, listAllImports)].filter((id) => id.startsWith(sources))
  const imports = new Map<string, Set<string>>()
  for (const id of modules) {
    const name = toName(id)
    const imported = imports.get(name) ?? new Set()
    imports.set(name, imported)
    for (const each of listImports(id)) if (each.startsWith(sources)) imported.add(toName(each))
  }
  const reached = new Map(
    Array.from(imports.keys(), (name) => [name, reach([name], (each) => imports.get(each) ?? [])])
  )
  /** The first of the names in a circle. */
  const toSharedName = (name: string): string =>
    [...(reached.get(name) ?? [])]
      .filter((other) => reached.get(other)?.has(name) === true)
      .toSorted()[0] ?? name
  return new Map(modules.map((id) => [id, toSharedName(toName(id))]))
}

/** The nodes of a graph that `nodes` lead to, themselves included. */
const reach = (
  nodes: ReadonlyArray<string>,
  listNext: (node: string) => Iterable<string>
): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (node: string): void => {
    if (reached.has(node)) return
    reached.add(node)
    for (const next of listNext(node)) visit(next)
  }
  for (const node of nodes) visit(node)
  return reached
}
