/** Sends a chat with a field by one of the APIs, and says what became of it. */
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { send } from "../support/send.ts"
import type { chatApis } from "./chatApis.ts"
import type { FieldProvider } from "./FieldRow.ts"

const answers = speak({ said: [{ text: ["Calm."] }] })

/** Providers of every dialect, which take every field. */
export const startForFields = () =>
  DialectServer.start({
    // Whether a model takes a field is another question.
    refuses: false,
    answer: (request, response, dialect) => sendNative(answers[dialect], request, response)
  })

export type ChatApi = (typeof chatApis)[number]

/** What the caller is told, and what the provider gets. */
export const askForField = async (
  { requests, root }: DialectServer,
  { base, path }: ChatApi,
  provider: FieldProvider,
  body: object,
  headers = {}
) => {
  const before = requests.length
  const { headers: answered, status } = await send(`${root}${path}`, {
    body: JSON.stringify({ ...base, model: `proof/${provider}`, ...body }),
    headers: {
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json",
      ...headers
    }
  })
  const sent = requests.slice(before).map(({ json }) => JSON.stringify(json))
  return { status, told: answered["x-signalbox-ignored"]?.split(", ") ?? [], sent }
}
