/** Leaves secrets and inline media out of content before it is kept. Pure. */
import { redactionMark } from "../../engine/secrets/Redactor.ts"
import { redactText } from "../../engine/secrets/redactText.ts"

/** The same JSON, whose texts have no secrets of a known form and no inline media. */
export const redactContent = (value: unknown, key = ""): unknown => {
  if (typeof value === "string") {
    return secretKey.test(key) ? redactionMark : redactText(omitMedia(value))
  }
  if (Array.isArray(value)) return value.map((item) => redactContent(item, key))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactText(name), redactContent(member, name)])
  )
}

/** The value of such a member of an object is a secret as a whole. */
const secretKey =
  /^(?:api[_-]?key|x-api-key|authorization|password|passwd|secret|client[_-]?secret|access[_-]?token|refresh[_-]?token|private[_-]?key)$/i

/** Images, audio and files are many times the size of the text around them. */
const omitMedia = (text: string): string => {
  if (text.length < minMediaCharacters) return text
  const inline = /^data:([\w.+/-]{0,100})[^,]{0,100},/.exec(text)
  if (inline !== null) return `data:${inline[1]},[${text.length} characters omitted]`
  return base64.test(text) ? `[${text.length} characters of base64 omitted]` : text
}

const minMediaCharacters = 1_024

/** Without white space or punctuation, which every text of this length has. */
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/
