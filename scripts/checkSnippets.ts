/** Compiles every TypeScript block of the documentation against the declarations that `tsc -b` has written. */
import { spawnSync } from "node:child_process"
import { globSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { emptySnippetFolder, listSnippets } from "./listSnippets.ts"

const root = join(import.meta.dirname, "..")
const folder = emptySnippetFolder("compiled-snippets")
// Also checks pages without the blocks that do not run: the rest of a page has to make sense.
const files = listSnippets().flatMap(({ file, running, text }) => [
  [`${file}.ts`, text] as const,
  ...(running === "" ? [] : [[`${file}.run.ts`, running] as const])
])
for (const [name, code] of files) writeFileSync(join(folder, name), code)
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "tsconfig.base.json"),
    files: files.map(([name]) => name),
    references: globSync("packages/*", { cwd: root }).map((path) => ({ path: join(root, path) })),
    compilerOptions: {
      rootDir: ".",
      noEmit: true,
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      emitDeclarationOnly: false,
      noPropertyAccessFromIndexSignature: false,
      noUnusedLocals: false,
      types: ["node"]
    }
  })
)
const { status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], {
  stdio: "inherit"
})
process.exitCode = status ?? 1
