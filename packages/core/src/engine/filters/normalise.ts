/** Rewrites the tricks that hide a text from detectors to plain characters, and remembers where each came from. */
import { isAscii } from "./characterRuns.ts"

/** A text in plain characters. Its character at `n` stands for the original ones from `starts[n]` to before `ends[n]`. */
export interface PlainText {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

/** Searches for one character take nearly no time. */
const hasEscapes = (text: string): boolean =>
  ((text.includes("%") || text.includes("&") || text.includes("\\")) && unusual.test(text)) ||
  ((text.includes("[") || text.includes("(") || text.includes("{") || text.includes("<")) &&
    bracketed.test(text))

const unusual =
  /[\u0080-\uffff]|%(?:u00)?[2-7][0-9a-fA-F]|&(?:#[xX]?[a-fA-F0-9]{2,5}|[a-z]{2,6};)|\\(?:u00|x|u\{0{0,4})[2-7][0-9a-fA-F]|\\[nrt"/\\]|\\[01]?[0-7]{2}/
/** As addresses are written that programs are not to read: `name [at] host [dot] com`, `10[.]0[.]0[.]1`. */
const bracketed = /[[({<] ?(?:at|dot|[@.]) ?[\])}>]/i

/** Undefined when the text is plain already. */
export const normalise = (text: string): PlainText | undefined => {
  if (isAscii(text) && !hasEscapes(text)) return undefined
  const starts: Array<number> = []
  const ends: Array<number> = []
  let plain = ""
  let hasChanged = false
  const hasBracketed = bracketed.test(text)
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at)!
    const length = point > 0xffff ? 2 : 1
    let replaced: string | undefined
    let read = length
    if (hasBracketed && brackets.has(point)) {
      spelledSign.lastIndex = at
      const spelled = spelledSign.exec(text)
      if (spelled !== null) {
        replaced = /^[a@]/i.test(spelled[1]!) ? "@" : "."
        read = spelled[0].length
      }
    } else if (point === 37 || point === 38 || point === 92) {
      escapes.lastIndex = at
      const escape = escapes.exec(text)?.[0]
      const decoded = escape === undefined ? undefined : decodeEscape(escape)
      if (escape !== undefined && decoded !== undefined) {
        replaced = decoded
        read = escape.length
      }
    } else if (point > 127) replaced = toPlain(point)
    const written = replaced ?? text.slice(at, at + length)
    hasChanged ||= replaced !== undefined
    for (let index = 0; index < written.length; index++) {
      starts.push(at)
      ends.push(at + read)
    }
    plain += written
    at += read
  }
  return hasChanged ? { text: plain, starts, ends } : undefined
}

const escapes =
  /%(?:u00)?[2-7][0-9a-fA-F]|\\(?:u00|x)[2-7][0-9a-fA-F]|\\u\{0{0,4}[2-7][0-9a-fA-F]\}|\\[nrt"/\\]|\\(?:1[0-7]{2}|0?[4-7][0-7])|&#(?:\d{2,5}|[xX][0-9a-fA-F]{2,4});?|&(?:commat|period|colon|amp|lt|gt|nbsp);/y

/** What a spelt sign may begin with: a space or a bracket. */
const brackets: ReadonlySet<number> = new Set(Array.from(" [({<", (each) => each.charCodeAt(0)))
const spelledSign = / ?[[({<] ?(at|dot|[@.]) ?[\])}>] ?/iy

const entities: Readonly<Record<string, string>> = {
  commat: "@",
  period: ".",
  colon: ":",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " "
}

/** Escapes of JSON for white space. */
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" }

const decodeEscape = (escape: string): string | undefined => {
  if (/^\\[01]?[0-7]{2}$/.test(escape)) {
    return String.fromCharCode(Number.parseInt(escape.slice(1), 8))
  }
  if (escape.length === 2) return controls[escape[1]!] ?? escape[1]
  if (!escape.startsWith("&")) {
    // Two hexadecimal digits come last.
    return String.fromCharCode(Number.parseInt(escape.replace("}", "").slice(-2), 16))
  }
  const name = escape.slice(1).replace(";", "")
  if (!name.startsWith("#")) return entities[name]
  const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code < 128 ? String.fromCharCode(code) : toPlain(code)
}

/** Letters of other scripts that look like Latin ones (https://www.unicode.org/reports/tr39/#Confusable_Detection). */
const lookAlikes = new Map<number, string>(
  [
    ["аɑα", "a"],
    ["ьЬ", "b"],
    ["сϲⅽᴄ", "c"],
    ["ԁⅾ", "d"],
    ["еҽ℮", "e"],
    ["ƒ", "f"],
    ["ɡց", "g"],
    ["һհ", "h"],
    ["іıɩι", "i"],
    ["јϳ", "j"],
    ["κк", "k"],
    ["ӏⅼ", "l"],
    ["ⅿ", "m"],
    ["ոп", "n"],
    ["оοօσ", "o"],
    ["рρ", "p"],
    ["ԛ", "q"],
    ["гᴦ", "r"],
    ["ѕ", "s"],
    ["т", "t"],
    ["υս", "u"],
    ["ѵν", "v"],
    ["ԝѡ", "w"],
    ["хχ", "x"],
    ["уγү", "y"],
    ["ᴢ", "z"],
    ["ΑА", "A"],
    ["ΒВ", "B"],
    ["СϹ", "C"],
    ["ΕЕ", "E"],
    ["Ԍ", "G"],
    ["ΗН", "H"],
    ["ΙІӀ", "I"],
    ["Ј", "J"],
    ["ΚК", "K"],
    ["ΜМ", "M"],
    ["ΝИ", "N"],
    ["ΟО", "O"],
    ["ΡР", "P"],
    ["Ѕ", "S"],
    ["ΤТ", "T"],
    ["ΧХ", "X"],
    ["ΥҮ", "Y"],
    ["Ζ", "Z"],
    ["‐‑‒–—―−﹘", "-"],
    ["․。｡", "."],
    ["‘’ʼ", "'"],
    ["“”", '"'],
    ["⁄∕", "/"],
    ["∶ː", ":"],
    ["ᴀ", "a"],
    ["ʙ", "b"],
    ["ᴅ", "d"],
    ["ᴇ", "e"],
    ["ꜰ", "f"],
    ["ɢ", "g"],
    ["ʜ", "h"],
    ["ɪ", "i"],
    ["ᴊ", "j"],
    ["ᴋ", "k"],
    ["ʟ", "l"],
    ["ᴍ", "m"],
    ["ɴ", "n"],
    ["ᴏ", "o"],
    ["ᴘ", "p"],
    ["ʀ", "r"],
    ["ꜱ", "s"],
    ["ᴛ", "t"],
    ["ᴜ", "u"],
    ["ᴠ", "v"],
    ["ᴡ", "w"],
    ["ʏ", "y"],
    ["ⓐ", "a"]
  ].flatMap(([from = "", to = ""]) =>
    Array.from(from, (each) => [each.codePointAt(0)!, to] as const)
  )
)

const memory = new Map<number, string | null>()
const maxMemory = 4_096

/** The plain characters that a character stands for; undefined: itself. */
const toPlain = (point: number): string | undefined => {
  const known = memory.get(point)
  if (known !== undefined) return known ?? undefined
  const found = findPlain(point)
  if (memory.size >= maxMemory) memory.clear()
  memory.set(point, found ?? null)
  return found
}

/** Characters without a width, marks upon letters, and what steers the direction or the form of others. */
const invisible = /^(?:[\p{Cf}\u115f\u1160\u3164\uffa0]|\p{M})$/u
const digit = /^\p{Nd}$/u

/** Letters in filled circles and squares, and of flags (https://www.unicode.org/charts/PDF/U1F100.pdf). */
const findEnclosed = (point: number): string | undefined => {
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((first) => point >= first && point < first + 26)
  return first === undefined ? undefined : String.fromCharCode(97 + point - first)
}

const findPlain = (point: number): string | undefined => {
  const character = String.fromCodePoint(point)
  // https://www.unicode.org/charts/PDF/UE0000.pdf: invisible copies of ASCII.
  if (point > 0xe0020 && point < 0xe007f) return String.fromCharCode(point - 0xe0000)
  const enclosed = findEnclosed(point)
  if (enclosed !== undefined) return enclosed
  if (invisible.test(character)) return ""
  const alike = lookAlikes.get(point)
  if (alike !== undefined) return alike
  if (/^\p{Zs}$/u.test(character)) return " "
  // https://www.unicode.org/reports/tr15/: compatible forms, such as full width, circled or mathematical ones.
  const folded = character.normalize("NFKD").replaceAll(/\p{M}/gu, "")
  if (folded !== "" && !unusual.test(folded)) return folded
  const foldedAlike = folded === character ? undefined : lookAlikes.get(folded.codePointAt(0)!)
  if (foldedAlike !== undefined) return foldedAlike
  if (!digit.test(character)) return undefined
  // The ten digits of a script follow each other.
  let zero = point
  while (zero > point - 9 && digit.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}
