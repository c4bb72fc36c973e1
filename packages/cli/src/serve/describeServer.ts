/** What a server prints when it listens: where it is, its keys, and a request to paste. */
import type { Paint } from "../output/paint.ts"
import type { NewKeys } from "./chooseKeys.ts"

export interface ServerFacts {
  /** Without a slash at the end. */
  readonly url: string
  readonly storage: string
  /** Undefined without a console. */
  readonly console: { readonly url: string; readonly takesKey: boolean } | undefined
  /** A model that answers chats or Decisions; undefined if no model does. */
  readonly model: { readonly id: string; readonly chats: boolean } | undefined
  readonly created: NewKeys | undefined
  /** Whether other machines reach it. */
  readonly isPublic: boolean
}

export const describeServer = (facts: ServerFacts, paint: Paint): string => {
  const { console, created, isPublic, storage, url } = facts
  return [
    `Signalbox listens on ${paint("bold", url)}`,
    `Storage: ${storage}`,
    ...(console === undefined
      ? []
      : [
          `Console: ${console.url}${console.takesKey ? " (any user name; the password is a management key)" : ""}`
        ]),
    `Reference: ${url}/api/v1/docs`,
    ...(isPublic
      ? [paint("yellow", "Other machines reach it without TLS: put a proxy with TLS before it.")]
      : []),
    ...(created === undefined ? [] : ["", ...describeKeys(created, url, paint)]),
    "",
    ...describeRequest(facts),
    ...(created === undefined
      ? [
          "",
          `Without a key yet: npx signalbox keys create NAME --url ${url} --key-env SIGNALBOX_MANAGEMENT_KEY`
        ]
      : []),
    ""
  ].join("\n")
}

const describeKeys = (
  { management, organization }: NewKeys,
  url: string,
  paint: Paint
): ReadonlyArray<string> => [
  paint("bold", "Two new keys. Keep them now: they are not shown again."),
  "",
  `export SIGNALBOX_API_KEY=${organization}          # runs models`,
  `export SIGNALBOX_MANAGEMENT_KEY=${management}   # administers, and runs no models`,
  "",
  "One more key for each user or program:",
  "",
  `npx signalbox keys create NAME --url ${url} --key-env SIGNALBOX_MANAGEMENT_KEY`
]

const describeRequest = ({ model, url }: ServerFacts): ReadonlyArray<string> => {
  const begin = (path: string) => `curl ${url}${path} -H "Authorization: Bearer $SIGNALBOX_API_KEY"`
  if (model === undefined) return ["List the models:", "", begin("/api/v1/models")]
  const [path, body] = model.chats
    ? [
        "/api/v1/chat/completions",
        { model: model.id, messages: [{ role: "user", content: "Is it calm at sea?" }] }
      ]
    : [
        "/api/alpha/decisions",
        {
          model: model.id,
          state: "I was charged twice!",
          questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
        }
      ]
  return [
    "Ask a model:",
    "",
    `${begin(path)} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
  ]
}
