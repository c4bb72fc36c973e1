/** The folder that a terminal coding agent works in, and its tools: they read and change real files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { getProperty } from "../../support/getProperty.ts"

export const originalText = 'export const greeting = "helo"\n// Ünïcödé 🌊 stays.\n'
export const editedText = 'export const greeting = "hello"\n// Ünïcödé 🌊 stays.\n'

/** What the model asks the tools to do. */
export const edit = { path: "greeting.ts", old: '"helo"', new: '"hello"' }

export class AgentFolder implements Disposable {
  readonly #path = mkdtempSync(join(tmpdir(), "signalbox-agent-"))

  constructor() {
    this.#write(edit.path, originalText)
    this.#write("README.md", "# Greetings\n")
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true })
  }

  get text(): string {
    return this.read(edit.path)
  }

  /** Runs a tool; throws for a tool that it does not have. */
  run(tool: string, input: unknown): string {
    const path = String(getProperty(input, "path"))
    switch (tool) {
      case "list_files":
        return readdirSync(this.#path).toSorted().join("\n")
      case "read_file":
        return this.read(path)
      case "edit_file": {
        const [from, to] = [String(getProperty(input, "old")), String(getProperty(input, "new"))]
        const text = this.read(path)
        if (!text.includes(from)) return `Error: ${from} is not in ${path}`
        this.#write(path, text.replace(from, to))
        return `Edited ${path}.`
      }
      default:
        throw new Error(`unsupported call: ${tool}`)
    }
  }

  read(path: string): string {
    return readFileSync(join(this.#path, basename(path)), "utf8")
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.#path, basename(path)), text)
  }
}

const draft = "http://json-schema.org/draft-07/schema#"
const toSchema = (...names: ReadonlyArray<string>) => ({
  $schema: draft,
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
  additionalProperties: false
})

/** The tools with their JSON schemas. */
export const agentTools = [
  { name: "list_files", description: "Lists the files.", schema: toSchema() },
  { name: "read_file", description: "Reads a file.", schema: toSchema("path") },
  { name: "edit_file", description: "Replaces text.", schema: toSchema("path", "old", "new") }
]
