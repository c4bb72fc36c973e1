/** Reads untrusted answers of Google's API that hold audio, whole or streamed. */
import {
  type AudioFormat,
  type EventReader,
  type SpeechEvent,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import {
  type AnswerFacts,
  type Content,
  failInvalid,
  failRefused,
  isObject,
  isText,
  readContent,
  readFacts
} from "./readContent.ts"

/** Of a stream, whose events have the next samples each. It ends with its body, after an event that says why. */
export const makeSpeechReader = (): EventReader<SpeechEvent> => {
  let facts: AnswerFacts = {}
  let hasEnded = false
  const conclude = (): SpeechEvent | UpstreamFailure =>
    hasEnded ? { type: "end", ...facts } : brokenOff
  return {
    read: (json) => {
      facts = { ...facts, ...readFacts(json) }
      // The usage may come alone.
      if (json["candidates"] === undefined && json["promptFeedback"] === undefined) return undefined
      const read = Result.flatMap(readContent(json), (content) =>
        Result.flatMap(checkEnd(content), (isLast) => {
          hasEnded ||= isLast
          return parsePieces(content)
        })
      )
      return Result.isFailure(read) ? read.failure : read.success.map(toEvent)
    },
    done: conclude,
    end: conclude
  }
}

/** Of an answer that is whole. Samples become a WAV file where that is the format. */
export const parseSpeech = (
  json: unknown,
  format: AudioFormat
): Result.Result<ReadonlyArray<SpeechEvent>, UpstreamFailure> =>
  Result.flatMap(readContent(json), (content) =>
    Result.flatMap(checkEnd(content), () =>
      Result.flatMap(parsePieces(content), (pieces): ReturnType<typeof parseSpeech> => {
        const [first] = pieces
        if (first === undefined) return failInvalid("the answer holds no audio")
        const all =
          format === "wav" && !isWav(first) ? [{ bytes: toWavHeader(pieces) }, ...pieces] : pieces
        return Result.succeed([...all.map(toEvent), { type: "end", ...content.facts }])
      })
    )
  )

interface AudioPiece {
  readonly bytes: Uint8Array
  /** Such as `audio/L16;codec=pcm;rate=24000`, whose samples are little-endian all the same. */
  readonly mediaType: string
}

const toEvent = ({ bytes }: Pick<AudioPiece, "bytes">): SpeechEvent => ({ type: "audio", bytes })

const parsePieces = ({
  parts
}: Content): Result.Result<ReadonlyArray<AudioPiece>, UpstreamFailure> => {
  const pieces: Array<AudioPiece> = []
  for (const { inlineData } of parts) {
    if (!isObject(inlineData) || !isText(inlineData["data"])) continue
    const { data, mimeType } = inlineData
    const bytes = Base64.decode(data)
    if (Result.isFailure(bytes)) return failInvalid("the audio is not base64")
    if (bytes.success.length === 0) continue
    pieces.push({ bytes: bytes.success, mediaType: isText(mimeType) ? mimeType : "" })
  }
  return Result.succeed(pieces)
}

/** Whether it is the end. Audio that ends for another reason than that all is said is not whole. */
const checkEnd = ({ finishReason, refusal }: Content): Result.Result<boolean, UpstreamFailure> => {
  if (refusal !== undefined) return failRefused(refusal)
  if (finishReason === undefined) return Result.succeed(false)
  return finishReason === "STOP"
    ? Result.succeed(true)
    : failInvalid(`the audio ended with ${finishReason}`)
}

const isWav = ({ bytes }: AudioPiece): boolean =>
  String.fromCharCode(...bytes.subarray(0, 4)) === "RIFF"

/** Of samples of 16 bits on one channel: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
const toWavHeader = (pieces: ReadonlyArray<AudioPiece>): Uint8Array => {
  const [, rate = "24000"] = /rate=(\d{4,6})\b/.exec(pieces[0]?.mediaType ?? "") ?? []
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const header = new Uint8Array(44)
  const view = new DataView(header.buffer)
  const write = (text: string, at: number): void =>
    header.set(
      Array.from(text, (letter) => letter.charCodeAt(0)),
      at
    )
  write("RIFF", 0)
  view.setUint32(4, 36 + size, true)
  write("WAVEfmt ", 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, Number(rate), true)
  view.setUint32(28, Number(rate) * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write("data", 36)
  view.setUint32(40, size, true)
  return header
}

const brokenOff = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before the audio was complete"
})
