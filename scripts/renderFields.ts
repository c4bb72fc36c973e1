/** Renders docs/reference/request-fields.md: what happens to each field of a chat, from the table that the tests try. */
import { chatApis } from "../e2e/fields/chatApis.ts"
import { type FieldRow, listTreatments } from "../e2e/fields/FieldRow.ts"
import { listOperationTreatments } from "../e2e/fields/OperationRow.ts"
import { operations } from "../e2e/fields/operations.ts"

const toCell = (text: string): string => text.replaceAll("|", "\\|")

/** The path, and the value behind its colon. */
const toField = (field: string): string => {
  const [path = "", value] = field.split(": ")
  return value === undefined ? `\`${path}\`` : `\`${path}\`: ${value}`
}

const toRow = (row: FieldRow): string =>
  `| ${[toField(row.field), ...listTreatments(row), row.note ?? ""].map(toCell).join(" | ")} |`

const compareFields = (
  { field: one }: Pick<FieldRow, "field">,
  { field: other }: Pick<FieldRow, "field">
): number => (one < other ? -1 : one > other ? 1 : 0)

export const renderFields = (): string => `# What happens to each field

After this page you know what becomes of each field of a chat, a message and a response, at providers of
each API, and of the other operations. No field is ignored in silence:

- **passed**: the provider gets it, in the words of its API.
- **done**: the router does it, or it asks for what happens anyway; the last column says what.
- **told**: the header [\`X-Signalbox-Ignored\`](errors.md#what-was-ignored) names it, and so does the record.
- **refused**: a 400 that names it, unless another endpoint of the model can serve it.

Values that ask for nothing are not told: \`null\`, \`false\`, empty lists and objects, and what providers do
anyway, such as a \`temperature\` of 1. Models refuse some fields that the API of their provider has; such a
field is told, too. An endpoint that [lists its parameters](../guides/upstreams.md#supported-parameters) gets only
those. The guide [See what a provider ignores](../guides/ignored-fields.md) shows how to use this.

The columns are the APIs of providers: chat completions (most servers), Anthropic's Messages, Gemini, OpenAI's Responses, and
OpenRouter's, which knows plugins and more. OpenAI itself also takes the \`metadata\` of chats that it stores. \`npm run docs\` writes this page from \`e2e/fields\`, whose test sends each row to each of them.

${chatApis
  .map(({ path, rows, title }) =>
    [
      `## ${title}`,
      "",
      `\`POST ${path}\``,
      "",
      "| field | chat | Messages | Gemini | Responses | OpenRouter | what is done |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      ...[...rows].toSorted(compareFields).map(toRow),
      ""
    ].join("\n")
  )
  .join("\n")}
## Other operations

The columns are providers with OpenAI's API, and OpenRouter's. A Decision that a chat model answers is written anew, so that nothing but
its questions and its \`state\` are passed.

${operations
  .map(({ path, rows, title }) =>
    [
      `### ${title}`,
      "",
      `\`POST ${path}\``,
      "",
      "| field | OpenAI | OpenRouter | what is done |",
      "| --- | --- | --- | --- |",
      ...[...rows]
        .toSorted(compareFields)
        .map(
          (row) =>
            `| ${[toField(row.field), ...listOperationTreatments(row), row.note ?? ""].map(toCell).join(" | ")} |`
        ),
      ""
    ].join("\n")
  )
  .join("\n")}`
