/** Determines the format that a chat request asks for, from its parameters or its prompt. */
import { getProperty } from "./getProperty.ts"

export type RequestedFormat =
  /** A JSON value that fits this JSON Schema. */
  | { readonly form: "json"; readonly schema: unknown }
  /** One of these identifiers. */
  | { readonly form: "identifier"; readonly identifiers: ReadonlyArray<string> }
  | { readonly form: "prose" }

export const parseRequestedFormat = (body: unknown): RequestedFormat => {
  const format =
    getProperty(body, "response_format") ??
    getProperty(getProperty(body, "output_config"), "format") ??
    getProperty(getProperty(body, "text"), "format")
  if (getProperty(format, "type") === "json_schema") {
    const described = getProperty(format, "json_schema") ?? format
    return { form: "json", schema: getProperty(described, "schema") }
  }
  const prompt = skipFence(toPrompt(body))
  const identifiers = findLastNumbering(prompt)
  if (!asksForLogprobs(body)) {
    const schema = parseQuestions(prompt)
    if (schema !== undefined || getProperty(format, "type") === "json_object") {
      return { form: "json", schema }
    }
  }
  return identifiers.length > 0 ? { form: "identifier", identifiers } : { form: "prose" }
}

/** Whether a request asks for log probabilities, in chat or in the Responses API. */
export const asksForLogprobs = (body: unknown): boolean => {
  const include = getProperty(body, "include")
  return (
    getProperty(body, "logprobs") === true ||
    (Array.isArray(include) && include.includes("message.output_text.logprobs"))
  )
}

const toPrompt = (body: unknown): string => {
  const input = getProperty(body, "input")
  return typeof input === "string" ? input : toText(getProperty(body, "messages") ?? input)
}

const toText = (messages: unknown): string =>
  (Array.isArray(messages) ? messages : [])
    .flatMap((message: unknown) => {
      const content = getProperty(message, "content")
      return Array.isArray(content) ? content.map((part) => getProperty(part, "text")) : [content]
    })
    .filter((text) => typeof text === "string")
    .join("\n")

/** The prompt after the last closing tag on its own line, which is the question without its material. */
const skipFence = (prompt: string): string => prompt.split(/^<\/[^>\n]+>$/m).at(-1)!

const option = /^[ \t]*[[(]?(?<id>\d{1,3}|[A-Z])[\]).:]+[ \t]/

/** The identifiers of the last list that counts from 0, 1 or A. */
const findLastNumbering = (prompt: string): ReadonlyArray<string> => {
  let run: Array<string> = []
  for (const line of prompt.split("\n")) {
    const id = option.exec(line)?.groups?.["id"]
    if (id === undefined) continue
    if (id === getSuccessor(run.at(-1))) run.push(id)
    else if (id === "0" || id === "1" || id === "A") run = [id]
  }
  return run
}

const getSuccessor = (id: string | undefined): string | undefined => {
  if (id === undefined) return undefined
  return /\d/.test(id) ? String(Number(id) + 1) : String.fromCharCode(id.charCodeAt(0) + 1)
}

const heading = /^(?<key>[a-z]+\d+)(?<yesNo> \(yes\/no\))?: /
const keyedOption = /^(?<id>[a-z]*\d+): /

/**
 * The JSON Schema of a reply to questions in prose. Each question begins a paragraph as `q0: ...`, with its options below a
 * line `Options:`. The answer is a number for numbered options, an object of probabilities for options with keys (`o0:
 * ...`), and a probability for `q0 (yes/no): ...`.
 */
const parseQuestions = (prompt: string): unknown => {
  const questions = new Map<string, { readonly yesNo: boolean; readonly ids: Array<string> }>()
  let ids: Array<string> | undefined
  let listing = false
  let previous = ""
  for (const line of prompt.split("\n")) {
    const { key, yesNo } = heading.exec(line)?.groups ?? {}
    const { id } = keyedOption.exec(line)?.groups ?? {}
    if (previous === "" && key !== undefined) {
      ids = []
      listing = false
      questions.set(key, { yesNo: yesNo !== undefined, ids })
    } else if (line === "Options:") listing = true
    else if (listing && id !== undefined) ids?.push(id)
    previous = line
  }
  if (questions.size === 0) return undefined
  return {
    type: "object",
    properties: Object.fromEntries(
      [...questions].map(([key, { ids, yesNo }]) => [key, yesNo ? probability : toReplySchema(ids)])
    )
  }
}

const probability = { type: "number" }

const toReplySchema = (ids: ReadonlyArray<string>): unknown =>
  ids.every((id) => /^\d+$/.test(id))
    ? { enum: ids.map(Number) }
    : { type: "object", properties: Object.fromEntries(ids.map((id) => [id, probability])) }
