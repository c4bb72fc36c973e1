/** The state of a Decision as message content: delimited, so that a model can tell data from orders. */
import { Turns } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

interface TextPart {
  readonly type: "text"
  readonly text: string
}

export interface ImagePart {
  readonly type: "image_url"
  readonly image_url: { readonly url: string }
}

/** Message content of the chat dialect: a text, or a list of parts where there are images. */
type Content = string | ReadonlyArray<TextPart | ImagePart>

export interface FencedState {
  /** The name of the tags around the state. */
  readonly tag: string
  /** The state between its tags, first, so that prompts over one state share a prefix; then `text`. */
  readonly followedBy: (text: string) => Content
}

/**
 * A string is kept as it is, other JSON is written as JSON. Images are top-level items of an array
 * (semantics C2); the text items beside them become lines of text.
 */
export const fencedState: (state: unknown) => Effect.Effect<FencedState> = Effect.fnUntraced(
  function* (state) {
    const parts = partsOf(state)
    const tag = yield* unusedTag(parts)
    return {
      tag,
      followedBy: (text) =>
        contentOf([textPart(`<${tag}>\n`), ...parts, textPart(`\n</${tag}>\n\n${text}`)])
    }
  }
)

/** The images of a state, in order. */
export const imagesOf = (state: unknown): ReadonlyArray<ImagePart> =>
  Array.isArray(state) ? state.filter(isImage) : []

// By hand, for a list may have a hundred thousand items.
const isImage = (item: unknown): item is ImagePart =>
  Predicate.isObject(item) &&
  item["type"] === "image_url" &&
  Predicate.isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

/** Texts that stand side by side are one part. */
const partsOf = (state: unknown): ReadonlyArray<TextPart | ImagePart> => {
  if (!Array.isArray(state) || !state.some(isImage)) return [textPart(textOf(state))]
  const parts: Array<TextPart | ImagePart> = []
  let lines: string | undefined
  for (const item of state as ReadonlyArray<unknown>) {
    if (!isImage(item)) {
      lines = lines === undefined ? textOf(item) : `${lines}\n${textOf(item)}`
      continue
    }
    if (lines !== undefined) parts.push(textPart(lines))
    lines = undefined
    parts.push({ type: "image_url", image_url: { url: item.image_url.url } })
  }
  return lines === undefined ? parts : [...parts, textPart(lines)]
}

const textOf = (json: unknown): string => (typeof json === "string" ? json : JSON.stringify(json))

const textPart = (text: string): TextPart => ({ type: "text", text })

/**
 * `state-1`, or the first number that stands nowhere in the state: text inside can then never close
 * the fence, and nothing in it has to be escaped.
 */
const unusedTag: (parts: ReadonlyArray<TextPart | ImagePart>) => Effect.Effect<string> =
  Effect.fnUntraced(function* (parts) {
    const taken = new Set<number>()
    let seen = 0
    for (const part of parts) {
      if (part.type !== "text") continue
      for (const [, number] of part.text.matchAll(/state-(\d+)/gi)) {
        taken.add(Number(number))
        if (++seen % tagsInOneTurn === 0) yield* (yield* Turns).next
      }
    }
    let free = 1
    while (taken.has(free)) free++
    return `state-${free}`
  })

/** How many texts that look like tags are looked at in one turn of the event loop. */
const tagsInOneTurn = 50_000

/** Neighbouring texts joined; a plain string when there are no images. */
const contentOf = (parts: ReadonlyArray<TextPart | ImagePart>): Content => {
  const joined: Array<TextPart | ImagePart> = []
  let text = ""
  for (const part of parts) {
    if (part.type === "text") {
      text += part.text
      continue
    }
    joined.push(textPart(text), part)
    text = ""
  }
  return joined.length === 0 ? text : [...joined, textPart(text)]
}
