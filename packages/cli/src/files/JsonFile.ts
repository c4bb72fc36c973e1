/** A file of JSON that knows where its values stand. */
import { readFile } from "node:fs/promises"
import { text as readText } from "node:stream/consumers"
import { type DocumentNode, parse, type ValueNode } from "@humanwhocodes/momoa"
import * as Effect from "effect/Effect"
import { usageError } from "../usageError.ts"

/** Names of fields and indexes of lists. */
export type JsonPath = ReadonlyArray<string | number>

export interface JsonFile {
  readonly path: string
  readonly value: unknown
  /** The file with the line and the column, from 1, of what is at the path, or of what is nearest around it. */
  readonly locate: (at: JsonPath) => string
}

/** `-` is the standard input. Fails with the line and the column where the text is not JSON. */
export const readJsonFile = Effect.fnUntraced(function* (path: string) {
  const content = yield* Effect.tryPromise({
    try: () => (path === "-" ? readText(process.stdin) : readFile(path, "utf8")),
    catch: (error) =>
      usageError(
        `Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`,
        error
      )
  })
  return yield* Effect.try({
    try: () => parseJsonFile(path, content),
    catch: (error) =>
      usageError(error instanceof SyntaxError ? error.message : String(error), error)
  })
})

/** Throws a `SyntaxError` that begins with the place. */
export const parseJsonFile = (path: string, content: string): JsonFile => {
  const json = content.replace(/^\uFEFF/, "")
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new SyntaxError(`${path}${findMistake(json)}: this is no JSON. ${describe(error)}`)
  }
  let document: DocumentNode | undefined
  return {
    path,
    value,
    locate: (at) => {
      document ??= parse(json, { mode: "json" })
      const { column, line } = findNode(document.body, at).loc.start
      return `${path}:${line}:${column}`
    }
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/ in JSON at position .*$/, "") : String(error)

/** `:line:column` of what the parser stumbles over. */
const findMistake = (json: string): string => {
  try {
    parse(json, { mode: "json" })
  } catch (error) {
    if (error instanceof Error && error.constructor.name !== "UnexpectedEOF") {
      const { column, line } = Object(error)
      return `:${line}:${column}`
    }
  }
  const lines = json.split("\n")
  return `:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}

const findNode = (node: ValueNode, [first, ...rest]: JsonPath): ValueNode => {
  if (first === undefined) return node
  const child = findChild(node, first)
  return child === undefined ? node : findNode(child, rest)
}

const findChild = (node: ValueNode, name: string | number): ValueNode | undefined => {
  if (node.type === "Array") return node.elements[Number(name)]?.value
  if (node.type !== "Object") return undefined
  // If several fields have one name, the last one counts.
  return node.members.findLast(
    (member) => member.name.type === "String" && member.name.value === String(name)
  )?.value
}
