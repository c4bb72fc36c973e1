/** E-mail addresses, telephone numbers and addresses of the Internet Protocol. */
import { isIn, makeCharacterSet } from "../characterRuns.ts"
import { type Detection, type Detector, matchAll, noDetections } from "../Detector.ts"
import { inNumberAreas } from "../numberAreas.ts"

/** Characters of an unquoted local part in use (https://www.rfc-editor.org/rfc/rfc5322#section-3.2.3). */
const isLocal = (unit: number): boolean =>
  isAlphanumeric(unit) || unit === 46 || unit === 95 || unit === 37 || unit === 43 || unit === 45

const isDomain = (unit: number): boolean => isAlphanumeric(unit) || unit === 45 || unit === 46

const isAlphanumeric = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57)

// https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1
const maxLocal = 64
const maxDomain = 255

/** Names of files such as `icon@2x.png` look like addresses. */
const fileEndings: ReadonlySet<string> = new Set(
  "css gif htm html ico jpeg jpg js json mjs pdf php png py svg ts tsx webp".split(" ")
)

export const findEmails: Detector = (text) => {
  let at = text.indexOf("@")
  const spelled = spelledDot.test(text) ? matchAll(text, spelledEmail) : noDetections
  if (at === -1) return spelled
  const found: Array<Detection> = [...spelled]
  for (; at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at
    while (start > 0 && at - start < maxLocal && isLocal(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && end - at <= maxDomain && isDomain(text.charCodeAt(end))) end++
    while (text[start] === "." || text[start] === "-") start++
    while (end > at + 1 && !isAlphanumeric(text.charCodeAt(end - 1))) end--
    if (start < at && isHost(text.slice(at + 1, end)) && !isRemote(text, start, at, end)) {
      found.push({ start, end })
      continue
    }
    backwards.lastIndex = start
    const reversed = start < at ? backwards.exec(text) : null
    if (reversed !== null) found.push({ start, end: start + reversed[0].length })
  }
  return found
}

const spelledDot = /[ _]dot[ _]/i
/**
 * Signs that are spelt as words. In small letters `x at y dot com` is mostly said of places, so a name must have what names of
 * accounts have, or the words stand apart by their case or by underscores.
 */
const spelledEmail =
  /(?<![\w.+-])(?:[\w.+-]{1,64}@[a-z0-9-]{1,63}(?: dot [a-z0-9-]{1,63}){1,3}|[a-zA-Z0-9.+-]{1,64}(?: AT [a-zA-Z0-9-]{1,63}(?: DOT [a-zA-Z0-9-]{1,63}){1,3}|_at_[a-z0-9-]{1,63}(?:_dot_[a-z0-9-]{1,63}){1,3})|(?=[a-z]{0,63}[\d._+])[\w.+-]{1,64} at [a-z0-9-]{1,63}(?: dot [a-z0-9-]{1,63}){1,3})(?![\w-])/g
/** Written backwards, under the most common top-level domains. */
const backwards =
  /(?:moc|gro|ten|ude|vog|ofni|ed|rf|ti|se|ln|ku\.oc)\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,2}@[\w.+-]{3,64}/iy

const isHost = (host: string): boolean => {
  const labels = host.split(".")
  const last = labels.at(-1)!.toLowerCase()
  return (
    labels.length > 1 &&
    labels.every((label) => label !== "" && label.length < 64) &&
    /^(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})$/.test(last) &&
    !fileEndings.has(last)
  )
}

/** `git@host:path`, or the user of a URL. */
const isRemote = (text: string, start: number, at: number, end: number): boolean =>
  (text[end] === ":" && /^(?:git|hg|svn)$/.test(text.slice(start, at))) ||
  /:\/\/[^\s/@]{0,64}$/.test(text.slice(Math.max(0, start - 68), start))

/** With a country code (https://www.itu.int/rec/T-REC-E.164): 8 to 15 digits. */
const international =
  /(?<![\d+.)])(?:\+[ ]?|(?<!\w)00(?=[1-9]\d? ))[1-9]\d{0,3}[ .\-/]?(?:\(0?\d{1,5}\)[ .\-/]?)?\d{1,5}(?:[ .\-/]?\d{2,5}){1,5}(?!\d|[.-]\d)/g
/** As North America writes them (https://nationalnanpa.com/). */
const northAmerican =
  /(?<![\w.+/-])(?:1[ .-]?)?(?:\([2-9]\d{2}\)[ -]?\d{3}[ .-]\d{4}|[2-9]\d{2}([.-])\d{3}\1\d{4}|[2-9]\d{2} [2-9]\d{2}[ -]\d{4})(?!\w|[.-]\d)/g
/** With the trunk prefix 0, as most of Europe writes them. */
const national =
  /(?<![\w.,+/:-])(?:\(0[1-9]\d{0,4}\)|0[1-9]\d{0,4})[ /-](?:\d{2,8}(?:[ -]\d{2,5}){0,4})(?!\w|[./:-]\d)/g
/** Digits behind a word that says what they are. */
const named =
  /(?:电话|電話|手机|手機|携帯|전화|\b(?:tel|telephone|phone|mobile|cell|fax|whatsapp|sms|handy|telefon|telefono|telefone|tél)(?:[ _-]?(?:number|no|nr|nummer))?|телефон)(?:号码?|號碼?|番号)?["'：]?\.?\s?[:#=]?\s?["']?(?:is )?\+?\d{7,15}(?!\d)/gi

export const findPhones: Detector = inNumberAreas((text) => {
  const found = [
    ...matchAll(text, international, (match) => hasDigits(match, 8, 15)),
    ...matchAll(text, northAmerican),
    ...matchAll(
      text,
      national,
      (match) => hasDigits(match, 9, 13) && !/^\d\d[/-]\d\d[/-]/.test(match)
    )
  ]
  for (const { end, start } of matchAll(text, named)) {
    const digits = /\+?\d+$/.exec(text.slice(start, end))
    if (digits !== null) found.push({ start: start + digits.index, end })
  }
  return found
})

const hasDigits = (text: string, least: number, most: number): boolean => {
  const { length } = text.replaceAll(/\D/g, "")
  return length >= least && length <= most
}

const v4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
/** What the middle of an address of version 4 has, and what one of version 6 has: a search for a rare character is fast. */
const dots = /\.\d{1,3}\.\d{1,3}\./g
const colons = /:[0-9A-Fa-f]{0,4}:/g
const dotted = makeCharacterSet(/[\d.]/)
const addressed = makeCharacterSet(/[0-9A-Fa-f:.]/)
const versionBefore = /(?:version|release|v\.?|section|chapter|§)\s*$/i

export const findIpAddresses: Detector = (text) => {
  let found: Array<Detection> | undefined
  for (const { end, start } of listRuns(text, dots, dotted)) {
    if (end - start > 15 || !v4.test(text.slice(start, end))) continue
    if (!versionBefore.test(text.slice(Math.max(0, start - 12), start)))
      (found ??= []).push({ start, end })
  }
  for (const { end, start } of listRuns(text, colons, addressed)) {
    if (end - start <= 45 && isIpV6(text.slice(start, end))) (found ??= []).push({ start, end })
  }
  for (const each of text.includes("ip-") ? matchAll(text, hostName) : noDetections) {
    ;(found ??= []).push(each)
  }
  return found ?? noDetections
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html */
const hostName = /(?<![\w-])ip(?:-(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){4}(?![\w-])/g

/** The runs of characters of a set around what a global expression finds, as far as they are no part of a word. */
const listRuns = (text: string, pattern: RegExp, set: Uint8Array): ReadonlyArray<Detection> => {
  let runs: Array<Detection> | undefined
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    let start = match.index
    while (start > 0 && isIn(set, text.charCodeAt(start - 1))) start--
    let end = match.index + match[0].length
    while (end < text.length && isIn(set, text.charCodeAt(end))) end++
    pattern.lastIndex = end
    // A sentence may end before it.
    while (text[start] === "." && start < end) start++
    // A dot or a colon ends a sentence.
    while (text[end - 1] === "." || (text[end - 1] === ":" && text[end - 2] !== ":")) end--
    const isApart = (!isWordAt(text, start - 1) || isNamed(text, start)) && !isWordAt(text, end)
    if (isApart || isRange(text, start, end)) (runs ??= []).push({ start, end })
  }
  return runs ?? noDetections
}

/** Directly behind a word that says what it is. */
const isNamed = (text: string, start: number): boolean =>
  /(?<![A-Za-z])(?:ip|ipv4|ipv6|addr|address|host|server|client|src|dst|source|target|peer|gateway|dns)[_-]?$/i.test(
    text.slice(Math.max(0, start - 12), start)
  )

/** Two addresses of version 4 with a hyphen between them, of which `start` and `end` are one. */
const isRange = (text: string, start: number, end: number): boolean =>
  /^-(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])/.test(text.slice(end, end + 18)) ||
  /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}-$/.test(text.slice(Math.max(0, start - 18), start))

const isWordAt = (text: string, at: number): boolean => /[\w-]/.test(text[at] ?? "")

/** https://www.rfc-editor.org/rfc/rfc4291#section-2.2; words such as `a::b` of programs are left alone. */
const isIpV6 = (run: string): boolean => {
  const [head = "", tail, ...more] = run.split("::")
  if (more.length > 0) return false
  const groups = [...toGroups(head), ...toGroups(tail ?? "")]
  const count = groups.length + (groups.at(-1)?.includes(".") === true ? 1 : 0)
  if (tail === undefined ? count !== 8 : count > 7) return false
  if (!groups.every((group, at) => isGroup(group, at === groups.length - 1))) return false
  return /\d/.test(run) && (tail === undefined || count > 1 || head === "")
}

const toGroups = (part: string): ReadonlyArray<string> => (part === "" ? [] : part.split(":"))

const isGroup = (group: string, isLast: boolean): boolean =>
  /^[0-9A-Fa-f]{1,4}$/.test(group) || (isLast && /^(?:\d{1,3}\.){3}\d{1,3}$/.test(group))
