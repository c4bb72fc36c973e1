/** Parses the tools of a request to Google's API. */
import * as Result from "effect/Result"
import type { Conversation, Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import {
  failTranslation,
  findText,
  isEmpty,
  omitFields,
  readList,
  readObject,
  readTexts,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { type Json, toCamelCase, toExtra } from "./geminiFields.ts"

type Parsed<A> = Result.Result<A, UntranslatableRequest>

/** A tool of a request may hold several functions, and several tools of the provider beside them. */
export const parseGeminiTools = (body: Json): Parsed<ReadonlyArray<Tool>> =>
  Result.gen(function* () {
    const tools: Array<Tool> = []
    for (const [index, each] of ((yield* readList(body, "tools")) ?? []).entries()) {
      const path = ["tools", index]
      if (!isObject(each)) return yield* failTranslation(path, "must be an object")
      const tool = toCamelCase(each)
      const functions = (yield* readList(tool, "functionDeclarations", path)) ?? []
      for (const [at, declared] of functions.entries()) {
        tools.push(yield* parseFunction(declared, [...path, "functionDeclarations", at]))
      }
      for (const [name, value] of Object.entries(tool)) {
        if (name === "functionDeclarations") continue
        tools.push({ type: "server", dialect: "gemini", raw: { [name]: value } })
      }
    }
    return tools
  })

const parseFunction = (declared: unknown, path: ReadonlyArray<number | string>): Parsed<Tool> => {
  if (!isObject(declared)) return failTranslation(path, "must be an object")
  const fields = toCamelCase(declared)
  const name = findText(fields, "name")
  if (name === undefined) return failTranslation([...path, "name"], "must be a string")
  const { parameters, parametersJsonSchema } = fields
  const schema = isObject(parametersJsonSchema)
    ? parametersJsonSchema
    : isObject(parameters)
      ? fromGeminiSchema(parameters)
      : undefined
  return Result.succeed({
    type: "function",
    name,
    ...omitUndefined({ description: findText(fields, "description"), parameters: schema }),
    ...toExtra(omitFields(fields, functionFields))
  })
}

/** `parameters` stays in the request as it was. */
const functionFields: ReadonlySet<string> = new Set(["name", "description", "parametersJsonSchema"])

export interface ParsedToolChoice extends Pick<Conversation, "toolChoice"> {
  /** Fields of `toolConfig` without a neutral form. */
  readonly extraConfig?: Json
}

export const parseGeminiToolChoice = (body: Json): Parsed<ParsedToolChoice> =>
  Result.gen(function* () {
    const config = toCamelCase((yield* readObject(body, "toolConfig")) ?? {})
    const path = ["toolConfig"]
    const calling = toCamelCase((yield* readObject(config, "functionCallingConfig", path)) ?? {})
    const names = yield* readTexts(calling, "allowedFunctionNames", [
      ...path,
      "functionCallingConfig"
    ])
    const toolChoice = toToolChoice(calling["mode"], names ?? [])
    const restCalling = omitFields(calling, toolChoice === undefined ? noFields : callingFields)
    const extra = {
      ...omitFields(config, configFields),
      ...(isEmpty(restCalling) ? undefined : { functionCallingConfig: restCalling })
    }
    return {
      ...omitUndefined({ toolChoice }),
      ...(isEmpty(extra) ? undefined : { extraConfig: extra })
    }
  })

const noFields: ReadonlySet<string> = new Set()
const configFields: ReadonlySet<string> = new Set(["functionCallingConfig"])
const callingFields: ReadonlySet<string> = new Set(["mode", "allowedFunctionNames"])

/** Undefined for a mode without a neutral form, such as to check the arguments of every call. */
const toToolChoice = (mode: unknown, names: ReadonlyArray<string>): ToolChoice | undefined => {
  const [first, ...others] = names
  switch (mode) {
    case "AUTO":
      return { type: "auto" }
    case "NONE":
      return { type: "none" }
    case "ANY":
      if (first === undefined) return { type: "required" }
      return others.length === 0
        ? { type: "tool", name: first }
        : { type: "allowed", mode: "required", names }
    case "VALIDATED":
      return first === undefined ? undefined : { type: "allowed", mode: "auto", names }
    default:
      return undefined
  }
}

/** The same schema in the words of JSON Schema; keywords that it does not know are left out. */
export const fromGeminiSchema = (schema: Json): Json => {
  const { nullable, type, ...keywords } = toCamelCase(schema)
  const named = typeof type === "string" ? type.toLowerCase() : undefined
  return Object.fromEntries([
    ...(named === undefined || named === "type_unspecified"
      ? []
      : [["type", nullable === true ? [named, "null"] : named] as const]),
    ...Object.entries(keywords).flatMap(([name, value]): ReadonlyArray<[string, unknown]> => {
      const written = writeKeyword(name, value)
      return written === undefined ? [] : [[name, written]]
    })
  ])
}

const writeKeyword = (name: string, value: unknown): unknown => {
  switch (name) {
    case "propertyOrdering":
    case "example":
      return undefined
    case "items":
      return isObject(value) ? fromGeminiSchema(value) : value
    case "anyOf":
      return Array.isArray(value)
        ? value.map((each: unknown) => (isObject(each) ? fromGeminiSchema(each) : each))
        : value
    case "properties":
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, each]) => [
              key,
              isObject(each) ? fromGeminiSchema(each) : each
            ])
          )
        : value
    case "maxItems":
    case "maxLength":
    case "maxProperties":
    case "minItems":
    case "minLength":
    case "minProperties":
      // 64-bit numbers are texts.
      return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
    default:
      return value
  }
}
