/** Writes packages/client/src/generated from the contract: the types, and a function for each operation. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { format } from "oxfmt"
import { Api } from "../packages/core/src/api/Api.ts"
import { listOperations } from "../packages/core/src/api/contract/Operation.ts"
import { makeOpenApiDocument } from "../packages/core/src/api/reference/makeOpenApiDocument.ts"
import { copyDeclarations } from "./client/copyDeclarations.ts"
import type { DocumentOperation, GroupOperation } from "./client/GroupOperation.ts"
import { type OpenOperation, renderGroup } from "./client/renderGroup.ts"
import { TypeWriter } from "./client/TypeWriter.ts"

export const clientFolder = "packages/client/src/generated"
const target = join(import.meta.dirname, "..", clientFolder)

/** The types that the core declares more precisely than the contract, whose answers may have any field of a provider. */
const roots = {
  "routing/Preferences.ts": ["Preferences"],
  "values/Trace.ts": ["Trace"],
  "questions/Question.ts": ["Noul", "Choice", "Score", "Question", "Questions"],
  "questions/Answer.ts": ["NoulAnswer", "ChoiceAnswer", "ScoreAnswer", "Answer", "Answers"],
  "domains/decisions/Decision.ts": [
    "DecisionRequest",
    "Decision",
    "DecideRequest",
    "DecideResult",
    "AnswerTo"
  ],
  "domains/chat/request/ChatRequest.ts": ["ChatRequest"],
  "domains/chat/ChatCompletion.ts": ["ChatCompletion"],
  "domains/chat/stream/ChatChunk.ts": ["ChatChunk"],
  "domains/images/ImageRequest.ts": ["ImageRequest"],
  "domains/images/ImageList.ts": ["ImageEvent", "ImageList"],
  "domains/messages/MessagesRequest.ts": ["MessagesRequest"],
  "domains/messages/Message.ts": ["Message", "MessageEvent"],
  "domains/responses/ResponsesRequest.ts": ["ResponsesRequest"],
  "domains/responses/ResponseObject.ts": ["ResponseObject"],
  "domains/responses/ResponsesEvent.ts": ["ResponsesEvent"]
}

const decision: OpenOperation = {
  generic: "<const Q extends Readonly<Record<string, Question>>>",
  request: "DecideRequest<Q>",
  answer: "DecideResult<Q> & WithRoutingMetadata"
}

const openOperations: Readonly<Record<string, OpenOperation>> = {
  "decisions.create": decision,
  "decisions.createUnderBase": decision,
  "decisions.systemone": decision,
  "chat.complete": {
    request: "ChatRequest",
    answer: "ChatCompletion & WithRoutingMetadata",
    hasExtra: true,
    stream: { name: "stream", event: "ChatChunk & WithRoutingMetadata", last: "[DONE]" }
  },
  "images.create": {
    request: "ImageRequest",
    answer: "ImageList & WithRoutingMetadata",
    hasExtra: true,
    stream: { name: "stream", event: "ImageEvent", last: "[DONE]" }
  },
  "images.generate": {
    request: "ImageRequest",
    answer: "ImageList & WithRoutingMetadata",
    hasExtra: true
  },
  "images.edit": {
    request: `Omit<ImageRequest, "input_references"> & { readonly image: string | ReadonlyArray<string> }`,
    answer: "ImageList & WithRoutingMetadata",
    hasExtra: true
  },
  "messages.create": {
    request: "MessagesRequest",
    answer: "Message & WithRoutingMetadata",
    hasExtra: true,
    stream: { name: "stream", event: "MessageEvent", last: "message_stop" }
  },
  "messages.countTokens": {
    request: "MessagesRequest",
    answer: "{ readonly input_tokens: number }",
    hasExtra: true
  },
  "responses.create": {
    request: "ResponsesRequest",
    answer: "ResponseObject & WithRoutingMetadata",
    hasExtra: true,
    stream: { name: "stream", event: "ResponsesEvent", last: "[DONE]" }
  }
}

/** The files by name, formatted. */
export const renderClient = async (): Promise<ReadonlyMap<string, string>> => {
  const writer = new TypeWriter()
  writer.reserve("WithRoutingMetadata")
  const files = new Map<string, string>()
  const typeFiles = new Map([["WithRoutingMetadata", "types/WithRoutingMetadata.ts"]])
  const exports: Array<string> = []
  for (const [file, { exported, text }] of await copyDeclarations(roots, "types", writer)) {
    files.set(file, text)
    exports.push(`export type { ${exported.toSorted().join(", ")} } from "./${file}"`)
    for (const name of exported) typeFiles.set(name, file)
  }
  files.set("types/WithRoutingMetadata.ts", withRoutingMetadata)
  exports.push(`export type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"`)

  const groups = Map.groupBy(listDocumented(), ({ group }) => group)
  for (const [group, operations] of groups) {
    const text = renderGroup(operations, openOperations, (name) => typeFiles.get(name), writer)
    files.set(`${group}.ts`, text)
    const names = Array.from(
      text.matchAll(/^export (?:interface|type) (\w+)/gm),
      ([, name]) => name
    )
    exports.push(
      `export { ${[group, ...names.map((name) => `type ${name}`)].join(", ")} } from "./${group}.ts"`
    )
  }
  files.set(
    "index.ts",
    `/** What the package exports of the contract. \`npm run docs\` writes this file. */\n${exports.join("\n")}\n`
  )
  files.set("groups.ts", renderGroups([...groups.keys()]))
  files.set("ErrorStatus.ts", renderStatuses())
  return formatAll(files)
}

const withRoutingMetadata = `/** Routing metadata beside an answer. */

/** How the request was routed, for calls with the header \`x-signalbox-metadata: enabled\`. */
export interface WithRoutingMetadata {
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}
`

const renderGroups = (
  groups: ReadonlyArray<string>
): string => `/** All groups of the contract over one connection. \`npm run docs\` writes this file. */
import type { Connection } from "../Connection.ts"
${groups.map((group) => `import { ${group} } from "./${group}.ts"`).join("\n")}

export const makeGroups = (connection: Connection) => ({
${groups.map((group) => `${group}: ${group}(connection)`).join(",\n")}
})
`

const listStatuses = (): ReadonlyArray<number> =>
  Array.from(
    new Set(listDocumented().flatMap(({ document }) => Object.keys(document.responses).map(Number)))
  )
    .filter((status) => status >= 400)
    .toSorted((one, other) => one - other)

const renderStatuses =
  (): string => `/** The statuses of errors that operations declare. \`npm run docs\` writes this file from the contract. */

/** A status of an error. */
export type ErrorStatus = ${listStatuses().join(" | ")}
`

const listDocumented = (): ReadonlyArray<GroupOperation> => {
  // The document is JSON; what is read of it is declared.
  const paths = makeOpenApiDocument("").paths as unknown as Readonly<
    Record<string, Readonly<Record<string, DocumentOperation>>>
  >
  return listOperations(...Object.values(Api.groups)).map(({ group, method, name, path }) => {
    const document = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
    if (document === undefined) throw new Error(`The document has no ${method} ${path}`)
    return { group, name, method, path, document }
  })
}

const formatAll = async (
  files: ReadonlyMap<string, string>
): Promise<ReadonlyMap<string, string>> => {
  const formatted = new Map<string, string>()
  for (const [file, text] of files) {
    const { code, errors } = await format(file, text, {
      printWidth: 100,
      semi: false,
      trailingComma: "none"
    })
    if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}\n${text}`)
    formatted.set(file, code)
  }
  return formatted
}

if (import.meta.main) {
  const files = await renderClient()
  rmSync(target, { recursive: true, force: true })
  for (const [file, text] of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    writeFileSync(join(target, file), text)
  }
}
