/** Parses the instructions and the contents of a request to Google's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import {
  failTranslation,
  findText,
  omitFields,
  readList,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { type Json, toCamelCase, toExtra } from "./geminiFields.ts"
import { parseFileData, parseInlineData } from "./parseMedia.ts"
import { joinPieces, parsePart } from "./parseParts.ts"

type Path = ReadonlyArray<number | string>
type Parsed<A> = Result.Result<A, UntranslatableRequest>

/** Neighbouring contents of one role, as clients make of a stream, are one turn. */
export const parseGeminiTurns = (body: Json): Parsed<ReadonlyArray<Turn>> =>
  Result.gen(function* () {
    const system = yield* parseInstruction(body["systemInstruction"])
    const groups: Array<ContentGroup> = []
    for (const [index, content] of ((yield* readList(body, "contents")) ?? []).entries()) {
      const group = yield* parseContent(content, ["contents", index])
      const last = groups.at(-1)
      if (last?.role === group.role) last.parts.push(...group.parts)
      else groups.push(group)
    }
    const reader = new TurnReader(groups)
    const turns: Array<Turn> = system.length === 0 ? [] : [{ role: "system", parts: system }]
    for (const group of groups) turns.push(...(yield* reader.read(group)))
    return turns
  })

interface ContentGroup {
  readonly role: "assistant" | "user"
  readonly path: Path
  readonly parts: Array<unknown>
}

/** A text is what clients' libraries take, too. */
const parseInstruction = (instruction: unknown): Parsed<ReadonlyArray<Part>> => {
  if (instruction === undefined) return Result.succeed([])
  if (typeof instruction === "string") return Result.succeed([{ type: "text", text: instruction }])
  const path = ["systemInstruction"]
  if (!isObject(instruction)) return failTranslation(path, "must be an object")
  return Result.gen(function* () {
    const parts: Array<Part> = []
    const raw = (yield* readList(toCamelCase(instruction), "parts", path)) ?? []
    for (const [index, part] of raw.entries()) {
      parts.push(...(yield* parsePart(part, [...path, "parts", index], noCalls)))
    }
    return parts
  })
}

const noCalls = { findTool: (name: string) => ({ name }), makeId: (name: string) => name }

const parseContent = (content: unknown, path: Path): Parsed<ContentGroup> => {
  if (!isObject(content)) return failTranslation(path, "must be an object")
  const fields = toCamelCase(content)
  const role = roles.get(fields["role"] ?? "user")
  if (role === undefined) return failTranslation([...path, "role"], "must be user or model")
  return Result.map(readList(fields, "parts", path), (parts = []) => ({
    role,
    path,
    parts: [...parts]
  }))
}

const roles: ReadonlyMap<unknown, ContentGroup["role"]> = new Map([
  ["user", "user"],
  ["model", "assistant"],
  // The role of results, in older clients.
  ["function", "user"]
])

interface OpenCall {
  readonly id: string
  readonly name: string
}

/** Reads turns in order, because results may name their calls by the name of the function only. */
class TurnReader {
  /** Calls without a result so far. */
  #open: Array<OpenCall> = []
  readonly #ids: ReadonlySet<string>
  #made = 0

  constructor(groups: ReadonlyArray<ContentGroup>) {
    this.#ids = new Set(groups.flatMap(({ parts }) => parts.flatMap(findCallId)))
  }

  read(group: ContentGroup): Parsed<ReadonlyArray<Turn>> {
    return group.role === "assistant" ? this.#readAssistant(group) : this.#readUser(group)
  }

  #readAssistant({ parts: raw, path }: ContentGroup): Parsed<ReadonlyArray<Turn>> {
    const calls = { findTool: (name: string) => ({ name }), makeId: () => this.#makeId() }
    const parts: Array<Part> = []
    for (const [index, part] of joinPieces(raw).entries()) {
      const parsed = parsePart(part, [...path, "parts", index], calls)
      if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
      parts.push(...parsed.success)
    }
    this.#open = parts.flatMap((part) => (part.type === "call" ? [part] : []))
    return Result.succeed([{ role: "assistant", parts }])
  }

  #readUser({ parts: raw, path }: ContentGroup): Parsed<ReadonlyArray<Turn>> {
    const results: Array<ResultPart> = []
    const others: Array<Part> = []
    for (const [index, part] of raw.entries()) {
      const partPath = [...path, "parts", index]
      const { functionResponse } = isObject(part) ? toCamelCase(part) : {}
      if (functionResponse === undefined) {
        const parsed = parsePart(part, partPath, noCalls)
        if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
        others.push(...parsed.success)
      } else {
        const parsed = this.#readResult(functionResponse, [...partPath, "functionResponse"])
        if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
        results.push(parsed.success)
      }
    }
    return Result.succeed([
      ...(results.length === 0 ? [] : [{ role: "tool" as const, parts: results }]),
      ...(others.length === 0 && results.length > 0
        ? []
        : [{ role: "user" as const, parts: others }])
    ])
  }

  /** Finds the call by its id, else takes the first open call of the function. */
  #readResult(raw: unknown, path: Path): Parsed<ResultPart> {
    const parsed = parseResult(raw, path)
    if (Result.isFailure(parsed)) return parsed
    const { callId, name } = parsed.success
    const call =
      this.#open.find(({ id }) => id === callId) ?? this.#open.find((each) => each.name === name)
    if (call === undefined) {
      return failTranslation(
        path,
        callId === ""
          ? `the response of "${name ?? ""}" follows no call of it`
          : `the response to the call "${callId}" follows no such call`
      )
    }
    this.#open = this.#open.filter((each) => each !== call)
    return Result.succeed({ ...parsed.success, callId: call.id, name: name ?? call.name })
  }

  /** The same whenever the conversation comes back, because earlier contents do not change. */
  #makeId(): string {
    let id: string
    do id = `call_${++this.#made}`
    while (this.#ids.has(id))
    return id
  }
}

const findCallId = (part: unknown): ReadonlyArray<string> => {
  const { functionCall } = isObject(part) ? toCamelCase(part) : {}
  const id = isObject(functionCall) ? findText(functionCall, "id") : undefined
  return id === undefined ? [] : [id]
}

/** `callId` is empty when the response names none. */
const parseResult = (
  raw: unknown,
  path: ReadonlyArray<number | string>
): Result.Result<ResultPart, UntranslatableRequest> => {
  if (!isObject(raw)) return failTranslation(path, "must be an object")
  const fields = toCamelCase(raw)
  const response = fields["response"] ?? {}
  if (!isObject(response)) return failTranslation([...path, "response"], "must be an object")
  const said = parseResponse(response)
  const media = Array.isArray(fields["parts"]) ? fields["parts"].flatMap(parseMedium) : []
  const name = findText(fields, "name")
  return Result.succeed({
    type: "result",
    callId: findText(fields, "id") ?? "",
    ...(name === undefined ? undefined : { name }),
    content: [
      ...(said?.texts ?? [JSON.stringify(response)]).map((text) => ({
        type: "text" as const,
        text
      })),
      ...media
    ],
    ...(said?.isError === true ? { isError: true } : undefined),
    ...toExtra({
      ...omitFields(fields, resultFields),
      // Other forms are text elsewhere, and go back as they were.
      ...(said === undefined ? { response } : undefined)
    })
  })
}

const resultFields: ReadonlySet<string> = new Set(["id", "name", "response", "parts"])

interface SaidResult {
  readonly texts: ReadonlyArray<string>
  readonly isError: boolean
}

/** `{output}` or `{error}`, with one text or a list of several. */
const parseResponse = (response: Json): SaidResult | undefined => {
  const [[name, value] = [], ...others] = Object.entries(response)
  if (others.length > 0 || (name !== "output" && name !== "error")) return undefined
  const texts = typeof value === "string" ? [value] : value
  return Array.isArray(texts) && texts.every((text) => typeof text === "string")
    ? { texts: texts.filter((text) => text !== ""), isError: name === "error" }
    : undefined
}

const parseMedium = (part: unknown) => {
  if (!isObject(part)) return []
  const { fileData, inlineData } = toCamelCase(part)
  return parseInlineData(inlineData) ?? parseFileData(fileData) ?? []
}
