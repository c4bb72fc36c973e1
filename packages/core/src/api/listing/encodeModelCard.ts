/** Encodes model cards to JSON once, because a list response contains hundreds of them. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { ModelCard } from "../../engine/catalog/model/ModelCard.ts"

/** A model is immutable; only its paths depend on the mount. */
export interface EncodedCard {
  /** UTF-8 text up to the mount. */
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** SHA-256 of `before` and `after`. */
  readonly hash: Uint8Array
}

const cardCache = new WeakMap<Model, EncodedCard>()

export const encodeModelCard = (model: Model): Effect.Effect<EncodedCard, never, Digest.Digest> => {
  const before = cardCache.get(model)
  return before === undefined
    ? Effect.tap(encodeCard(model.card), (made) => Effect.sync(() => cardCache.set(model, made)))
    : Effect.succeed(before)
}

/** Not cached: for cards without a model of their own, such as the card of an alias. */
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

/** Joins cards between two fragments of JSON. `etagSource` identifies the body and is cheaper to hash. */
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
