/** Numbers of cards and bank accounts. */
import { type Detection, type Detector, matchAll, noDetections } from "../Detector.ts"
import { inNumberAreas } from "../numberAreas.ts"

/** Digits between which single spaces or hyphens stand: where each group of digits begins and ends. */
interface DigitRun {
  readonly groups: ReadonlyArray<Detection>
}

/** Runs of at least `least` digits, in groups divided by one space or hyphen. */
const listDigitRuns = (text: string, least: number): ReadonlyArray<DigitRun> => {
  const runs: Array<DigitRun> = []
  let groups: Array<Detection> = []
  let count = 0
  const close = (): void => {
    if (count >= least) runs.push({ groups })
    groups = []
    count = 0
  }
  digitGroups.lastIndex = 0
  let end = -2
  for (let match = digitGroups.exec(text); match !== null; match = digitGroups.exec(text)) {
    const { 0: digits, index: start } = match
    const isNext = start === end + 1 && (text[end] === " " || text[end] === "-")
    if (!isNext) close()
    end = start + digits.length
    groups.push({ start, end })
    count += digits.length
  }
  close()
  return runs
}

const digitGroups = /\d+/g

interface GroupedForm {
  readonly least: number
  readonly most: number
  readonly isValid: (digits: string, groups: number) => boolean
  /** Matches names that may stand directly before the number. */
  readonly names: RegExp
}

/** The windows of whole groups that have from `least` to `most` digits and satisfy `isValid`; they do not overlap. */
export const findGrouped = (
  text: string,
  { isValid, least, most, names }: GroupedForm
): ReadonlyArray<Detection> => {
  let found: Array<Detection> | undefined
  for (const { groups } of listDigitRuns(text, least)) {
    for (let first = 0; first < groups.length; first++) {
      const start = groups[first]!.start
      const isPart = isJoined(text[start - 1])
      if (isPart && !names.test(text.slice(Math.max(0, start - maxName), start))) continue
      let digits = ""
      let best = -1
      for (let last = first; last < groups.length && digits.length < most; last++) {
        const group = groups[last]!
        digits += text.slice(group.start, group.end)
        if (digits.length < least || digits.length > most) continue
        if (isJoined(text[group.end]) && !isWord(text, group.end)) continue
        if (isValid(digits, last - first + 1)) best = last
      }
      if (best === -1) continue
      ;(found ??= []).push({ start, end: groups[best]!.end })
      first = best
    }
  }
  return found ?? noDetections
}

const maxName = 16

/** Letters that are no hexadecimal digits, as a word behind a number has them. */
const isWord = (text: string, at: number): boolean =>
  /^[A-Za-z]{0,11}[g-zG-Z][A-Za-z]{0,11}(?![A-Za-z])/.test(text.slice(at, at + 24))

/** Part of a longer name or number, in a script that writes spaces between words. */
const isJoined = (neighbour: string | undefined): boolean =>
  neighbour !== undefined &&
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_-]/u.test(neighbour)

/** https://www.iso.org/standard/70484.html, the algorithm of Luhn. */
export const hasLuhn = (digits: string): boolean => {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** Issuers by the beginning of the number, with the lengths that they issue. */
const issuers =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:2[2-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|22(?:2[1-9]|[3-9]\d)\d{12}|220[0-4]\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d|9\d)\d{11}(?:\d{2})?|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}(?:\d{3})?|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15}|(?:60|81|82)\d{14}|9792\d{12})$/

const isCard = (digits: string): boolean =>
  issuers.test(digits) && hasLuhn(digits) && !/^(\d)\1*$/.test(digits)

/** Groups as cards print them, or single digits, with the same other characters between them. */
const printed =
  /(?<!\d)\d{4}([^\dA-Za-z]{1,3})(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{5})(?!\d)|(?<![\d.])\d([./_:|*,])(?:\d\2){11,17}\d(?![\d.])/g
const cardNames =
  /(?:card|visa|amex|mastercard|master|maestro|discover|jcb|cc|pan|number|num|no|nr|karte|nummer|carte|tarjeta|carta|cartao)[_-]?$/i

export const findCards: Detector = inNumberAreas((text) => [
  ...findGrouped(text, { least: 12, most: 19, isValid: isCard, names: cardNames }),
  ...matchAll(text, printed, (match) => isCard(match.replaceAll(/\D/g, "")))
])

/** The length of an account number by its country (https://www.swift.com/standards/data-standards/iban-international-bank-account-number). */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((each) => [each.slice(0, 2), Number(each.slice(2))])
)

const ibanStart = /(?:(?<![A-Za-z0-9])|(?<=iban|account|konto|acct))[A-Za-z]{2}\d\d/gi

export const findIbans: Detector = (text) => {
  let found: Array<Detection> | undefined
  ibanStart.lastIndex = 0
  for (let match = ibanStart.exec(text); match !== null; match = ibanStart.exec(text)) {
    const length = ibanLengths[match[0].slice(0, 2).toUpperCase()]
    if (length === undefined) continue
    let iban = ""
    let end = match.index
    for (; end < text.length && iban.length < length; end++) {
      const character = text[end]!
      if (/[A-Za-z0-9]/.test(character)) iban += character
      else if (iban.length < 4) break
      else if (!ibanGap.test(text.slice(end, end + 3))) break
    }
    // Letters may follow, such as BIC; the checksum has two digits.
    if (iban.length !== length || /\d/.test(text[end] ?? "")) continue
    if (hasMod97(iban.toUpperCase())) (found ??= []).push({ start: match.index, end })
  }
  return found ?? noDetections
}

/** What may stand between two characters of an account number. */
const ibanGap = /^[ ._/-]{1,2}[A-Za-z0-9]/

/** https://www.iso.org/standard/81090.html, ISO 7064 MOD 97-10. */
const hasMod97 = (iban: string): boolean => {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
