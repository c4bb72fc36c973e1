/** The files of recordings: what they are by their first bytes, what they are called, and their media types. */

/** By the ending of a file. */
export const fileTypes: ReadonlyMap<string, string> = new Map([
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
  ["mpga", "audio/mpeg"],
  ["mpeg", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["mp4", "audio/mp4"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["webm", "audio/webm"],
  ["flac", "audio/flac"],
  ["aac", "audio/aac"],
  ["aiff", "audio/aiff"]
])

interface Container {
  /** What its files are called; the first is the usual one. */
  readonly names: ReadonlyArray<string>
  readonly matches: (bytes: Uint8Array) => boolean
}

const hasText = (text: string, at: number) => (bytes: Uint8Array) =>
  String.fromCharCode(...bytes.subarray(at, at + text.length)) === text

/** https://en.wikipedia.org/wiki/List_of_file_signatures */
const containers: ReadonlyArray<Container> = [
  {
    names: ["wav"],
    matches: (bytes) => hasText("RIFF", 0)(bytes) && hasText("WAVE", 8)(bytes)
  },
  // Without `opus`: it is Ogg, too (https://www.rfc-editor.org/rfc/rfc7845#section-9), and OpenAI refuses the ending alone
  // (https://github.com/lfnovo/content-core/pull/76).
  { names: ["ogg", "oga"], matches: hasText("OggS", 0) },
  { names: ["flac"], matches: hasText("fLaC", 0) },
  { names: ["webm", "mkv", "mka"], matches: hasText("\u001a\u0045\u00df\u00a3", 0) },
  { names: ["m4a", "mp4", "m4b", "m4v", "mov", "3gp"], matches: hasText("ftyp", 4) }
]

/**
 * What a file with these bytes is called: the first of `names` that fits them, else the usual name of its container. Servers
 * tell by the ending how to read a file. Undefined: there are no names, and the bytes do not tell.
 */
export const findFileName = (
  bytes: Uint8Array,
  names: ReadonlyArray<string>
): string | undefined => {
  const container = containers.find(({ matches }) => matches(bytes))
  if (container === undefined) return names[0]
  return names.find((name) => container.names.includes(name)) ?? container.names[0]
}
