/** Renders docs/reference/provider-quirks.md: what each provider is known to send and to refuse, from the table of quirks. */
import {
  type QuirkProvider,
  quirkProviders
} from "../packages/testing/src/quirks/quirkProviders.ts"
import type { Quirk } from "../packages/testing/src/quirks/Quirk.ts"
import { quirks } from "../packages/testing/src/quirks/quirks.ts"

const toCell = (text: string): string => text.replaceAll("|", "\\|")

/** Where a source is, in few words. */
const toLink = (source: string): string => {
  const [, repository, number] =
    /^https:\/\/github\.com\/[^/]+\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(source) ?? []
  return `[${repository === undefined ? new URL(source).hostname : `${repository}#${number}`}](${source})`
}

const dialects: Readonly<Record<Quirk["dialect"], string>> = {
  chat: "chat",
  messages: "Messages",
  responses: "Responses",
  gemini: "Gemini"
}

const toRow = ({ dialect, handling, id, source, what }: Quirk): string =>
  `| ${[`\`${id}\``, dialects[dialect], what, handling, toLink(source)].map(toCell).join(" | ")} |`

const renderTable = (head: string, rows: ReadonlyArray<Quirk>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `| row | API | ${head} | what Signalbox does | source |`,
        "| --- | --- | --- | --- | --- |",
        ...rows.map(toRow),
        ""
      ]

const renderProvider = (provider: QuirkProvider): string => {
  const rows = quirks.filter(({ providers }) => providers[0] === provider)
  const shared = quirks.filter(({ providers }) => providers.slice(1).includes(provider))
  return [
    `## ${quirkProviders[provider].name}`,
    "",
    ...renderTable(
      "sends",
      rows.filter(({ kind }) => kind === "sends")
    ),
    ...renderTable(
      "refuses",
      rows.filter(({ kind }) => kind === "refuses")
    ),
    ...(shared.length === 0
      ? []
      : [
          `${rows.length === 0 ? "Known for" : "Also known for"} ${shared.map(({ id }) => `\`${id}\``).join(", ")}.`,
          ""
        ])
  ].join("\n")
}

const providers = (Object.keys(quirkProviders) as ReadonlyArray<QuirkProvider>)
  .filter((provider) => quirks.some((quirk) => quirk.providers.includes(provider)))
  .toSorted((one, other) =>
    quirkProviders[one].name.localeCompare(quirkProviders[other].name, "en")
  )

export const renderQuirks = (): string => `# Provider quirks

After this page you know what each provider is known to send and to refuse beside its documented
API, and what Signalbox does about it.

Readers accept everything that a server of an API is known to send, and every caller gets the same answer,
by any API, whole or streamed. Writers replace content that a provider is known to refuse, where another
form has the same meaning; content that is left out is in the record of the request. Where it is sent unchanged,
the kind of the [failure](failures.md) decides whether the next endpoint is tried. Where a row names a list of
\`parameterLists\`, the endpoint must [list its parameters](../guides/upstreams.md#supported-parameters).

Each row is a test: a scripted server of the provider sends or refuses what the row says, and callers
of all three APIs ask it. Your own tests can use [the same table](../guides/extending.md#quirks-of-providers).
Rows are what public reports say; a provider may have changed since.

\`npm run docs\` writes this page from \`packages/testing/src/quirks\`.

${providers.map(renderProvider).join("\n")}`
