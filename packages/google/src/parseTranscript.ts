/** Parses an untrusted transcript of Google's API. */
import type {
  TranscriptionReply,
  TranscriptSegment,
  TranscriptWord,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import {
  failInvalid,
  failRefused,
  isObject,
  isText,
  type Json,
  readContent,
  toObjects
} from "./readContent.ts"

/** A part is what one speaker says in one go, which becomes a segment where its words have times. */
export const parseTranscript = (
  json: unknown
): Result.Result<TranscriptionReply, UpstreamFailure> =>
  Result.flatMap(readContent(json), ({ facts, finishReason, parts, refusal }) => {
    if (refusal !== undefined) return failRefused(refusal)
    if (finishReason !== undefined && finishReason !== "STOP") {
      return failInvalid(`the transcript ended with ${finishReason}`)
    }
    const turns = parts.filter(({ thought }) => thought !== true).map(parseTurn)
    const words = turns.flatMap((turn) => turn.words)
    const language = turns.find((turn) => turn.language !== undefined)?.language
    return Result.succeed({
      text: join(turns.map(({ text }) => text)) || join(turns.map(({ heard }) => heard)),
      ...(language === undefined ? undefined : { language }),
      ...(words.length === 0 ? undefined : { segments: turns.flatMap(toSegment), words }),
      ...facts
    })
  })

interface Turn {
  /** What the part says; empty: nothing. */
  readonly text: string
  /** What is said about its audio. */
  readonly heard: string
  readonly language: string | undefined
  readonly words: ReadonlyArray<TranscriptWord>
}

const join = (texts: ReadonlyArray<string>): string => texts.filter(isText).join(" ")

const parseTurn = ({ audioTranscription, text: said }: Json): Turn => {
  const about = isObject(audioTranscription) ? audioTranscription : {}
  const { languageCode, speakerLabel } = about
  const words = toObjects(about["words"]).flatMap((word) => parseWord(word, speakerLabel))
  const text = isText(said) ? said.trim() : ""
  const heard = isText(about["text"]) ? about["text"].trim() : join(words.map(({ word }) => word))
  return {
    text,
    heard: heard === "" ? text : heard,
    language: isText(languageCode) && languageCode.length <= 256 ? languageCode : undefined,
    words
  }
}

const parseWord = (
  { endOffset, speakerLabel: own, startOffset, word }: Json,
  speakerLabel: unknown
): ReadonlyArray<TranscriptWord> => {
  const start = parseSeconds(startOffset)
  const end = parseSeconds(endOffset)
  if (!isText(word) || start === undefined || end === undefined) return []
  const speaker = parseSpeaker(own ?? speakerLabel)
  return [{ word, start, end, ...(speaker === undefined ? undefined : { speaker }) }]
}

/** Such as `1.500s`. */
const parseSeconds = (value: unknown): number | undefined => {
  const [, seconds] = (isText(value) && /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(value)) || []
  return seconds === undefined ? undefined : Number(seconds)
}

/** Such as `spk_1`. */
const parseSpeaker = (label: unknown): number | undefined => {
  const [number] = (isText(label) && /\d{1,9}$/.exec(label)) || []
  return number === undefined ? undefined : Number(number)
}

const toSegment = (
  { heard, words: [first, ...others] }: Turn,
  id: number
): ReadonlyArray<TranscriptSegment> => {
  if (first === undefined) return []
  const { speaker, start } = first
  const { end } = others.at(-1) ?? first
  return [{ id, start, end, text: heard, ...(speaker === undefined ? undefined : { speaker }) }]
}
