/** Tells the parameters of a model from the fields of chats that its operation does not have. */
import { asksForSomething } from "../values/json/guards.ts"
import { selectFields } from "./parseRequest.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * What servers with OpenRouter's API do for chats alone: https://openrouter.ai/docs/api-reference/embeddings and its neighbours have
 * none of it. Other servers may ignore it in silence.
 */
const chatFields: ReadonlySet<string> = new Set([
  "debug",
  "plugins",
  "preset",
  "route",
  "stop_server_tools_when",
  "transforms"
])

interface SplitFields {
  /** As the caller wrote them; providers get them. */
  readonly parameters: Json
  /** Names that no provider gets; undefined: none. */
  readonly ignored: Array<string> | undefined
}

/** `isKnown`: the field has a meaning of its own. */
export const splitParameters = (fields: Json, isKnown: (name: string) => boolean): SplitFields => {
  let ignored: Array<string> | undefined
  const parameters = selectFields(fields, (name) => {
    if (isKnown(name)) return false
    if (!chatFields.has(name)) return true
    if (asksForSomething(fields[name])) (ignored ??= []).push(name)
    return false
  })
  return { parameters, ignored }
}
