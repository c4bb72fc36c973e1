/** Writes one group of the contract as a file of the client: types of inputs and answers, and a function for each operation. */
import {
  findAnswer,
  findItem,
  type GroupOperation,
  toInputSchema,
  toRoute
} from "./GroupOperation.ts"
import { nameRepeated } from "./nameRepeated.ts"
import { pascal } from "./typeNames.ts"
import type { JsonSchema, TypeWriter } from "./TypeWriter.ts"

/** What the contract cannot say of an operation whose answer is also streamed, or typed by its input. */
export interface OpenOperation {
  /** Type parameters, such as `<Q>`. */
  readonly generic?: string
  readonly request: string
  readonly answer: string
  readonly hasExtra?: boolean
  /** The streamed form of the operation, with the event that ends it. */
  readonly stream?: { readonly name: string; readonly event: string; readonly last: string }
}

/** The event that ends the streams that have no whole form. */
const lastEvents: Readonly<Record<string, string>> = { "interns.chat": "[DONE]" }

export const renderGroup = (
  operations: ReadonlyArray<GroupOperation>,
  openOperations: Readonly<Record<string, OpenOperation>>,
  findType: (name: string) => string | undefined,
  writer: TypeWriter
): string => {
  const [first] = operations
  if (first === undefined) throw new Error("A group has operations")
  const file = `${first.group}.ts`
  const types: Array<string> = []
  const uses = new Set<string>(["CallOptions", "Connection"])
  const declare = (name: string, schema: JsonSchema, isNamed = true): string => {
    const text = writer.write(schema, file, isNamed)
    if (!text.includes("\n")) return text
    writer.reserve(name)
    const isInterface = schema.type === "object" && text.startsWith("{")
    types.push(isInterface ? `export interface ${name} ${text}` : `export type ${name} = ${text}`)
    return name
  }
  nameRepeated(operations, openOperations, file, writer, (name, schema) => {
    const text = writer.write(schema, file, false)
    types.push(`export interface ${name} ${text}`)
  })
  const methods = operations.flatMap((operation) => {
    const { document, group, name } = operation
    const open = openOperations[`${group}.${name}`]
    if (open !== undefined) {
      for (const text of [
        open.generic ?? "",
        open.request,
        open.answer,
        open.stream?.event ?? ""
      ]) {
        for (const word of text.match(/\w+/g) ?? []) {
          const from = findType(word)
          if (from !== undefined) writer.use({ name: word, file: from }, file)
        }
      }
      return renderOpen(operation, open, uses)
    }
    const prefix = pascal(group) + pascal(name)
    const { isOptional, schema } = toInputSchema(operation)
    const hasInput = schema !== undefined
    const input = schema === undefined ? "" : declare(`${prefix}Input`, schema, false)
    const parameter = hasInput ? `input${isOptional ? "?" : ""}: ${input}, ` : ""
    const argument = hasInput ? "input" : "undefined"
    const docstring = `/** ${document.description ?? document.summary ?? ""} */`
    const write = (method: string, answer: string, ...rest: ReadonlyArray<string>) =>
      [
        docstring,
        `${name}: (${parameter}options?: CallOptions): ${answer} =>`,
        `  connection.${method}(${[JSON.stringify(toRoute(operation)), ...rest, "options"].join(", ")}),`
      ].join("\n")
    const [media, content] = findAnswer(document)
    if (media.startsWith("text/event-stream")) {
      const event = declare(`${prefix}Event`, content)
      const last = lastEvents[`${group}.${name}`]
      // An operation with a last event has a body that asks for the stream.
      return last === undefined
        ? write("stream", `AsyncIterable<${event}>`, argument, "undefined")
        : write("stream", `AsyncIterable<${event}>`, "{ ...input, stream: true }", `"${last}"`)
    }
    if (media.startsWith("text/")) return write("text", "Promise<string>", argument)
    if (media === "") return write("call", "Promise<void>", argument)
    if (media !== "application/json") {
      uses.add("FileResponse")
      return write("file", "Promise<FileResponse>", argument)
    }
    const item = findItem(operation, content)
    if (item !== undefined) {
      uses.add("Paged")
      const itemType = declare(`${prefix}Item`, item)
      const page = declare(`${prefix}Page`, content)
      return write(`list<${itemType}, ${page}>`, `Paged<${page}, ${itemType}>`, argument)
    }
    return write("call", `Promise<${declare(`${prefix}Output`, content)}>`, argument)
  })
  const tag = first.document.tags[0] ?? first.group
  const imports = [
    `import type { ${[...uses].filter((name) => name === "CallOptions" || name === "Connection").join(", ")} } from "../Connection.ts"`,
    ...(uses.has("flattenExtra") ? [`import { flattenExtra } from "../flattenExtra.ts"`] : []),
    ...(uses.has("Paged") ? [`import type { Paged } from "../Paged.ts"`] : []),
    ...(uses.has("FileResponse") ? [`import type { FileResponse } from "../readAnswer.ts"`] : [])
  ]
  return `/** ${tag}: the operations of the group \`${first.group}\`. \`npm run docs\` writes this file from the contract. */
${imports.join("\n")}
${writer.writeImports(file)}
${types.join("\n\n")}

/** ${tag}. */
export const ${first.group} = (connection: Connection) => ({
${methods.join("\n").replace(/,$/, "")}
})
`
}

const renderOpen = (
  operation: GroupOperation,
  { answer, generic = "", hasExtra = false, request, stream }: OpenOperation,
  uses: Set<string>
): ReadonlyArray<string> => {
  const { document, name } = operation
  const route = JSON.stringify(toRoute(operation))
  if (hasExtra) uses.add("flattenExtra")
  const input = hasExtra ? "flattenExtra(request)" : "request"
  const methods = [
    `/** ${document.summary ?? ""} */\n${name}: ${generic}(request: ${request}, options?: CallOptions): Promise<${answer}> =>\n  connection.call(${route}, ${input}, options),`
  ]
  if (stream !== undefined) {
    methods.push(
      `/** The same, streamed. Breaking out of the loop ends the request. */\n${stream.name}: (request: ${request}, options?: CallOptions): AsyncIterable<${stream.event}> =>\n  connection.stream(${route}, { ...${input}, stream: true }, ${JSON.stringify(stream.last)}, options),`
    )
  }
  return methods
}
