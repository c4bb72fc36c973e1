/** Writes a guard for each entry point of a published package, which checks versions before it loads the entry point. */
import { join } from "node:path"
import { build } from "esbuild"

export interface GuardedManifest {
  readonly name: string
  readonly engines: { readonly node: string }
  /** Absent: the package needs no `effect`, and browsers load it, too. */
  readonly peerDependencies?: { readonly effect: string }
}

/** `entries` has the exported names of each path below `dist`. */
export const guardEntries = async (
  directory: string,
  manifest: GuardedManifest,
  entries: ReadonlyMap<string, ReadonlyArray<string>>
): Promise<void> => {
  if (manifest.peerDependencies === undefined) return
  const needs = {
    name: manifest.name,
    node: manifest.engines.node.replace(/^>=/, ""),
    effect: manifest.peerDependencies.effect.replace(/^\^/, "")
  }
  for (const [path, names] of entries) {
    const outfile = join(directory, "dist/guarded", path)
    const up = "../".repeat(path.split("/").length)
    await build({
      stdin: {
        contents: [
          `import { loadChecked } from "./loadChecked.ts"`,
          `const loaded = loadChecked(import.meta.url, ${JSON.stringify(up + path)}, ${JSON.stringify(needs)})`,
          ...names.map((name, place) => `const export${place} = loaded[${JSON.stringify(name)}]`),
          `export { ${names.map((name, place) => `export${place} as ${name}`).join(", ")} }`
        ].join("\n"),
        resolveDir: join(import.meta.dirname, "guard")
      },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "es2022",
      logLevel: "warning"
    })
  }
}
