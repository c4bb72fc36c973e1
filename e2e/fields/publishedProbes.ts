/** What is tried of each operation by the published schemas, and which fields ask for nothing by themselves. */
import { readFileSync } from "node:fs"
import type { DialectServer } from "../dialects/DialectServer.ts"
import { askForField } from "./askForField.ts"
import { chatApis } from "./chatApis.ts"
import { type FieldProvider, listTreatments } from "./FieldRow.ts"
import { isTried, type SilenceOptions } from "./findSilentField.ts"
import { listOperationTreatments } from "./OperationRow.ts"
import { operations } from "./operations.ts"
import { type FieldCase, listFieldCases, type Schemas } from "./publishedFields.ts"
import type { OperationProvider, startOperations } from "./startOperations.ts"

type PathOf = (file: string) => string

const readSchemas = (pathOf: PathOf): Schemas => {
  const [wire, surface] = ["wire/openapi.json", "wire/surface-openapi.json"].map((file) =>
    JSON.parse(readFileSync(pathOf(file), "utf8"))
  )
  const { schema } = wire.paths["/embeddings"].post.requestBody.content["application/json"]
  return { ...wire.components.schemas, ...surface.components.schemas, EmbeddingsRequest: schema }
}

const listTried =
  (schema: string) =>
  (pathOf: PathOf): ReadonlyArray<FieldCase> =>
    listFieldCases(readSchemas(pathOf), schema).filter(isTried)

/** Fields that say what is so anyway, in the values that are tried; each with its reason. */
const empty: Readonly<Record<string, ReadonlyArray<string>>> = {
  chat: [
    // Text alone.
    "modalities",
    // Calls at the same time are the default.
    "parallel_tool_calls",
    // The other fields say what it is.
    "tool_choice.type",
    "tools[].type"
  ],
  messages: [
    // Citations of an earlier answer, or none: `enabled` asks for some.
    "messages[].content[].citations.unheard_of",
    "messages[].content[].citations[]",
    "messages[].content[].content[].citations",
    "messages[].content[].content[].type",
    "messages[].content[].source.media_type",
    // The name of a file, which Gemini's API does not have.
    "messages[].content[].title",
    "thinking.type",
    "tools[].type"
  ],
  responses: [
    // Which item of an earlier answer it is, and what that answer cited.
    "input[].content[].annotations",
    "input[].content[].logprobs",
    "input[].id",
    "input[].status",
    "input[].type",
    "input[].content[].type",
    "input[].summary[].type",
    // Of reasoning without a signature.
    "input[].format",
    "input[].signature",
    "parallel_tool_calls",
    // Without an effort there is no reasoning to sum up.
    "reasoning.summary",
    // Text; and other APIs always keep to a schema.
    "text.format"
  ]
}

const aTool = { name: "a", parameters: { type: "object", properties: {} } }
const tools = {
  chat: [{ type: "function", function: aTool }],
  messages: [{ name: "a", input_schema: { type: "object", properties: {} } }],
  responses: [{ type: "function", ...aTool }]
}

export const chatProbes = chatApis.map((api) => ({
  name: api.name,
  listCases: listTried(api.schema),
  toOptions: (server: DialectServer, provider: FieldProvider): SilenceOptions => ({
    base: api.base,
    tools: tools[api.name],
    done: [...listDone(api.rows, listTreatments), ...(empty[api.name] ?? [])],
    ask: (body) => askForField(server, api, provider, body)
  })
}))

export const operationProbes = operations.map(({ base, model, path, rows, schema, title }) => ({
  name: title,
  listCases: listTried(schema),
  toOptions: (
    { ask }: Awaited<ReturnType<typeof startOperations>>,
    provider: OperationProvider
  ): SilenceOptions => ({
    base,
    done: listDone(rows, listOperationTreatments),
    ask: (body) => ask(path, { model: `${model}/${provider}`, ...body })
  })
}))

const listDone = <Row extends { readonly field: string }>(
  rows: ReadonlyArray<Row>,
  list: (row: Row) => ReadonlyArray<string>
): ReadonlyArray<string> =>
  rows.flatMap((row) => (list(row).includes("done") ? [row.field.split(":")[0] ?? ""] : []))
