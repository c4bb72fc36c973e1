/** Leaves secrets and inline media out of content before it is kept. Pure. */
import * as Result from "effect/Result"
import { findSecrets } from "../../engine/filters/detectors/secrets.ts"
import { listJsonTexts } from "../../engine/filters/jsonTexts.ts"
import { outlineText } from "../../engine/filters/outlineText.ts"
import { redactSecrets } from "../../engine/filters/redactSecrets.ts"
import { redactionMark } from "../../engine/secrets/Redactor.ts"
import { parseJson } from "../../values/json/parseJson.ts"

/** The same JSON, whose texts do not end with what may be the beginning of a secret: the rest of it was never said. */
export const redactEnds = (value: unknown): unknown => {
  if (typeof value === "string") return value.replace(beginning, redactionMark)
  if (Array.isArray(value)) return value.map(redactEnds)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.test(name) ? member : redactEnds(member)
    ])
  )
}

/** Of members that say what something is called. */
const names = /^(?:name|type)$|(?:^|_)id$/

/** Words of a language have no digits, and few have so many characters; of a shorter beginning, the rest cannot be guessed. */
const beginning = /(?<![\w+/=.~-])(?=[A-Za-z+/=._~-]{0,512}\d)[\w+/=.~-]{12,}$/

/** The same JSON, whose texts have no secrets of a known form and no inline media. Texts that are JSON stay JSON. */
export const redactContent = (value: unknown, key = ""): unknown => {
  if (typeof value === "string") return isSecret(key, value) ? redactionMark : redactNested(value)
  if (typeof value === "number") return secretKey.test(key) ? redactionMark : value
  if (Array.isArray(value)) return value.map((item) => redactContent(item, key))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactPlain(name), redactContent(member, name)])
  )
}

/** The value of such a member of an object is a secret as a whole. */
const secretKey =
  /(?:^|[_.-])(?:secret|authorization|password|passwd|passphrase)$|(?:api|secret|private|access)[_-]?key$|(?:access|auth|refresh|id)[_-]?token$|client[_-]?secret$/i

const isSecret = (key: string, text: string): boolean =>
  secretKey.test(key) ||
  // Detectors know more names, whose values are secrets if they look random.
  (key !== "" && text.length <= maxAssigned && isAssigned(key, `${key}=${text}`))

const isAssigned = (key: string, text: string): boolean =>
  findSecrets(text, outlineText(text)).some(
    ({ kind, start }) => kind === "assigned" && start === key.length + 1
  )

/** Longer texts are no passwords, and are searched by themselves. */
const maxAssigned = 512

/** Such as the arguments of a tool call. */
const redactNested = (text: string): string => {
  const json = /^\s*[{[]/.test(text)
    ? Result.getOrUndefined(parseJson(text, maxNestedDepth))
    : undefined
  if (json === undefined) return redactPlain(omitMedia(redactMembers(text)))
  const redacted = JSON.stringify(redactContent(json))
  if (redacted !== JSON.stringify(json)) return redacted
  // As it was written, unless a name occurs twice, of which only the last was parsed.
  const isClean = (listJsonTexts(text) ?? []).every((each) => redactNested(each.text) === each.text)
  return isClean ? text : redacted
}

/** Members in a text that is no JSON because it was cut off, as the arguments of a call whose stream ended early. */
const redactMembers = (text: string): string =>
  text.replaceAll(member, (whole, name: string, between: string, said: string, end: string) =>
    isSecret(name, said) ? `"${name}"${between}"${redactionMark}${end}` : whole
  )

/** Its value may lack the end. The name has a bound, so that it takes time in proportion to the text. */
const member = /"((?:[^"\\]|\\.){1,200})"(\s{0,100}:\s{0,100})"((?:[^"\\]|\\.)*)("?)/gs

/** A deeper text is redacted as one, because each level costs stack. */
const maxNestedDepth = 100

const redactPlain = (text: string): string => redactSecrets(text, redactionMark)

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
