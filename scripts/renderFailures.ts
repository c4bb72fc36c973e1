/** Renders docs/reference/failures.md: what the errors of each API mean, from the tables that classify them. */
import {
  geminiFailurePhrases,
  geminiFailureReasons,
  geminiFailureStatuses,
  toGeminiFailure
} from "../packages/core/src/dialects/gemini/findGeminiFailure.ts"
import {
  messagesFailureCodes,
  messagesFailurePhrases,
  messagesFailureTypes,
  toMessagesFailure
} from "../packages/core/src/dialects/messages/findMessagesFailure.ts"
import {
  responsesFailureCodes,
  toResponsesFailure
} from "../packages/core/src/dialects/responses/responsesFailures.ts"
import { failureRules } from "../packages/core/src/routing/attempt/failureRules.ts"
import {
  chatFailureCodes,
  toResponseFailure
} from "../packages/core/src/engine/upstreams/failures/toResponseFailure.ts"
import type { FailureKind } from "../packages/core/src/engine/upstreams/failures/UpstreamFailure.ts"
import type { FailureReader } from "../packages/core/src/engine/upstreams/transport/UpstreamRequest.ts"

interface Api {
  readonly name: string
  readonly toFailure: FailureReader
  readonly note: string
  /** Where a word of the provider is, and what it means. A phrase is searched in messages. */
  readonly tables: ReadonlyArray<readonly [where: string, table: Table]>
}

type Table = Iterable<readonly [word: RegExp | string, kind: FailureKind]>

const apis: ReadonlyArray<Api> = [
  {
    name: "Chat completions",
    toFailure: toResponseFailure,
    note: "OpenAI's API, as OpenRouter and most other servers speak it. A code counts before a status below 500.",
    tables: [["`error.code`, `error.type` or `error.metadata.error_type`", chatFailureCodes]]
  },
  {
    name: "Responses",
    toFailure: toResponsesFailure,
    note: "A code counts before a status below 500, and in `response.failed` and `error` events.",
    tables: [["`error.code` or `error.type`", responsesFailureCodes]]
  },
  {
    name: "Messages",
    toFailure: toMessagesFailure,
    note: "Anthropic's API. The words count for requests at fault, for limits, and in `error` events.",
    tables: [
      ["`error.details.error_code`", messagesFailureCodes],
      ["`error.message`", messagesFailurePhrases],
      ["`error.type`", messagesFailureTypes]
    ]
  },
  {
    name: "Gemini",
    toFailure: toGeminiFailure,
    note: "Google's API. The words count for requests at fault, and in answers with an error.",
    tables: [
      ["`reason` of an `ErrorInfo`", geminiFailureReasons],
      ["`error.message`", geminiFailurePhrases],
      ["`error.status`", geminiFailureStatuses]
    ]
  }
]

/** What is at fault by each status, the same in every API. */
const statuses: ReadonlyArray<readonly [statuses: ReadonlyArray<number>, fault: string]> = [
  [[400, 413, 422], "the request"],
  [[401, 402], "our credential, or its money"],
  [[403, 451], "our account or region, or a model that is not enabled for it"],
  [[404], "a model or a deployment that is gone"],
  [[408], "the server, which gave up waiting for the request"],
  [[409, 499], "the server, where another request came in between, or which gave this one up"],
  [[429], "a limit of requests or tokens"],
  [[500, 502], "the server"],
  [[503, 529], "the load of the server"],
  [[504, 524], "the server behind a gateway, which gave up waiting for it"]
]

export const renderFailures = (): string => `# Failures

After this page you know what an error of a provider means, and whether the next endpoint is tried.

Each error becomes a kind, and the kind decides whether the next endpoint of its model is tried; the
other models of a request are tried in any case. After a \`context_length\`, only endpoints with a
larger known context are. Change a rule with the option [\`failureRules\`](settings.md).
[Routing](../explanation/routing.md#failures) describes the kinds, and [Errors](errors.md) the
answers of Signalbox itself.

\`npm run docs\` writes this page from the tables that classify the errors.

## Kinds

${renderTable(
  ["kind", "next endpoint", "counts for the health of the endpoint as"],
  Object.entries(failureRules).map(([kind, { fallback, health }]) => [
    `\`${kind}\``,
    fallback ? "tried" : "not tried",
    health === "ignored" ? "nothing" : `\`${health}\``
  ])
)}

## Statuses

What a status means in every API if the body says nothing more. A message about an exceeded context
length makes a \`bad_request\` a \`context_length\`.

${renderTable(
  ["status", "at fault", "kind", "next endpoint"],
  statuses.map(([same, fault]) => {
    const kind = classify(same)
    return [
      same.join(", "),
      fault,
      `\`${kind}\``,
      failureRules[kind].fallback ? "tried" : "not tried"
    ]
  })
)}

${apis.map(renderApi).join("\n\n")}
`

const classify = (statuses: ReadonlyArray<number>): FailureKind => {
  const kinds = apis.flatMap(({ toFailure }) =>
    statuses.map((status) => toFailure(status, {}, "", 0).kind)
  )
  const [kind, ...others] = new Set(kinds)
  if (kind === undefined || others.length > 0) {
    throw new Error(`${statuses.join(", ")} mean different things: ${kinds.join(", ")}`)
  }
  return kind
}

const renderApi = ({ name, note, tables }: Api): string =>
  [`## ${name}`, note, ...tables.map(([where, table]) => renderWords(where, table))].join("\n\n")

const renderWords = (where: string, table: Table): string => {
  const byKind = Map.groupBy(table, ([, kind]) => kind)
  return renderTable(
    [where, "kind", "next endpoint"],
    Array.from(byKind, ([kind, entries]) => [
      entries.map(([word]) => toCode(word)).join(", "),
      `\`${kind}\``,
      failureRules[kind].fallback ? "tried" : "not tried"
    ])
  )
}

const toCode = (word: RegExp | string): string => `\`${String(word).replaceAll("|", "\\|")}\``

const renderTable = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
