/** The encodings in which a secret may be repeated: plain, in a URL, in a header, in base64. */
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"

/**
 * Each encoding is the part of the text that does not depend on its surroundings, and without which the secret cannot
 * be recovered.
 */
export const listSecretEncodings = (secret: string): ReadonlyArray<string> => {
  if (secret === "") return []
  // Encodings of shorter secrets occur in ordinary text.
  if (secret.length < minEncodedLength) return [secret]
  const bytes = encoder.encode(secret)
  const hex = Hex.encode(bytes)
  return Array.from(
    new Set([
      secret,
      ...(isNeverEscaped(secret) ? [] : listEscapedForms(secret)),
      ...[0, 1, 2].flatMap((before) => listBase64Forms(bytes, before)),
      hex,
      hex.toUpperCase()
    ])
  )
}

/** The encodings of several secrets without duplicates; the longest first, because one may be a prefix of another. */
export const listAllSecretEncodings = (secrets: Iterable<string>): ReadonlyArray<string> =>
  Array.from(new Set(Array.from(secrets, listSecretEncodings).flat())).toSorted(
    (self, that) => that.length - self.length
  )

const minEncodedLength = 8

const encoder = new TextEncoder()

/** Characters that no encoding escapes. */
const isNeverEscaped = (secret: string): boolean => /^[\w.-]*$/.test(secret)

const listEscapedForms = (secret: string): ReadonlyArray<string> => {
  const urlEncoded = encodeURIComponent(secret.toWellFormed())
  const formEncoded = new URLSearchParams([["", secret]]).toString().slice(1)
  return [
    // Plain text may contain JSON.
    JSON.stringify(secret).slice(1, -1),
    urlEncoded,
    lowercaseEscapes(urlEncoded),
    formEncoded,
    lowercaseEscapes(formEncoded)
  ]
}

const lowercaseEscapes = (text: string): string =>
  text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())

/**
 * The characters that follow from the secret alone when `before` bytes precede it, like the user's name in
 * `Authorization: Basic`. Three bytes become four characters, so three more bytes give the same characters.
 */
const listBase64Forms = (bytes: Uint8Array, before: number): ReadonlyArray<string> => {
  const padded = new Uint8Array(before + bytes.length)
  padded.set(bytes, before)
  const from = Math.ceil((before * 8) / 6)
  const to = Math.floor((padded.length * 8) / 6)
  const encoded = Base64.encode(padded).slice(from, to)
  return [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]
}
