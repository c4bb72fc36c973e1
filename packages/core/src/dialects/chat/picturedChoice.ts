/** An answer with pictures as a choice of the chat dialect, whose messages have a field of their own for them. */
import type { Answer } from "../../conversation/Answer.ts"
import type { ImagePart, Part } from "../../conversation/Part.ts"
import type { ChatChoice } from "../../upstreams/ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"
import { toAnswer, toChatChoice } from "./chatAnswer.ts"
import { parseMediaUrl } from "./parseContent.ts"
import { writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** Media other than pictures are only in the answer itself. */
export const toPicturedChoice = (answer: Answer, index: number): ChatChoice => {
  if (!answer.parts.some(({ type }) => mediaTypes.has(type))) return toChatChoice(answer, index)
  const choice = toChatChoice(
    { ...answer, parts: answer.parts.filter(({ type }) => !mediaTypes.has(type)) },
    index
  )
  const images = answer.parts.filter((part) => part.type === "image").flatMap(writeImage)
  return {
    ...choice,
    message: images.length === 0 ? choice.message : { ...choice.message, images },
    answer
  }
}

const mediaTypes: ReadonlySet<Part["type"]> = new Set(["audio", "file", "image", "video"])

/** An entry of `images` in a message of chat. */
export const writeImage = ({ source }: ImagePart): ReadonlyArray<Json> =>
  writePart({ type: "image", source })

/** The pictures in the `images` of a message or a delta. */
export const parseImages = (images: unknown): ReadonlyArray<ImagePart> =>
  (Array.isArray(images) ? images : []).flatMap((image: unknown) => {
    const { image_url: linked } = isObject(image) ? image : {}
    const url = isObject(linked) ? linked["url"] : undefined
    return typeof url === "string" ? [{ type: "image", source: parseMediaUrl(url) }] : []
  })

/** The parts of a choice, pictures included. */
export const toPicturedAnswer = (choice: ChatChoice): Answer => {
  const answer = toAnswer(choice)
  const images = choice.answer === undefined ? parseImages(choice.message["images"]) : []
  return images.length === 0 ? answer : { ...answer, parts: [...answer.parts, ...images] }
}
