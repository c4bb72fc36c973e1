/** Rewrites the tricks that hide a text from detectors to plain characters, and remembers where each came from. */

/** A text in plain characters. Its character at `n` stands for the original ones from `starts[n]` to before `ends[n]`. */
export interface PlainText {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const unusual = /[\u0080-\uffff]|%[2-7][0-9a-fA-F]|&#?[a-zA-Z0-9]{2,6};|\\(?:u00|x)[2-7][0-9a-fA-F]/

/** Undefined when the text is plain already. */
export const normalise = (text: string): PlainText | undefined => {
  if (!unusual.test(text)) return undefined
  const starts: Array<number> = []
  const ends: Array<number> = []
  let plain = ""
  let hasChanged = false
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at)!
    const length = point > 0xffff ? 2 : 1
    let replaced: string | undefined
    let read = length
    if (point === 37 || point === 38 || point === 92) {
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
  /%[2-7][0-9a-fA-F]|\\(?:u00|x)[2-7][0-9a-fA-F]|&#(?:\d{2,5}|[xX][0-9a-fA-F]{2,4});|&(?:commat|period|colon|amp|lt|gt|nbsp);/y

const entities: Readonly<Record<string, string>> = {
  commat: "@",
  period: ".",
  colon: ":",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " "
}

const decodeEscape = (escape: string): string | undefined => {
  // Of `%` and of `\\x`, two hexadecimal digits come last.
  if (!escape.startsWith("&")) return String.fromCharCode(Number.parseInt(escape.slice(-2), 16))
  const name = escape.slice(1, -1)
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

const findPlain = (point: number): string | undefined => {
  const character = String.fromCodePoint(point)
  // https://www.unicode.org/charts/PDF/UE0000.pdf: invisible copies of ASCII.
  if (point > 0xe0020 && point < 0xe007f) return String.fromCharCode(point - 0xe0000)
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
