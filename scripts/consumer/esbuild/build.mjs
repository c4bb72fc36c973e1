/** Bundles the application for Node, a page for browsers, and every path that the packages export. */
import { globSync, readFileSync } from "node:fs"
import { build } from "esbuild"

const shared = { absWorkingDir: import.meta.dirname, bundle: true, logLevel: "warning" }
const forNode = { ...shared, format: "esm", platform: "node", target: "node22" }
await build({
  ...forNode,
  entryPoints: ["main.ts"],
  outdir: "out",
  outExtension: { ".js": ".mjs" },
  // What is loaded on demand stays in files of its own, as the documentation advises.
  splitting: true,
  // undici is CommonJS and calls `require`, which a module lacks.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)`
  }
})
await build({
  ...shared,
  entryPoints: ["page.ts"],
  format: "iife",
  footer: { js: "Object.assign(page, bundled)" },
  globalName: "bundled",
  platform: "browser",
  outfile: "out/page.js"
})
const paths = globSync("../node_modules/@signalbox/*/package.json", { cwd: import.meta.dirname })
  .map((path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")))
  .flatMap(({ exports, name }) => Object.keys(exports).map((path) => `${name}${path.slice(1)}`))
await build({
  ...forNode,
  stdin: {
    contents: paths
      .map((path, at) => `export * as path${at} from ${JSON.stringify(path)}`)
      .join("\n"),
    resolveDir: import.meta.dirname
  },
  // The contracts run inside its test runner.
  external: ["vitest"],
  write: false,
  outdir: "out"
})
