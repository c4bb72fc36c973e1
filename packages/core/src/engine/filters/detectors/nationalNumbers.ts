/** Numbers that states give to persons, as far as a checksum or their form tells them from others. */
import { type Detection, type Detector, matchAll, noDetections } from "../Detector.ts"
import { forEachRun, makeCharacterSet } from "../characterRuns.ts"
import { inNumberAreas } from "../numberAreas.ts"
import { findGrouped, hasLuhn } from "./numbers.ts"

/** https://www.ssa.gov/employer/randomization.html: areas, groups and serials that are never given. */
const ssn = /(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?!\w|-\d)/g
const namedSsn =
  /(?<![A-Za-z0-9])(?:ssn|social[ _]?security(?:[ _]?(?:number|no))?)["']?\.?[\s_]?[:#=]?\s?["']?(?:is )?((?!000|666|9)\d{3}([-./ ]?)\d{2}\2\d{4})(?!\d)/dgi

export const findSsns: Detector = inNumberAreas((text) => {
  const found = matchAll(text, ssn)
  const known = new Set(found.map(({ end }) => end))
  const named = Array.from(text.matchAll(namedSsn), ({ indices }) => indices![1]!)
    .filter(([, end]) => !known.has(end))
    .map(([start, end]) => ({ start, end }))
  return named.length === 0 ? found : [...found, ...named]
})

const sumBy = (digits: string, weights: ReadonlyArray<number>): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits.charCodeAt(at) - 48), 0)

const isDate = (month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31

const isSame = (digits: string): boolean => /^(\d)\1*$/.test(digits)

/** https://www.datadictionary.nhs.uk/attributes/nhs_number.html */
const isNhs = (digits: string): boolean =>
  (11 - (sumBy(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[9])

/** https://www.gov.br/receitafederal (Cadastro de Pessoas Físicas). */
const isCpf = (digits: string): boolean => {
  const check = (length: number): number => {
    let sum = 0
    for (let at = 0; at < length; at++) sum += Number(digits[at]) * (length + 1 - at)
    return ((sum * 10) % 11) % 10
  }
  return !isSame(digits) && check(9) === Number(digits[9]) && check(10) === Number(digits[10])
}

/** https://www.gov.pl/web/gov/czym-jest-numer-pesel */
const isPesel = (digits: string): boolean =>
  isDate(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) &&
  (10 - (sumBy(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10])

/** https://www.bzst.de (Steuerliche Identifikationsnummer): ISO 7064 MOD 11,10, and one digit that repeats. */
const isSteuerId = (digits: string): boolean => {
  if (digits.startsWith("0")) return false
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  if (counts.size !== 9 && counts.size !== 8) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

/** https://www.insee.fr (numéro d'inscription au répertoire), without the departments of Corsica. */
const isNir = (digits: string): boolean =>
  /^[12]/.test(digits) &&
  isDate(Number(digits.slice(3, 5)), 1) &&
  97n - (BigInt(digits.slice(0, 13)) % 97n) === BigInt(digits.slice(13))

/** https://uidai.gov.in (Aadhaar): the algorithm of Verhoeff. */
const isAadhaar = (digits: string): boolean => {
  if (/^[01]/.test(digits)) return false
  let check = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    check = dihedral[check]![permutations[at % 8]![digit]!]!
  }
  return check === 0
}

const dihedral = Array.from({ length: 10 }, (_, a) =>
  Array.from({ length: 10 }, (_, b) =>
    a < 5
      ? b < 5
        ? (a + b) % 5
        : ((a + b) % 5) + 5
      : b < 5
        ? ((a - b + 5) % 5) + 5
        : (a - b + 5) % 5
  )
)
const permutations: ReadonlyArray<ReadonlyArray<number>> = Array.from({ length: 7 }).reduce<
  Array<ReadonlyArray<number>>
>(
  (rows) => [...rows, [1, 5, 7, 6, 2, 8, 3, 0, 9, 4].map((to) => rows.at(-1)![to]!)],
  [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]
)

/** http://www.gb688.cn/bzgk/gb/newGbInfo?hcno=080D6FBF2BB468F9007657F26D60013E (GB 11643): ISO 7064 MOD 11-2. */
const isResidentId = (text: string): boolean =>
  isDate(Number(text.slice(10, 12)), Number(text.slice(12, 14))) &&
  "10X98765432"[sumBy(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] ===
    text[17]!.toUpperCase()

/** https://www.interior.gob.es (Documento Nacional de Identidad, and of foreigners). */
const isDni = (text: string): boolean => {
  const [first = ""] = text
  const number = Number(
    text.slice(0, -1).replace(/^[XYZ]/i, String("XYZ".indexOf(first.toUpperCase())))
  )
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === text.at(-1)!.toUpperCase()
}

/** https://www.agenziaentrate.gov.it (codice fiscale). */
const isCodiceFiscale = (text: string): boolean => {
  const odd = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23
  ]
  let sum = 0
  for (let at = 0; at < 15; at++) {
    const code = Number.parseInt(text[at]!, 36)
    const value = code > 9 ? code - 10 : code
    sum += at % 2 === 0 ? odd[value]! : value
  }
  return String.fromCharCode(65 + (sum % 26)) === text[15]!.toUpperCase()
}

/** https://dvv.fi (henkilötunnus). */
const isHenkilotunnus = (text: string): boolean =>
  isDate(Number(text.slice(2, 4)), Number(text.slice(0, 2))) &&
  "0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(text.slice(0, 6) + text.slice(7, 10)) % 31] ===
    text[10]!.toUpperCase()

const forms: ReadonlyArray<readonly [RegExp, (text: string) => boolean]> = [
  [/^(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]$/, (text) => isDni(text.replace("-", ""))],
  [/^[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]$/, isCodiceFiscale],
  [/^\d{6}[-+A]\d{3}[0-9A-Y]$/, isHenkilotunnus],
  [/^\d{17}[\dXx]$/, isResidentId],
  // https://www.skatteverket.se (personnummer)
  [
    /^(?:19|20)?\d{6}[-+]\d{4}$/,
    (text) => {
      const digits = text.replace(/[-+]/, "").slice(-10)
      return isDate(Number(digits.slice(2, 4)), Number(digits.slice(4, 6))) && hasLuhn(digits)
    }
  ],
  [/^\d{3}\.\d{3}\.\d{3}-\d{2}$/, (text) => isCpf(text.replaceAll(/\D/g, ""))]
]

const formed = makeCharacterSet(/[A-Za-z0-9_.+-]/)
const leastFormed = 9
const mostFormed = 18

/** Directly before a number. */
const nameBefore = /^(?:dni|nie|nif|cf|hetu|cpf|pnr|personnummer|id)[_-]?(?=[\dXYZ])/i
const nationalNames =
  /(?<![A-Za-z])(?:pesel|nhs|cpf|steuerid|steuer_?id|idnr|tin|nir|nss|insee|secu|aadhaar|aadhar|uid|national_?id|id)[_-]?$/i

const findFormed = (text: string): ReadonlyArray<Detection> => {
  const found: Array<Detection> = []
  forEachRun(text, formed, leastFormed, (from, to) => {
    let start = from
    let end = to
    while (end > start && /[.+-]/.test(text[end - 1]!)) end--
    start += nameBefore.exec(text.slice(start, end))?.[0].length ?? 0
    while (start < end && /[.+-]/.test(text[start]!)) start++
    if (
      end - start < leastFormed ||
      end - start > mostFormed ||
      !/\d{3}/.test(text.slice(start, end))
    )
      return
    const run = text.slice(start, end)
    if (forms.some(([form, check]) => form.test(run) && check(run))) found.push({ start, end })
  })
  return found
}

/** Nine digits are too common to mean a person by themselves. */
const named =
  /\b(?:bsn|burgerservicenummer|sin|social insurance number|tfn|tax file number)["']?\.?\s?[:#=]?\s?["']?(?:is )?\d{3}[ -]?\d{3}[ -]?\d{3}(?!\d)/gi

export const findNationalNumbers: Detector = inNumberAreas((text) => {
  const found: Array<Detection> = [...findFormed(text)]
  for (const { end, start } of matchAll(text, named, (match) =>
    isNineDigits(match.replaceAll(/\D/g, ""))
  )) {
    found.push({ start: start + /\d/.exec(text.slice(start, end))!.index, end })
  }
  found.push(
    ...findGrouped(text, {
      least: 10,
      most: 15,
      names: nationalNames,
      isValid: (digits, groups) => {
        switch (digits.length) {
          case 10:
            return groups === 3 && isNhs(digits)
          case 11:
            return isPesel(digits) || isSteuerId(digits) || (groups > 1 && isCpf(digits))
          case 12:
            return groups === 3 && isAadhaar(digits)
          case 15:
            return isNir(digits)
          default:
            return false
        }
      }
    })
  )
  return found.length === 0 ? noDetections : found
})

/** The Dutch eleven test, the Canadian algorithm of Luhn, or the Australian weights. */
const isNineDigits = (digits: string): boolean =>
  sumBy(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 ||
  hasLuhn(digits) ||
  sumBy(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0
