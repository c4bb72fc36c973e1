/** Writes the parts of turns for Google's API. */
import * as Result from "effect/Result"
import type {
  CallPart,
  FilePart,
  Part,
  ReasoningPart,
  ResultPart,
  TextPart
} from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { writePastArguments } from "../CalledTool.ts"
import { dropForeignReasoning } from "../reasoningFamily.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import type { ToolNames } from "../ToolNames.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"
import { uncheckedSignature, writeSignature, writeThoughtSignature } from "./thoughtSignatures.ts"
import { writeMedia } from "./mediaTypes.ts"

type Written = Result.Result<ReadonlyArray<Json>, UntranslatableRequest>

export interface PartOptions {
  readonly changes: RequestChanges
  readonly names: ToolNames
  /** Whether media may be URLs of any public host. */
  readonly takesUrls: boolean
  /** Whether the result of a call may hold media; else they follow the results. */
  readonly takesResultMedia: boolean
}

/** The parts of a user, or of instructions. */
export const writeUserParts = (parts: ReadonlyArray<Part>, options: PartOptions): Written =>
  writeEach(parts, (part) => {
    switch (part.type) {
      case "text":
        return Result.succeed(writeText(part))
      case "refusal":
        return Result.succeed(writeText({ type: "text", text: part.refusal }))
      case "file":
        return Result.map(writeMedia(part, options.takesUrls), (written) => [
          ...listNames(part).map((text) => ({ text })),
          written
        ])
      case "audio":
      case "image":
      case "video":
        return Result.map(writeMedia(part, options.takesUrls), (written) => [written])
      case "opaque":
        return Result.succeed(writeOpaque(part))
      case "call":
      case "reasoning":
      case "result":
        return Result.succeed([])
    }
  })

/**
 * The API refuses names of files, so they are texts: https://github.com/googleapis/python-genai/issues/951.
 */
const listNames = ({ filename = "" }: FilePart): ReadonlyArray<string> =>
  filename === "" ? [] : [filename]

const writeEach = <P>(parts: ReadonlyArray<P>, write: (part: P) => Written): Written => {
  const written: Array<Json> = []
  for (const part of parts) {
    const each = write(part)
    if (Result.isFailure(each)) return each
    written.push(...each.success)
  }
  return Result.succeed(written)
}

/** An empty text says nothing, but its signature does. */
export const writeText = ({ extra, signature, text }: TextPart): ReadonlyArray<Json> => {
  const thoughtSignature = writeSignature(signature)
  if (text === "" && thoughtSignature === undefined) return []
  return [
    {
      text,
      ...(thoughtSignature === undefined ? undefined : { thoughtSignature }),
      ...getExtraFields(extra)
    }
  ]
}

export const writeOpaque = ({
  dialect,
  raw
}: Extract<Part, { readonly type: "opaque" }>): ReadonlyArray<Json> =>
  dialect === "gemini" && isObject(raw) ? [raw] : []

export const writeThought = (part: ReasoningPart): ReadonlyArray<Json> => {
  const thoughtSignature = writeThoughtSignature(part)
  if ((part.text ?? "") === "" && thoughtSignature === undefined) return []
  return [
    {
      text: part.text ?? "",
      thought: true,
      ...(thoughtSignature === undefined ? undefined : { thoughtSignature }),
      ...getExtraFields(part.extra)
    }
  ]
}

/**
 * Thoughts of other providers are left out. `isCurrent`: no message of the user follows, so the models require a
 * signature on the first call.
 */
export const writeModelParts = (
  parts: ReadonlyArray<Part>,
  isCurrent: boolean,
  options: PartOptions
): Written => {
  const readable = dropForeignReasoning(parts, "google")
  const firstCall = readable.find((part) => part.type === "call")
  return writeEach(readable, (part) => {
    switch (part.type) {
      case "call":
        return Result.succeed([writeCall(part, isCurrent && part === firstCall, options)])
      case "reasoning":
        return Result.succeed(writeThought(part))
      case "audio":
      case "file":
      case "image":
      case "opaque":
      case "refusal":
      case "result":
      case "text":
      case "video":
        return writeUserParts([part], options)
    }
  })
}

const writeCall = (
  call: CallPart,
  needsSignature: boolean,
  { changes, names }: PartOptions
): Json => {
  const signature =
    writeSignature(call.signature) ?? (needsSignature ? uncheckedSignature : undefined)
  return {
    functionCall: {
      id: call.id,
      name: names.toDialect(call),
      args: writePastArguments(call, changes)
    },
    ...(signature === undefined ? undefined : { thoughtSignature: signature }),
    ...getExtraFields(call.extra)
  }
}

/** `nameOf`: the function of a call, as the request names it. */
export const writeResults = (
  results: ReadonlyArray<ResultPart>,
  nameOf: (result: ResultPart) => string,
  options: PartOptions
): Written => {
  const { takesResultMedia } = options
  const responses: Array<Json> = []
  const beside: Array<Json> = []
  for (const result of results) {
    const written = writeEach(result.content, (part) =>
      part.type === "text" || part.type === "opaque"
        ? Result.succeed([])
        : Result.map(writeMedia(part, options.takesUrls), (each) => [each])
    )
    if (Result.isFailure(written)) return written
    const media = written.success
    if (!takesResultMedia) beside.push(...media)
    responses.push({
      functionResponse: {
        id: result.callId,
        name: nameOf(result),
        response: writeResponse(result),
        ...(takesResultMedia && media.length > 0 ? { parts: media } : undefined),
        ...getExtraFields(result.extra)
      }
    })
  }
  return Result.succeed([...responses, ...beside])
}

/** An object, as the API requires: one text, or a list of several. */
const writeResponse = ({ content, isError }: ResultPart): Json => {
  const texts = content.flatMap((part) => {
    if (part.type === "file") return listNames(part)
    return part.type === "text" && part.text !== "" ? [part.text] : []
  })
  return { [isError === true ? "error" : "output"]: texts.length > 1 ? texts : (texts[0] ?? "") }
}
