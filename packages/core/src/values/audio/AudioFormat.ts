/** The formats of audio: what they are called, and how their first bytes look. */
import * as Schema from "effect/Schema"

/** The formats of speech. `pcm` are samples of 16 bits without a header; `opus` is in Ogg. */
export const AudioFormat = Schema.Literals(["mp3", "pcm", "wav", "opus", "aac", "flac"])
export type AudioFormat = typeof AudioFormat.Type

/** By format. `audio/pcm` is what clients of https://openrouter.ai/docs/guides/overview/multimodal/tts expect. */
export const mediaTypes: Readonly<Record<AudioFormat, string>> = {
  mp3: "audio/mpeg",
  pcm: "audio/pcm",
  wav: "audio/wav",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac"
}

/** So many bytes tell the format. */
export const sniffedBytes = 4

/** The format of audio by its first bytes; undefined: none of those with a header, so perhaps `pcm`. */
const sniffAudioFormat = (bytes: Uint8Array): AudioFormat | undefined => {
  const [first, second = 0] = bytes
  switch (String.fromCharCode(...bytes.subarray(0, sniffedBytes))) {
    case "RIFF":
      return "wav"
    case "OggS":
      return "opus"
    case "fLaC":
      return "flac"
  }
  if (first === 0x49 && second === 0x44 && bytes[2] === 0x33) return "mp3" // ID3
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  // The layer bits are 0 in ADTS alone: https://wiki.multimedia.cx/index.php/ADTS
  return (second & 0xf6) === 0xf0 ? "aac" : (second & 0x06) === 0 ? undefined : "mp3"
}

/** Whether audio that begins so may be in the format. Samples may begin like the frame of an MP3. */
export const isInFormat = (format: AudioFormat, start: Uint8Array): boolean => {
  const found = sniffAudioFormat(start)
  return format === "pcm"
    ? found === undefined || found === "aac" || (found === "mp3" && start[0] === 0xff)
    : found === format
}
