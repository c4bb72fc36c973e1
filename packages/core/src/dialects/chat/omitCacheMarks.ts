/** Leaves marks for caches out of a request: servers that cache on their own refuse what they do not know. */
import { isObject } from "../../values/json/guards.ts"
import type { ChatBody, ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"

/** Without the marks of messages, of their parts and of tools, and without the mark of the whole request. */
export const omitCacheMarks = (body: ChatBody): ChatBody => {
  const unmarked = omitMark(omitEach(body, "tools"))
  return { ...unmarked, messages: body.messages.map(omitMessageMarks) }
}

const omitMessageMarks = (message: ChatBodyMessage): ChatBodyMessage =>
  omitMark(omitEach(message, "content"))

const omitEach = <A extends object>(json: A, name: string & keyof A): A => {
  const list: unknown = json[name]
  return Array.isArray(list)
    ? { ...json, [name]: list.map((each) => (isObject(each) ? omitMark(each) : each)) }
    : json
}

const omitMark = <A extends object>(json: A): A => {
  if (!Object.hasOwn(json, "cache_control")) return json
  const { cache_control: _, ...rest }: A & { readonly cache_control?: unknown } = json
  // The mark is of no type that is asked for here.
  return rest as A
}
