/** Parses the result of a caller's function. */
import * as Result from "effect/Result"
import type { ResultPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { findText, omitFields } from "../readField.ts"
import { type Json, toCamelCase, toExtra } from "./geminiFields.ts"
import { parseFileData, parseInlineData } from "./parseMedia.ts"

/** `callId` is empty when the response names none. */
export const parseResult = (
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
