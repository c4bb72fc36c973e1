/** Renders docs/reference/failures.md: what the errors of each API mean, from the tables that classify them. */
import { toGeminiFailure } from "../packages/core/src/dialects/gemini/findGeminiFailure.ts"
import {
  geminiFailurePhrases,
  geminiFailureReasons,
  geminiFailureStatuses
} from "../packages/core/src/dialects/gemini/geminiFailures.ts"
import { toMessagesFailure } from "../packages/core/src/dialects/messages/findMessagesFailure.ts"
import {
  messagesFailureCodes,
  messagesFailurePhrases,
  messagesFailureTypes
} from "../packages/core/src/dialects/messages/messagesFailures.ts"
import {
  responsesFailureCodes,
  toResponsesFailure
} from "../packages/core/src/dialects/responses/responsesFailures.ts"
import { failureRules } from "../packages/core/src/routing/attempt/failureRules.ts"
import { chatFailureCodes } from "../packages/core/src/upstreams/failures/findFailureKind.ts"
import { toResponseFailure } from "../packages/core/src/upstreams/failures/toResponseFailure.ts"
import type { FailureKind } from "../packages/core/src/upstreams/failures/UpstreamFailure.ts"
import type { FailureReader } from "../packages/core/src/upstreams/transport/UpstreamRequest.ts"

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

const requestStatuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 451, 499]
const serverStatuses = [500, 502, 503, 504, 524, 529]

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

What a status means if the body says nothing more. A message about an exceeded context length makes
a \`bad_request\` a \`context_length\` in every API.

${renderTable(
  ["status", ...apis.map(({ name }) => name)],
  [...requestStatuses, ...serverStatuses].map((status) => [
    String(status),
    ...apis.map(({ toFailure }) => `\`${toFailure(status, {}, "", 0).kind}\``)
  ])
)}

${apis.map(renderApi).join("\n\n")}
`

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
