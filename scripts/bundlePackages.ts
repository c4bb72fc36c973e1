/** Bundles each entry point of each package into `dist`, because one file loads faster than five hundred. */
import { globSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { build } from "esbuild"
import { type GuardedManifest, guardEntries } from "./guardEntries.ts"

const root = join(import.meta.dirname, "..")

interface Manifest extends GuardedManifest {
  readonly exports: Readonly<Record<string, string>>
}

/** Code that entry points of a package share becomes a chunk; dependencies stay imports. */
export const bundlePackages = async (): Promise<void> => {
  for (const directory of globSync("packages/*", { cwd: root }).map((it) => join(root, it))) {
    // Files of an earlier run would be published too.
    for (const file of globSync("dist/**/*.{js,js.map,d.ts.map}", { cwd: directory })) {
      rmSync(join(directory, file))
    }
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
    const sources = Object.values(manifest.exports).filter((path) => path.endsWith(".ts"))
    const { metafile } = await build({
      absWorkingDir: directory,
      metafile: true,
      entryPoints: sources.map((path) => join(directory, path)),
      outbase: join(directory, "src"),
      outdir: join(directory, "dist"),
      chunkNames: "chunks/[name]-[hash]",
      bundle: true,
      splitting: true,
      packages: "external",
      format: "esm",
      platform: "neutral",
      target: "es2024",
      sourcemap: true,
      logLevel: "warning"
    })
    const entries = Object.entries(metafile.outputs).flatMap(([file, { entryPoint, exports }]) =>
      entryPoint !== undefined && sources.includes(`./${entryPoint}`)
        ? [[relative("dist", file), exports] as const]
        : []
    )
    await guardEntries(directory, manifest, new Map(entries))
  }
}
