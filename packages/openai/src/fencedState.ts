/** The state of a Decision as message content: delimited, so that a model can tell data from orders. */
import * as Schema from "effect/Schema"

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
export const fencedState = (state: unknown): FencedState => {
  const parts = partsOf(state)
  const tag = unusedTag(parts)
  return {
    tag,
    followedBy: (text) =>
      contentOf([textPart(`<${tag}>\n`), ...parts, textPart(`\n</${tag}>\n\n${text}`)])
  }
}

/** The images of a state, in order. */
export const imagesOf = (state: unknown): ReadonlyArray<ImagePart> =>
  Array.isArray(state) ? state.filter(isImage) : []

const isImage = Schema.is(
  Schema.Struct({
    type: Schema.Literal("image_url"),
    image_url: Schema.Struct({ url: Schema.String })
  })
)

const partsOf = (state: unknown): ReadonlyArray<TextPart | ImagePart> => {
  if (!Array.isArray(state) || !state.some(isImage)) return [textPart(textOf(state))]
  return state.map((item: unknown, i) => {
    if (isImage(item)) return { type: "image_url", image_url: { url: item.image_url.url } }
    return textPart(i > 0 && !isImage(state[i - 1]) ? `\n${textOf(item)}` : textOf(item))
  })
}

const textOf = (json: unknown): string => (typeof json === "string" ? json : JSON.stringify(json))

const textPart = (text: string): TextPart => ({ type: "text", text })

/**
 * `state-1`, or the first number that stands nowhere in the state: text inside can then never close
 * the fence, and nothing in it has to be escaped.
 */
const unusedTag = (parts: ReadonlyArray<TextPart | ImagePart>): string => {
  const taken = new Set<number>()
  for (const part of parts) {
    if (part.type !== "text") continue
    for (const [, number] of part.text.matchAll(/state-(\d+)/gi)) taken.add(Number(number))
  }
  let free = 1
  while (taken.has(free)) free++
  return `state-${free}`
}

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
