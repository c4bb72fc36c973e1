/** Bundles the page of the console into `packages/console/src/static/files.js`, which the package imports. */
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { build, type Metafile } from "esbuild"

const directory = join(import.meta.dirname, "../packages/console")

/** What the page is bundled with, under licences that ask to be kept. */
const bundledPackages = ["preact", "uplot"]

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8"
}

export interface ConsoleFile {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** The files of the console, whose names have hashes of their contents, and which of them the parts of it load. */
export interface ConsoleBundle {
  readonly files: ReadonlyArray<ConsoleFile>
  /** The names of the files that every page needs. */
  readonly shell: ReadonlySet<string>
  /** The names of the files that each further page needs, by the name of its module. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string>>
}

const bundleFiles = async (): Promise<ConsoleBundle> => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(directory, "app/main.tsx")],
    absWorkingDir: directory,
    outdir: directory,
    entryNames: "console-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    write: false,
    logLevel: "warning"
  })
  const files = outputFiles.map(({ path, text }) => {
    const name = basename(path)
    const licences = readLicences(metafile.outputs[name])
    return { name, type: types[extname(name)] ?? "", text: licences + text }
  })
  return { files, ...findParts(metafile) }
}

/** The licences of the packages that a file has code of. */
const readLicences = (output: Metafile["outputs"][string] | undefined): string =>
  bundledPackages
    .filter((name) =>
      Object.keys(output?.inputs ?? {}).some(
        (input) => input.includes(`/node_modules/${name}/`) && input.endsWith("js")
      )
    )
    .map((name) => {
      const licence = readFileSync(join(directory, "node_modules", name, "LICENSE"), "utf8")
      return `/*! ${name}\n${licence.trim()}\n*/\n`
    })
    .join("")

const findParts = ({ outputs }: Metafile): Omit<ConsoleBundle, "files"> => {
  const collect = (name: string, found: Set<string>, skipped: ReadonlySet<string>): Set<string> => {
    const output = outputs[name]
    if (output === undefined || found.has(name) || skipped.has(name)) return found
    found.add(name)
    if (output.cssBundle !== undefined) found.add(output.cssBundle)
    for (const { kind, path } of output.imports) {
      if (kind === "import-statement") collect(path, found, skipped)
    }
    return found
  }
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
  const [main = ""] =
    entries.find(([, { entryPoint }]) => entryPoint?.endsWith("main.tsx") === true) ?? []
  const shell = collect(main, new Set(), new Set())
  return {
    shell,
    pages: new Map(
      entries
        .filter(([name]) => name !== main && name.endsWith(".js"))
        .map(([name, { entryPoint = "" }]) => [
          basename(entryPoint, ".tsx"),
          collect(name, new Set(), shell)
        ])
    )
  }
}

/** Addresses are relative, so the page works under every mount and behind every proxy. */
const renderPage = ({ files, shell }: ConsoleBundle): string => {
  const links = files.flatMap(({ name }) => {
    if (!shell.has(name)) return []
    if (name.endsWith(".css")) return [`<link rel="stylesheet" href="assets/${name}">`]
    return name.startsWith("console-")
      ? [`<script type="module" src="assets/${name}"></script>`]
      : [`<link rel="modulepreload" href="assets/${name}">`]
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Signalbox console</title>
<link rel="icon" href="data:,">
${links.join("\n")}
</head>
<body>
<div id="console"><noscript>The console needs JavaScript.</noscript></div>
</body>
</html>
`
}

/** Writes the module, and returns the files in it. */
export const buildConsole = async (): Promise<ConsoleBundle> => {
  const bundle = await bundleFiles()
  const page = renderPage(bundle)
  const byName = Object.fromEntries(
    bundle.files.map(({ name, text, type }) => [
      name,
      { type, text, gzip: gzipSync(text, { level: 9 }).toString("base64") }
    ])
  )
  const target = join(directory, "src/static/files.js")
  // Another process may be reading it.
  const unfinished = `${target}.${process.pid}`
  writeFileSync(
    unfinished,
    `export const page = ${JSON.stringify(page)}\nexport const files = ${JSON.stringify(byName)}\n`
  )
  renameSync(unfinished, target)
  return bundle
}

export interface ConsoleSizes {
  /** Bytes of the page that is opened first, without an address. */
  readonly firstView: number
  /** Bytes that each of the others adds to the shell. */
  readonly pages: ReadonlyMap<string, number>
}

/** Gzipped one by one, as a server sends them. */
export const measureConsole = ({ files, pages, shell }: ConsoleBundle): ConsoleSizes => {
  const measure = (names: ReadonlySet<string>): number =>
    files
      .filter(({ name }) => names.has(name))
      .reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0)
  const sizes = new Map(Array.from(pages, ([name, needed]) => [name, measure(needed)]))
  return { firstView: measure(shell) + (sizes.get(firstPage) ?? 0), pages: sizes }
}

const firstPage = "NowPage"

const format = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

if (process.argv[1] === import.meta.filename) {
  const { firstView, pages } = measureConsole(await buildConsole())
  console.log(`the first view of the console takes ${format(firstView)} gzipped`)
  for (const [name, bytes] of pages) console.log(`${name} adds ${format(bytes)}`)
}
