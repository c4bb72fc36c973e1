/** Every TypeScript block of the documentation, and where it is compiled and run. */
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { extractSnippets, type Snippet } from "./extractSnippets.ts"

const root = join(import.meta.dirname, "..")

export interface DocumentSnippet extends Snippet {
  readonly document: string
  /** A name that it can have in a folder. */
  readonly file: string
}

export const listSnippets = (): ReadonlyArray<DocumentSnippet> =>
  globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root })
    .toSorted()
    .flatMap((document) =>
      extractSnippets(readFileSync(join(root, document), "utf8")).map((snippet) => ({
        document,
        file: `${document.replaceAll("/", "-")}-${snippet.line}`,
        ...snippet
      }))
    )

/** An empty folder where the imports of snippets resolve as in an application. */
export const emptySnippetFolder = (name: string): string => {
  const folder = join(root, "node_modules/.cache", name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}
