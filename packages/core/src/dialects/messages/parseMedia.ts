/** Parses images and documents of Anthropic's API. */
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type {
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  TextPart
} from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { parseCacheMark, parseExtra, toExtra, withinDocument } from "./messagesFields.ts"
import { findText } from "../UntranslatableRequest.ts"

type Json = Readonly<Record<string, unknown>>

/** Undefined when it has no source that is known. */
export const parseImage = (block: Json): ImagePart | undefined => {
  const source = parseSource(block["source"], "image/png")
  return source === undefined
    ? undefined
    : { type: "image", source, ...parseExtra(block, imageFields) }
}

const imageFields: ReadonlySet<string> = new Set(["type", "source"])

const parseSource = (source: unknown, defaultType: string): MediaSource | undefined => {
  if (!isObject(source)) return undefined
  const data = findText(source, "data")
  const id = findText(source, "file_id")
  const mediaType = findText(source, "media_type") ?? defaultType
  const url = findText(source, "url")
  switch (source["type"]) {
    case "base64":
      return data === undefined ? undefined : { type: "base64", mediaType, data }
    case "url":
      return url === undefined ? undefined : { type: "url", url }
    case "file":
      return id === undefined ? undefined : { type: "id", id, dialect: "messages" }
    default:
      return undefined
  }
}

/**
 * A document of text or of blocks is text in other dialects, with its pictures behind it: most servers with the chat API refuse
 * files (https://github.com/tinfoilsh/confidential-model-router/pull/240). Undefined when it has no source that is known.
 */
export const parseDocument = (
  block: Json
): ReadonlyArray<FilePart | ImagePart | TextPart> | undefined => {
  const plain = findPlainText(block["source"])
  if (plain !== undefined) {
    const source = { type: "text", media_type: "text/plain", data: plain }
    return [toTextPart({ ...block, source }, [...listHeads(block), plain])]
  }
  const source = parseSource(block["source"], "application/pdf")
  if (source !== undefined) {
    const filename = findText(block, "title")
    const context = findText(block, "context") ?? ""
    const shown: ReadonlyArray<TextPart> =
      context === "" ? [] : [{ type: "text", text: context, extra: toExtra(withinDocument) }]
    return [
      ...shown,
      {
        type: "file",
        source,
        ...(filename === undefined ? undefined : { filename }),
        ...parseExtra(block, documentFields)
      }
    ]
  }
  if (!isObject(block["source"]) || block["source"]["type"] !== "content") return undefined
  const { content } = block["source"]
  const text = toTextPart(block, [...listHeads(block), ...listTexts(content)])
  return [text, ...listImages(content)]
}

const listHeads = (block: Json): ReadonlyArray<string | undefined> => [
  findText(block, "title"),
  findText(block, "context")
]

/** Undefined for a document that is not of text, and for one whose base64 is not valid. */
const findPlainText = (source: unknown): string | undefined => {
  if (!isObject(source)) return undefined
  const data = findText(source, "data")
  if (source["type"] === "text" || data === undefined) return data
  return source["type"] === "base64" && findText(source, "media_type")?.startsWith("text/") === true
    ? Option.getOrUndefined(Result.getSuccess(Base64.decodeString(data)))
    : undefined
}

/** The document itself has them in its own dialect. */
const listImages = (content: unknown): ReadonlyArray<ImagePart> =>
  Array.isArray(content)
    ? content.flatMap((each: unknown) => {
        const image = isObject(each) && each["type"] === "image" ? parseImage(each) : undefined
        return image === undefined ? [] : [{ ...image, extra: toExtra(withinDocument) }]
      })
    : []

const documentFields: ReadonlySet<string> = new Set(["type", "source", "title"])

/** A search result is text in other dialects. */
export const parseSearchResult = (block: Json): TextPart =>
  toTextPart(block, [
    findText(block, "title"),
    findText(block, "source"),
    ...listTexts(block["content"])
  ])

/** A tool that a search of tools found: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool. */
export const parseToolReference = (block: Json): TextPart =>
  toTextPart(block, [`The tool "${findText(block, "tool_name") ?? ""}" is available.`])

/** The block stays unchanged in its own dialect, because its extra fields have a type. A mark within it is one of the text. */
const toTextPart = (block: Json, texts: ReadonlyArray<string | undefined>): TextPart => {
  const cache = findMark(block)
  return {
    type: "text",
    text: texts.filter((text) => text !== undefined && text !== "").join("\n"),
    ...(cache === undefined ? undefined : { cache }),
    extra: toExtra(block)
  }
}

const findMark = (block: Json): CacheMark | undefined => {
  const { cache_control, content, source } = block
  const inside = [...toList(content), ...(isObject(source) ? toList(source["content"]) : [])]
  return (
    parseCacheMark(cache_control) ??
    inside
      .filter(isObject)
      .map(findMark)
      .findLast((mark) => mark !== undefined)
  )
}

const listTexts = (content: unknown): ReadonlyArray<string> => {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((each: unknown) => (isObject(each) ? (findText(each, "text") ?? []) : []))
}
