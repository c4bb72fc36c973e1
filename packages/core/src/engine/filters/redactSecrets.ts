/** Redacts secrets from text that is kept. Pure. */
import { findSecrets } from "./detectors/secrets.ts"
import { outlineText } from "./outlineText.ts"

/**
 * Replaces what the detector of filters finds, and what only has the form of a key, a token or a password: too much costs nothing
 * here. Takes time in proportion to the text.
 */
export const redactSecrets = (text: string, mark: string): string => {
  let redacted = ""
  let end = 0
  const all = findSecrets(text, outlineText(text))
  for (const found of all.toSorted((one, other) => one.start - other.start)) {
    if (found.end <= end) continue
    redacted += text.slice(end, Math.max(end, found.start))
    // One that begins inside another continues it.
    if (found.start >= end) redacted += mark
    end = found.end
  }
  redacted += text.slice(end)
  for (const [form, before = "", after = ""] of looseForms) {
    redacted = redacted.replaceAll(form, `${before}${mark}${after}`)
  }
  return redacted
}

/**
 * Shorter or less certain than the forms of `secrets.ts`, by the same sources. Repetitions have a bound, or stop at the first
 * character that cannot be part of a secret.
 */
const looseForms: ReadonlyArray<readonly [form: RegExp, before?: string, after?: string]> = [
  [/(:\/\/[^\s/:@"'<>]{0,100}:)[^\s/:@"'<>]{1,200}@/g, "$1", "@"],
  [/\beyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{0,1024})?/g],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  [/\bAIza[\w-]{30,60}/g],
  [
    /\b(?:sk|gsk|xai|gh[oprsu]|github_pat|glpat|hf|npm|whsec|xox[abeoprs]|xapp|pplx|dop_v1)[-_][\w.-]{8,512}/g
  ],
  [/\b(?:pk|rk|r8|SG|key)[-_.](?=[\w.-]{0,40}\d)[\w.-]{8,512}/g],
  [/\b(bearer|basic)(\s{1,4})(?=[\w.~+/-]{0,60}[\d=+/])[\w.~+/=-]{8,4096}/gi, "$1$2"],
  [
    /(?<![^\W_])((?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{4,512}/gi,
    "$1"
  ]
]
