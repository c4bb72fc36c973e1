/** Every input of an operation has a type, except what the contract leaves open. */
import * as SchemaAST from "effect/SchemaAST"
import { assert, it } from "vitest"
import { Api } from "../../../src/api/Api.ts"
import { listOperations } from "../../../src/api/contract/Operation.ts"

const parameters = { "*": "parameters of a model that this contract does not name" }
const trace = { "trace.*": "attributes of the caller's own trace" }
const chat = {
  ...parameters,
  ...trace,
  "messages[].*": "fields of messages, which differ between models",
  "stream_options.*": "options that only the provider knows"
}
const messages = {
  ...parameters,
  ...trace,
  "messages[].*": "fields that Anthropic's API adds",
  "messages[].content[].*": "fields of blocks, each kind with its own",
  "system[].*": "fields of blocks",
  "tools[].*": "fields of tools, each kind with its own",
  "tool_choice.*": "fields that Anthropic's API adds",
  "thinking.*": "fields that Anthropic's API adds",
  "output_config.*": "fields that Anthropic's API adds",
  "metadata.*": "the caller's own"
}
const responses = {
  ...parameters,
  ...trace,
  "input[].*": "fields of items, each kind with its own",
  "tools[].*": "fields of tools, each kind with its own",
  "text.*": "fields that OpenAI's API adds",
  "reasoning.*": "fields that OpenAI's API adds"
}
const planned = { ...chat, ...messages, ...responses }

/** What is open in the body of an operation, by group, and why. */
const open: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  decisions: trace,
  chat,
  messages,
  responses,
  embeddings: {
    ...parameters,
    ...trace,
    "input[].content[].*": "fields of parts, each kind with its own"
  },
  images: {
    ...parameters,
    ...trace,
    "input_references[].image_url.*": "fields that parts of chats have beside the address"
  },
  presets: planned,
  rerank: { ...parameters, ...trace },
  speech: { ...parameters, ...trace },
  transcription: { ...parameters, ...trace },
  videos: trace,
  reports: Object.fromEntries(
    Object.entries(planned).map(([path, reason]) => [`request.${path}`, reason])
  )
}

/** The paths of what is unknown or any; `*` stands for any key. */
const listOpen = (
  ast: SchemaAST.AST,
  path = "",
  outer: ReadonlyArray<SchemaAST.AST> = []
): ReadonlyArray<string> => {
  if (outer.includes(ast)) return []
  const inside = (each: SchemaAST.AST, at = path) => listOpen(each, at, [...outer, ast])
  const name = (key: string) => (path === "" ? key : `${path}.${key}`)
  if (SchemaAST.isUnknown(ast) || SchemaAST.isAny(ast) || SchemaAST.isObjectKeyword(ast)) {
    return [path]
  }
  if (SchemaAST.isObjects(ast)) {
    return [
      ...ast.propertySignatures.flatMap((each) => inside(each.type, name(String(each.name)))),
      ...ast.indexSignatures.flatMap((each) => inside(each.type, name("*")))
    ]
  }
  if (SchemaAST.isArrays(ast)) {
    return [...ast.elements, ...ast.rest].flatMap((each) => inside(each, `${path}[]`))
  }
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((each) => inside(each))
  return SchemaAST.isSuspend(ast) ? inside(ast.thunk()) : []
}

it("no path parameter, query parameter or header is unknown", () => {
  const found = listOperations(...Object.values(Api.groups)).flatMap(({ endpoint, group, name }) =>
    [endpoint.params, endpoint.query, endpoint.headers].flatMap((schema) =>
      schema === undefined
        ? []
        : [schema.ast, SchemaAST.toEncoded(schema.ast)].flatMap((ast) =>
            listOpen(ast).map((path) => `${group}.${name} ${path}`)
          )
    )
  )
  assert.deepStrictEqual(found, [])
})

it("a body is unknown only where the contract leaves it open", () => {
  const found = new Map<string, Set<string>>()
  for (const { endpoint, group } of listOperations(...Object.values(Api.groups))) {
    const schemas = [...endpoint.payload.values()].flatMap((each) => each.schemas)
    for (const path of schemas.flatMap(({ ast }) => listOpen(ast))) {
      found.set(group, (found.get(group) ?? new Set()).add(path))
    }
  }
  assert.deepStrictEqual(
    Object.fromEntries(Array.from(found, ([group, paths]) => [group, [...paths].toSorted()])),
    Object.fromEntries(
      Object.entries(open).map(([group, paths]) => [group, Object.keys(paths).toSorted()])
    )
  )
})
