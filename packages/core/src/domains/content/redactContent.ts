/** Leaves secrets and inline media out of content before it is kept. Pure. */
import { redactionMark } from "../../engine/secrets/Redactor.ts"

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

/** Replaces what has the form of a key, a token or a password. Takes time in proportion to the text. */
export const redactText = (text: string): string => {
  let redacted = text
  for (const [form, replacement] of secretForms) redacted = redacted.replaceAll(form, replacement)
  return redacted
}

/** The value of such a member of an object is a secret as a whole. */
const secretKey =
  /^(?:api[_-]?key|x-api-key|authorization|password|passwd|secret|client[_-]?secret|access[_-]?token|refresh[_-]?token|private[_-]?key)$/i

/**
 * The forms that providers document, such as https://docs.github.com/code-security/secret-scanning and
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids. Repetitions have
 * a bound, or stop at the first character that cannot be part of a secret.
 */
const secretForms: ReadonlyArray<readonly [form: RegExp, replacement: string]> = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    redactionMark
  ],
  [/(:\/\/[^\s/:@"'<>]{0,100}:)[^\s/:@"'<>]{1,200}@/g, `$1${redactionMark}@`],
  [/\beyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{0,1024})?/g, redactionMark],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, redactionMark],
  [/\bAIza[\w-]{30,60}/g, redactionMark],
  [
    /\b(?:sk|gsk|xai|gh[oprsu]|github_pat|glpat|hf|npm|whsec|xox[abeoprs]|xapp|pplx|dop_v1)[-_][\w.-]{8,512}/g,
    redactionMark
  ],
  [/\b(?:pk|rk|r8|SG|key)[-_.](?=[\w.-]{0,40}\d)[\w.-]{8,512}/g, redactionMark],
  [
    /\b(bearer|basic)(\s{1,4})(?=[\w.~+/-]{0,60}[\d=+/])[\w.~+/=-]{8,4096}/gi,
    `$1$2${redactionMark}`
  ],
  [
    /\b((?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{4,512}/gi,
    `$1${redactionMark}`
  ]
]

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
