/** What is tried of each operation by the published schemas. */
import { readFileSync } from "node:fs"
import type { DialectServer } from "../dialects/DialectServer.ts"
import { askForField } from "./askForField.ts"
import { chatApis } from "./chatApis.ts"
import { type FieldProvider, fieldProviders, listTreatments } from "./FieldRow.ts"
import { isTried, type SilenceOptions } from "./findSilentField.ts"
import { isDoneBy } from "./isDoneBy.ts"
import { listOperationTreatments } from "./OperationRow.ts"
import { operations } from "./operations.ts"
import { type FieldCase, listFieldCases, type Schemas } from "./publishedFields.ts"
import {
  type OperationProvider,
  operationProviders,
  type startOperations
} from "./startOperations.ts"

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

const aTool = { name: "a", parameters: { type: "object", properties: {} } }
const chatTools = { tools: [{ type: "function", function: aTool }] }
const messagesTools = { tools: [{ name: "a", input_schema: { type: "object", properties: {} } }] }
const responsesTools = { tools: [{ type: "function", ...aTool }] }

const aThought = { content: [{ type: "reasoning_text", text: "a" }] }

/** What a field needs beside it to ask for anything. */
const beside = {
  chat: {
    tool_choice: chatTools,
    parallel_tool_calls: chatTools
  },
  messages: { tool_choice: messagesTools },
  responses: {
    tool_choice: responsesTools,
    parallel_tool_calls: responsesTools,
    "reasoning.summary": { reasoning: { effort: "low" } },
    "input[].format": { input: [aThought] },
    "input[].signature": { input: [aThought] }
  }
}

export const chatProbes = chatApis.map((api) => ({
  name: api.name,
  listCases: listTried(api.schema),
  toOptions: (server: DialectServer, provider: FieldProvider): SilenceOptions => {
    const done = listDone(api.rows, listTreatments, fieldProviders.indexOf(provider))
    return {
      base: api.base,
      beside: beside[api.name],
      isDone: (tried) => done.some((row) => isDoneBy(row, tried)),
      ask: (body) => askForField(server, api, provider, body)
    }
  }
}))

export const operationProbes = operations.map(({ base, model, path, rows, schema, title }) => ({
  name: title,
  listCases: listTried(schema),
  toOptions: (
    { ask }: Awaited<ReturnType<typeof startOperations>>,
    provider: OperationProvider
  ): SilenceOptions => {
    const done = listDone(rows, listOperationTreatments, operationProviders.indexOf(provider))
    return {
      base,
      beside: {},
      isDone: (tried) => done.some((row) => isDoneBy(row, tried)),
      ask: (body) => ask(path, { model: `${model}/${provider}`, ...body })
    }
  }
}))

const listDone = <Row>(
  rows: ReadonlyArray<Row>,
  list: (row: Row) => ReadonlyArray<string>,
  provider: number
): ReadonlyArray<Row> => rows.filter((row) => list(row)[provider] === "done")
