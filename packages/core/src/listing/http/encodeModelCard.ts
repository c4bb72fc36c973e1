/** Cards of models as the JSON that is sent, put together once: a list is hundreds of them. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type { Model } from "../../catalog/model/Model.ts"
import type { ModelCard } from "../../catalog/model/ModelCard.ts"

/** A model never changes; only its paths depend on where the host mounted us. */
export interface EncodedCard {
  /** Up to the mount, in UTF-8. */
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** The SHA-256 of both: two cards with the same are the same text under the same mount. */
  readonly hash: Uint8Array
}

const cardCache = new WeakMap<Model, EncodedCard>()

export const encodeModelCard = (model: Model): Effect.Effect<EncodedCard, never, Digest.Digest> => {
  const before = cardCache.get(model)
  return before === undefined
    ? Effect.tap(encodeCard(model.card), (made) => Effect.sync(() => cardCache.set(model, made)))
    : Effect.succeed(before)
}

/** A card of its own, such as that of an alias. */
export const encodeCard = ({
  links: { details },
  ...card
}: ModelCard): Effect.Effect<EncodedCard, never, Digest.Digest> => {
  const before = encoder.encode(`${JSON.stringify(card).slice(0, -1)},"links":{"details":"`)
  const after = encoder.encode(`${JSON.stringify(details).slice(1)}}}`)
  return Effect.map(
    Effect.flatMap(Digest.Digest, (digest) =>
      digest.digest(Digest.sha256, concatBytes([before, after]))
    ),
    (hash) => ({ before, after, hash })
  )
}

/** The cards between two other pieces of JSON, under a mount. */
export const joinCards = (
  start: string,
  cards: ReadonlyArray<EncodedCard>,
  end: string,
  mount: string
): { readonly body: Uint8Array; readonly etagSource: Uint8Array } => {
  const mountBytes = encoder.encode(JSON.stringify(mount).slice(1, -1))
  const pieces: Array<Uint8Array> = [encoder.encode(start)]
  for (const [index, { after, before }] of cards.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(before, mountBytes, after)
  }
  pieces.push(encoder.encode(end))
  return {
    body: concatBytes(pieces),
    etagSource: concatBytes([
      ...cards.map(({ hash }) => hash),
      encoder.encode(`${start}\0${end}\0${mount}`)
    ])
  }
}

const concatBytes = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const encoder = new TextEncoder()
const comma = encoder.encode(",")
