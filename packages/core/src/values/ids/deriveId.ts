/** Derives an id from its parts: equal parts have equal ids. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"

/** In the form of a UUID (version 8). */
export const deriveId = (
  digest: Digest.Digest["Service"],
  parts: ReadonlyArray<string>
): Effect.Effect<string> =>
  Effect.map(
    digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts))),
    (hex) =>
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  )

const encoder = new TextEncoder()
