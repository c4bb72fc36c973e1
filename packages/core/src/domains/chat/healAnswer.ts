/**
 * Repairs answers that are almost JSON, for chats with the plugin `response-healing`:
 * https://openrouter.ai/docs/guides/features/plugins/response-healing.
 */
import type { Part } from "../../conversation/Part.ts"
import type { ChatChoice, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { PipelineStage } from "../../routing/PipelineStage.ts"
import { findJson, isObject, toList } from "../../values/json/guards.ts"

/** Tells that an answer was repaired. */
export const healingStage: PipelineStage = {
  type: "response_healing",
  name: "response-healing",
  summary: "repaired the JSON of the answer",
  data: {}
}

type Json = Readonly<Record<string, unknown>>

/** The same reply where every answer is JSON, or cannot be repaired. */
export const healAnswer = (reply: ChatReply): ChatReply => {
  const choices = reply.choices.map(healChoice)
  if (choices.every((choice, at) => choice === reply.choices[at])) return reply
  const { native } = reply
  return {
    ...reply,
    choices,
    ...(native === undefined ? undefined : { native: healNative(native, choices) })
  }
}

/** The message of Anthropic's API, or the response of OpenAI's, with the text that its only choice now has. */
const healNative = (native: Json, [choice]: ReadonlyArray<ChatChoice>): Json => {
  const text = choice?.answer.parts.find(({ type }) => type === "text")
  if (text?.type !== "text") return native
  const { content, output } = native
  if (Array.isArray(content)) return { ...native, content: putText(content, "text", text.text) }
  if (!Array.isArray(output)) return native
  const at = output.findIndex((item) => isObject(item) && item["type"] === "message")
  const healed: ReadonlyArray<unknown> = output.flatMap((item: unknown, index) => {
    if (!isObject(item) || item["type"] !== "message") return [item]
    const parts = putText(toList(item["content"]), "output_text", text.text)
    return index === at ? [{ ...item, content: parts }] : []
  })
  return { ...native, output: healed }
}

/** In the place of the first text; the others are parts of the same. */
const putText = (
  parts: ReadonlyArray<unknown>,
  type: string,
  text: string
): ReadonlyArray<unknown> => {
  const first = parts.findIndex((part) => isObject(part) && part["type"] === type)
  return parts.flatMap((part, at) => {
    if (!isObject(part) || part["type"] !== type) return [part]
    return at === first ? [{ ...part, text }] : []
  })
}

const healChoice = (choice: ChatChoice): ChatChoice => {
  const { answer, native } = choice
  const said = answer.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const content = native?.["content"]
  const text = typeof content === "string" ? content : said
  const healed = text === "" ? undefined : repairJson(text)
  if (healed === undefined || (native !== undefined && typeof content !== "string")) return choice
  const first = answer.parts.findIndex(({ type }) => type === "text")
  const parts = answer.parts.flatMap((part, at): ReadonlyArray<Part> => {
    if (part.type !== "text") return [part]
    return at === first ? [{ ...part, text: healed }] : []
  })
  return {
    ...choice,
    answer: { ...answer, parts },
    ...(native === undefined ? undefined : { native: { ...native, content: healed } })
  }
}

/** Undefined: the text is JSON already, or has none. */
export const repairJson = (text: string): string | undefined => {
  if (findJson(text) !== undefined) return undefined
  const start = text.search(/[[{]/)
  if (start === -1) return undefined
  const repaired = new JsonRepair(text, start).repair()
  return repaired === undefined || findJson(repaired) === undefined ? undefined : repaired
}

/** Deeper nesting is left as it is. */
const maxDepth = 200

/** How far white space is looked through behind a quote. */
const maxLookahead = 64

const closers: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”" }

const words: Readonly<Record<string, string>> = {
  true: "true",
  false: "false",
  null: "null",
  True: "true",
  False: "false",
  None: "null",
  NaN: "null",
  undefined: "null"
}

class JsonRepair {
  readonly #text: string
  #at: number
  #depth = 0
  #isBroken = false

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  /** Everything behind the first value is prose. */
  repair(): string | undefined {
    const value = this.#readValue()
    return this.#isBroken ? undefined : value
  }

  #readValue(): string {
    this.#skip(false)
    const char = this.#text[this.#at] ?? ""
    if (char === "{") return this.#readList("}", () => this.#readField())
    if (char === "[") return this.#readList("]", () => this.#readValue())
    return Object.hasOwn(closers, char) ? this.#readString(char) : this.#readWord()
  }

  #readList(close: string, readItem: () => string): string {
    const open = this.#text[this.#at++]
    const items: Array<string> = []
    if (++this.#depth > maxDepth) this.#isBroken = true
    while (!this.#isBroken) {
      this.#skip(true)
      const char = this.#text[this.#at]
      // Brackets that are missing at the end are added.
      if (char === undefined || char === "}" || char === "]") {
        if (char === close) this.#at++
        break
      }
      items.push(readItem())
    }
    this.#depth--
    return `${open}${items.join(",")}${close}`
  }

  #readField(): string {
    const char = this.#text[this.#at] ?? ""
    const key = Object.hasOwn(closers, char) ? this.#readString(char) : this.#readKey()
    this.#skip(false)
    if (this.#text[this.#at] === ":") this.#at++
    // A text that ends within a key, or is no object at all.
    else this.#isBroken = true
    return `${key}:${this.#readValue()}`
  }

  #readKey(): string {
    const [key = ""] = /^[\w$.-]+/.exec(this.#text.slice(this.#at, this.#at + 256)) ?? []
    if (key === "") this.#isBroken = true
    this.#at += key.length
    return JSON.stringify(key)
  }

  #readString(quote: string): string {
    const end = closers[quote]!
    let content = ""
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!
      if (char === "\\") {
        const next = this.#text[++this.#at] ?? ""
        content += /["\\/bfnrtu]/.test(next) ? `\\${next}` : next
      } else if (char === end && this.#isEnd()) {
        this.#at++
        return `"${content}"`
      } else content += char < " " || char === '"' ? JSON.stringify(char).slice(1, -1) : char
    }
    return `"${content}"`
  }

  /** Whether the quote here ends its text: something of JSON follows. */
  #isEnd(): boolean {
    const rest = this.#text.slice(this.#at + 1, this.#at + 1 + maxLookahead).trimStart()
    return rest === "" || /^[,:}\]]/.test(rest)
  }

  #readWord(): string {
    const [word = ""] = /^[^,:}\]\n"]*/.exec(this.#text.slice(this.#at, this.#at + 4_096)) ?? []
    this.#at += word.length
    const value = word.trim()
    if (Object.hasOwn(words, value)) return words[value]!
    const number = value.replace(/^\+/, "").replace(/\.$/, "")
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number)) return number
    if (value === "" || word.length === 4_096) this.#isBroken = true
    return JSON.stringify(value)
  }

  /** White space, comments, and commas between items. */
  #skip(hasCommas: boolean): void {
    const pattern = hasCommas
      ? /(?:[\s,]|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
      : /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
    pattern.lastIndex = this.#at
    pattern.test(this.#text)
    this.#at = Math.max(this.#at, pattern.lastIndex)
  }
}
