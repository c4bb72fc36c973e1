/** Bundles the page of the console into `packages/console/src/static/files.js`, which the package imports. */
import { createHash } from "node:crypto"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

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

/** The files of the page; the name of each has a hash of its content. */
const bundleFiles = async (): Promise<ReadonlyArray<ConsoleFile>> => {
  const { outputFiles } = await build({
    entryPoints: [join(directory, "app/main.tsx")],
    absWorkingDir: directory,
    outdir: directory,
    bundle: true,
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
  return outputFiles.map(({ path, text }) => {
    const extension = path.slice(path.lastIndexOf("."))
    const content = extension === ".js" ? `${licences()}\n${text}` : text
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 12)
    return { name: `console-${hash}${extension}`, type: types[extension] ?? "", text: content }
  })
}

const licences = (): string =>
  bundledPackages
    .map((name) => {
      const licence = readFileSync(join(directory, "node_modules", name, "LICENSE"), "utf8")
      return `/*! ${name}\n${licence.trim()}\n*/`
    })
    .join("\n")

/** Addresses are relative, so the page works under every mount and behind every proxy. */
const renderPage = (files: ReadonlyArray<ConsoleFile>): string => {
  const links = files.map(({ name }) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="assets/${name}">`
      : `<script type="module" src="assets/${name}"></script>`
  )
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

/** Writes the module, and returns the page and its files. */
export const buildConsole = async (): Promise<ReadonlyArray<ConsoleFile>> => {
  const files = await bundleFiles()
  const page = renderPage(files)
  const byName = Object.fromEntries(
    files.map(({ name, text, type }) => [
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
  return [{ name: "index.html", type: "text/html", text: page }, ...files]
}

/** Bytes of the page with all its files, gzipped one by one as a server sends them. */
export const measureConsole = (files: ReadonlyArray<ConsoleFile>): number =>
  files.reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0)

if (process.argv[1] === import.meta.filename) {
  const size = measureConsole(await buildConsole())
  console.log(`the page of the console takes ${(size / 1000).toFixed(1)} kB gzipped`)
}
