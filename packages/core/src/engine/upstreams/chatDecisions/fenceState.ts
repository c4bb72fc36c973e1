/** Encloses the state of a Decision in tags, so that a model can distinguish data from instructions. */
import * as Effect from "effect/Effect"
import { isObject, toList } from "../../../values/json/guards.ts"
import { EventLoop } from "../../../values/json/yieldToEventLoop.ts"

export interface TextPart {
  readonly type: "text"
  readonly text: string
}

export interface ImagePart {
  readonly type: "image_url"
  readonly image_url: { readonly url: string }
}

/** Content of a chat message: a text, or a list of parts if there are images. */
type Content = string | ReadonlyArray<TextPart | ImagePart>

export interface FencedState {
  /** The name of the tags around the state. */
  readonly tag: string
  /** The state comes first, so that prompts with the same state share a prefix. */
  readonly withPrompt: (text: string) => Content
}

/**
 * A string stays unchanged; any other value becomes JSON. Images are top-level items of an array, and the other items
 * become lines of text.
 */
export const fenceState: (state: unknown) => Effect.Effect<FencedState> = Effect.fnUntraced(
  function* (state) {
    const parts = toParts(state)
    const tag = yield* findUnusedTag(parts)
    const fence = [toTextPart(`<${tag}>\n`), ...parts, toTextPart(`\n</${tag}>\n\n`)]
    const { before, end } = joinTexts(fence)
    return {
      tag,
      withPrompt: (text) => (before.length === 0 ? end + text : [...before, toTextPart(end + text)])
    }
  }
)

/** The images of a state, in order. */
export const listImages = (state: unknown): ReadonlyArray<ImagePart> =>
  Array.isArray(state) ? state.filter(isImage) : []

// Without Schema, because a list may have a hundred thousand items.
const isImage = (item: unknown): item is ImagePart =>
  isObject(item) &&
  item["type"] === "image_url" &&
  isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

/** Adjacent texts become one part. */
const toParts = (state: unknown): ReadonlyArray<TextPart | ImagePart> => {
  if (!Array.isArray(state) || !state.some(isImage)) return [toTextPart(toText(state))]
  const parts: Array<TextPart | ImagePart> = []
  let lines: string | undefined
  for (const item of toList(state)) {
    if (!isImage(item)) {
      lines = lines === undefined ? toText(item) : `${lines}\n${toText(item)}`
      continue
    }
    if (lines !== undefined) parts.push(toTextPart(lines))
    lines = undefined
    parts.push({ type: "image_url", image_url: { url: item.image_url.url } })
  }
  return lines === undefined ? parts : [...parts, toTextPart(lines)]
}

const toText = (json: unknown): string => (typeof json === "string" ? json : JSON.stringify(json))

const toTextPart = (text: string): TextPart => ({ type: "text", text })

/**
 * `state-` and the first number that does not occur in the state. So no text inside can close the tag, and nothing
 * needs escaping.
 */
const findUnusedTag: (parts: ReadonlyArray<TextPart | ImagePart>) => Effect.Effect<string> =
  Effect.fnUntraced(function* (parts) {
    const taken = new Set<number>()
    let seen = 0
    for (const part of parts) {
      if (part.type !== "text" || !tagPattern.test(part.text)) continue
      for (const [, number] of part.text.matchAll(/state-(\d+)/gi)) {
        taken.add(Number(number))
        if (++seen % tagsPerTick === 0) yield* (yield* EventLoop).next
      }
    }
    let free = 1
    while (taken.has(free)) free++
    return `state-${free}`
  })

const tagPattern = /state-\d/i

/** Matches of the tag pattern that are processed in one turn of the event loop. */
const tagsPerTick = 50_000

interface JoinedParts {
  /** The parts up to the last image. */
  readonly before: ReadonlyArray<TextPart | ImagePart>
  /** The text after it. */
  readonly end: string
}

/** Joins adjacent texts. */
const joinTexts = (parts: ReadonlyArray<TextPart | ImagePart>): JoinedParts => {
  const before: Array<TextPart | ImagePart> = []
  let end = ""
  for (const part of parts) {
    if (part.type === "text") {
      end += part.text
      continue
    }
    before.push(toTextPart(end), part)
    end = ""
  }
  return { before, end }
}
