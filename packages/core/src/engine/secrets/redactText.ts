/** Redacts secrets of known forms from text that people write. Pure. */
import { redactionMark } from "./Redactor.ts"

/** Replaces what has the form of a key, a token or a password. Takes time in proportion to the text. */
export const redactText = (text: string): string => {
  let redacted = text
  for (const [form, replacement] of secretForms) redacted = redacted.replaceAll(form, replacement)
  return redacted
}

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
    /(?<![^\W_])((?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{4,512}/gi,
    `$1${redactionMark}`
  ]
]
