/** Signs webhook events. */
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

export interface SignatureInput {
  /** Contains no dot, because dots separate the parts of the signed text. */
  readonly id: string
  readonly body: string
  /** Unix seconds of the attempt. */
  readonly timestamp: number
  /** Each secret signs, so that secrets can be rotated; without secrets the event is not signed. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com) and of OpenRouter's video callbacks
 * (https://openrouter.ai/docs/cookbook/video-generation/video-generation-webhooks).
 */
export const toSignatureHeaders: (
  signable: SignatureInput
) => Effect.Effect<Readonly<Record<string, string>>, never, Mac.Mac> = Effect.fnUntraced(
  function* ({ body, id, secrets, timestamp }) {
    const standard: Array<string> = []
    const reference: Array<string> = []
    for (const secret of secrets) {
      const text = Redacted.value(secret)
      const key = Result.getOrElse(Base64.decode(text.replace(/^whsec_/, "")), () =>
        encoder.encode(text)
      )
      standard.push(`v1,${Base64.encode(yield* computeHmac(key, `${id}.${timestamp}.${body}`))}`)
      reference.push(
        `v1=${Hex.encode(yield* computeHmac(encoder.encode(text), `${timestamp},${body}`))}`
      )
    }
    return {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "x-openrouter-idempotency-key": id,
      ...(secrets.length === 0
        ? undefined
        : {
            "webhook-signature": standard.join(" "),
            "x-openrouter-signature": [`t=${timestamp}`, ...reference].join(",")
          })
    }
  }
)

const encoder = new TextEncoder()

const computeHmac = Effect.fnUntraced(function* (key: Uint8Array, text: string) {
  const mac = yield* Mac.Mac
  return yield* mac.sign(yield* Mac.key(Mac.hmacSha256, key), encoder.encode(text))
}, Effect.orDie)
