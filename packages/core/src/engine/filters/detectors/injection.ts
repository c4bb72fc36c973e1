/**
 * Attempts to replace the instructions of a model, by the patterns of
 * https://cheatsheetseries.owasp.org/cheatsheets/LLM_Prompt_Injection_Prevention_Cheat_Sheet.html
 */
import { hashWord, isAscii, listWords, makeWordFilter } from "../characterRuns.ts"
import { type Detection, type Detector, matchAll, noDetections, type Span } from "../Detector.ts"
import { type Disguise, disguisedWords, findDisguise, listReadings } from "./disguises.ts"
import { firstWords, rules } from "./injectionRules.ts"
import { divide, isMisspelt, keywords, maxSpace, spellOut } from "./spelling.ts"

/** By the hashes of their first words. */
const rulesByWord = Map.groupBy(
  rules.flatMap(([name, words, rule]) =>
    words.split(" ").map((word) => ({ hash: hashWord(word), name, rule }))
  ),
  ({ hash }) => hash
)

/** The first words of rules, also in disguise, and keywords of which a letter is missing or added. */
export const attackWords: ReadonlyArray<string> = [
  ...firstWords,
  ...disguisedWords,
  ...keywords.flatMap((word) => [word, word[0] + word.slice(2), `${word[0]}${word}`])
]
const wordFilter = makeWordFilter(attackWords)

/** What chat templates write between turns. */
const roleTag =
  /<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)(?:[_ -](?:prompt|instructions?))?>|^[ \t]{0,8}(?:###|---) ?(?:system|assistant)(?: (?:prompt|message|instruction))?:?[ \t]{0,3}$/gim

/** What every tag has. */
const tagged = /[<[]|###|---/

/** The words of an attack without anything between them; the longest English words have 20 letters. */
const joined = /^[A-Za-z]{20,200}$/

export const findInjections: Detector = (text, { tokens, words }) => {
  const found: Array<Detection> = []
  if (tagged.test(text)) {
    for (const tag of matchAll(text, roleTag)) found.push({ ...tag, kind: "role_tag" })
  }
  const { disguises, isSpelt } = addFound(text, words, isSame, found)
  const spelt = isSpelt ? undefined : spellOut(text, words)
  if (spelt !== undefined) {
    const toOriginal = ({ end, start }: Span): Span => ({
      start: spelt.starts[start]!,
      end: spelt.ends[end - 1]!
    })
    addFound(spelt.text, listWords(spelt.text, wordFilter), toOriginal, found)
  }
  for (const disguise of disguises) {
    for (const { text: read, toOriginal } of listReadings(text, disguise)) {
      addFound(read, listWords(read, wordFilter), toOriginal, found)
    }
  }
  for (const token of tokens) {
    const letters = text.slice(token.start, token.end)
    if (!joined.test(letters)) continue
    const divided = divide(letters.toLowerCase())
    addFound(divided, listWords(divided, wordFilter), () => token, found)
  }
  found.push(...findForeignInjections(text))
  return found.length === 0 ? noDetections : found
}

const isSame = (span: Span): Span => span

interface Words {
  /** Whether every word is spelt as it is read. */
  readonly isSpelt: boolean
  /** How words are disguised that are those of attacks. */
  readonly disguises: ReadonlyArray<Disguise>
}

/** Adds what rules find from the given words on. */
const addFound = (
  text: string,
  words: ReadonlyArray<number>,
  toOriginal: (span: Span) => Span,
  found: Array<Detection>
): Words => {
  let isSpelt = true
  let disguises: Array<Disguise> | undefined
  let letters = 0
  let end = 0
  let lettersEnd = 0
  for (let at = 0; at < words.length; at += 2) {
    const start = words[at]!
    const wordEnd = words[at + 1]!
    if (wordEnd - start === 1) {
      letters = start - lettersEnd > maxSpace ? 1 : letters + 1
      lettersEnd = wordEnd
      if (letters > 3) isSpelt = false
      continue
    }
    const hash = hashWord(text, start, wordEnd)
    const candidates = rulesByWord.get(hash)
    if (candidates !== undefined && start >= end) {
      for (const { name, rule } of candidates) {
        rule.lastIndex = start
        const match = rule.exec(text)
        if (match === null) continue
        end = start + match[0].length
        found.push({ ...toOriginal({ start, end }), kind: name })
        break
      }
    }
    const disguise = findDisguise(hash)
    if (disguise !== undefined && disguises?.includes(disguise) !== true) {
      ;(disguises ??= []).push(disguise)
    }
    if (isSpelt && isMisspelt(text, start, wordEnd, hash)) isSpelt = false
  }
  return { isSpelt, disguises: disguises ?? none }
}

const none: ReadonlyArray<Disguise> = []

const chinese =
  /(?:忽略|忽视|忽視|无视|無視|忘记|忘記|不要理会|不要理會|绕过|繞過)[^。！？\n]{0,12}?(?:之前|以前|以上|先前|前面|上面|上述|此前|原有|所有|全部|你的|系统|系統)[^。！？\n]{0,12}?(?:指令|指示|说明|說明|规则|規則|提示词|提示詞|命令|限制)/g
const japanese =
  /(?:以前|これまで|今まで|上記|前|すべて|全て)の[^。！？\n]{0,12}?(?:指示|命令|ルール|指令|プロンプト|制限)[^。！？\n]{0,8}?(?:無視|忘れ|破棄)/g
const korean =
  /(?:이전|앞선|위의|모든|기존)[^.!?\n]{0,12}?(?:지시|명령|규칙|지침|프롬프트)[^.!?\n]{0,8}?(?:무시|잊어)/g
const russian =
  /(?:игнорируй|проигнорируй|забудь|отбрось)(?:те)?[\s,]{1,4}(?:[а-яё]{2,12}[\s,]{1,4}){0,3}?(?:предыдущие|прежние|прошлые|все|свои|вышеуказанные|исходные)[\s,]{1,4}(?:[а-яё]{2,14}[\s,]{1,4}){0,2}?(?:инструкции|указания|правила|команды|ограничения)/gi

/** Attempts to replace the instructions of a model in scripts other than the Latin one. */
const findForeignInjections = (text: string): ReadonlyArray<Detection> =>
  isAscii(text)
    ? noDetections
    : [chinese, japanese, korean, russian].flatMap((rule) =>
        matchAll(text, rule).map((each) => ({ ...each, kind: "ignore_instructions" }))
      )
