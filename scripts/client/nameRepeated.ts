/** Names the objects of a group that it has more than once, because a name is shorter than its fields. */
import { findAnswer, type GroupOperation, toInputSchema } from "./GroupOperation.ts"
import { pascal, singular } from "./typeNames.ts"
import type { JsonSchema, TypeWriter } from "./TypeWriter.ts"

/** Names the objects of this group that occur more than once in it, or in an operation on one and in a list. */
export const nameRepeated = (
  operations: ReadonlyArray<GroupOperation>,
  openOperations: Readonly<Record<string, unknown>>,
  file: string,
  writer: TypeWriter,
  declare: (name: string, schema: JsonSchema) => void
): void => {
  const found = new Map<
    string,
    { schema: JsonSchema; path: ReadonlyArray<string>; count: number }
  >()
  const visit = (schema: JsonSchema, path: ReadonlyArray<string>): void => {
    if (writer.find(schema) !== undefined) return
    if (Object.keys(schema.properties ?? {}).length >= 4 && path.length > 1) {
      const key = JSON.stringify(schema)
      const before = found.get(key)
      found.set(key, { schema, path: before?.path ?? path, count: (before?.count ?? 0) + 1 })
      if (before !== undefined) return
    }
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      visit(field, [...path, name])
    if (typeof schema.items === "object") visit(schema.items, path)
    if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, path)
    for (const member of schema.anyOf ?? []) visit(member, path)
  }
  for (const operation of operations) {
    if (openOperations[`${operation.group}.${operation.name}`] !== undefined) continue
    const { schema: input } = toInputSchema(operation)
    if (input !== undefined) visit(input, [`${operation.name}Input`])
    const [media, content] = findAnswer(operation.document)
    visit(
      content,
      media.startsWith("text/event-stream") ? [operation.name, "event"] : [operation.name]
    )
  }
  const group = pascal(singular(operations[0]?.group ?? ""))
  const named = [...found.values()].filter(({ count, path }) => count > 1 || isItem(path))
  for (const { path, schema } of named) {
    const [operation = ""] = path
    const field = pascal(singular(path.at(-1) ?? ""))
    const [, verb, noun = ""] = /^(get|list|[a-z]+)(\w*)$/.exec(operation) ?? []
    const names = isItem(path)
      ? [group, verb === "get" ? noun + group : group + singular(noun), group + pascal(operation)]
      : [group + field, group + pascal(operation) + field]
    const name = names.find((each) => writer.isFree(each))
    if (name !== undefined && writer.find(schema) === undefined) writer.add(schema, { name, file })
  }
  for (const { schema } of named) {
    const type = writer.find(schema)
    if (type?.file === file) declare(type.name, schema)
  }
}

const isItem = (path: ReadonlyArray<string>): boolean => path.length === 2 && path[1] === "data"
