/** Counts the turns of a conversation as the messages that they are in the chat dialect. */
import type { Turn } from "../../../conversation/Conversation.ts"
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
  Part,
  VideoPart
} from "../../../conversation/Part.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"

type Turns = ReadonlyArray<Turn>

// Loops by index: all of this runs for every request, and iterators would be garbage.

/** Every result is a message, and so is what else a turn says. */
export const countTurnMessages = (turns: Turns): number => {
  let messages = 0
  for (let at = 0; at < turns.length; at++) {
    const { parts, role } = turns[at]!
    let results = 0
    for (let index = 0; index < parts.length; index++) {
      if (parts[index]!.type === "result") results++
    }
    messages += results
    if (parts.length > results || (parts.length === 0 && role !== "tool")) messages++
  }
  return messages
}

/** The most parts of one message. Texts of an answer become one. */
export const countMostParts = (turns: Turns): number => {
  let most = 0
  for (let at = 0; at < turns.length; at++) {
    const { parts, role } = turns[at]!
    let said = 0
    let isText = role === "assistant"
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!
      if (part.type === "result") most = Math.max(most, part.content.length)
      else if (isSaid(part)) {
        said++
        if (part.type !== "text") isText = false
      }
    }
    if (!isText) most = Math.max(most, said)
  }
  return most
}

/** Parts that only another dialect has are left out. */
const isSaid = (part: Part): boolean => {
  switch (part.type) {
    case "call":
    case "reasoning":
    case "refusal":
    case "result":
      return false
    case "opaque":
      return part.dialect === "chat"
    case "audio":
    case "file":
    case "image":
    case "text":
    case "video":
      return true
  }
}

/** The beginning of an answer at the end, as a message counted from 0. */
export const findTurnPrefill = (turns: Turns): number | undefined => {
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at]!
    if (turn.role !== "assistant" || turn.parts.some(({ type }) => type === "call")) {
      return undefined
    }
    if (turn.parts.some(saysSomething)) return countTurnMessages(turns.slice(0, at))
  }
  return undefined
}

const saysSomething = (part: Part): boolean =>
  part.type === "text" ? /\S/.test(part.text) : isSaid(part)

/** A part that is shown or heard instead of read. */
export type MediaPart = AudioPart | FilePart | ImagePart | VideoPart

/** Lists the media of turns, and of results in them. */
export const listMediaParts = (turns: Turns): ReadonlyArray<MediaPart> => {
  let media: Array<MediaPart> | undefined
  for (let at = 0; at < turns.length; at++) {
    const { parts } = turns[at]!
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!
      if (part.type === "result") {
        for (const each of part.content) if (isMedia(each)) (media ??= []).push(each)
      } else if (isMedia(part)) (media ??= []).push(part)
    }
  }
  return media ?? none
}

const none: ReadonlyArray<never> = []

const isMedia = (part: Part): part is MediaPart => {
  switch (part.type) {
    case "audio":
    case "file":
    case "image":
    case "video":
      return true
    case "call":
    case "opaque":
    case "reasoning":
    case "refusal":
    case "result":
    case "text":
      return false
  }
}

/** Files of text are text. */
export const toPromptMedia = (parts: ReadonlyArray<MediaPart>): ReadonlyArray<PromptMedium> =>
  parts.length === 0 ? none : parts.flatMap((part) => toMedium(part) ?? none)

const toMedium = ({ source, type }: MediaPart): PromptMedium | undefined => {
  const length = getLength(source)
  if (type === "audio" && source.type !== "base64") return { type, length, isElsewhere: true }
  const isText = type === "file" && source.type === "base64" && source.mediaType.startsWith("text/")
  return isText ? undefined : { type, length }
}

/** The id of a file counts as text. */
const getLength = (source: MediaSource): number => {
  switch (source.type) {
    case "base64":
      return source.data.length
    case "url":
      return source.url.length
    case "id":
      return 0
  }
}
