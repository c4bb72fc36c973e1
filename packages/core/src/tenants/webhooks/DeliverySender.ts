/** Makes one attempt at a delivery: signs and sends the event, and returns the outcome without storing it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Mac from "effect/crypto/Mac"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import {
  HostUnresolved,
  NonPublicAddress,
  OutboundHttp
} from "../../engine/outbound/OutboundHttp.ts"
import { parseCallbackUrl } from "../../engine/outbound/parseCallbackUrl.ts"
import { Settings } from "../../instance/Settings.ts"
import { SteadyTime } from "../../values/SteadyTime.ts"
import { parseRetryAfter } from "../../values/parseRetryAfter.ts"
import { Webhooks } from "../workspaces/Webhooks.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Delivery, DeliveryError } from "./Delivery.ts"
import type { AttemptOutcome } from "./deliveryRetries.ts"

/** Sends deliveries. */
export class DeliverySender extends Context.Service<
  DeliverySender,
  {
    readonly attempt: (delivery: Delivery) => Effect.Effect<AttemptOutcome>
  }
>()("@signalbox/core/tenants/webhooks/DeliverySender") {
  static readonly layer = Layer.effect(
    DeliverySender,
    Effect.gen(function* () {
      const http = HttpClient.withScope(yield* OutboundHttp)
      const mac = yield* Mac.Mac
      const settings = yield* Settings
      const webhooks = yield* Webhooks
      const workspaces = yield* Workspaces

      const send = Effect.fnUntraced(
        function* ({ account, body, id, url, workspace }: Delivery) {
          // The rules may have become stricter since the event was offered.
          if (Result.isFailure(parseCallbackUrl(url, settings)))
            return yield* failWith("unsafe_address")
          yield* Effect.catchTag(workspaces.get({ account }, workspace), "ResourceNotFound", () =>
            failWith("workspace_deleted")
          )
          const { secrets } = yield* Effect.catchTag(
            webhooks.getDeliveryConfig(account, workspace),
            "UnsealFailed",
            () => failWith("secret_unreadable")
          )
          const now = yield* Clock.currentTimeMillis
          const timestamp = Math.floor(now / 1000)
          const { headers, status } = yield* Effect.mapError(
            http.execute(
              HttpClientRequest.post(url, {
                headers: {
                  "user-agent": "signalbox",
                  ...(yield* toSignatureHeaders({ id, body, timestamp, secrets }))
                },
                body: HttpBody.text(body, "application/json")
              })
            ),
            (error): Pick<AttemptOutcome, "error"> => ({ error: toDeliveryError(error) })
          )
          const wait = parseRetryAfter(headers, yield* Clock.currentTimeMillis)
          return { status, ...(wait === undefined ? undefined : { retryAfterMillis: wait }) }
        },
        // Closing the scope closes the connection without reading the body of the response.
        Effect.scoped,
        Effect.timeoutOrElse({
          duration: settings.webhookTimeoutMillis,
          orElse: () => failWith("timeout")
        }),
        Effect.catch((outcome) => Effect.succeed(outcome)),
        Effect.provideService(Mac.Mac, mac),
        // URLs of customers stay out of spans, and trace headers are not sent to receivers.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.provideService(HttpClient.TracerPropagationEnabled, false)
      )

      return {
        attempt: Effect.fnUntraced(function* (delivery) {
          const time = new SteadyTime(yield* Clock.Clock)
          const at = time.now()
          const result = yield* send(delivery)
          return { at, durationMillis: time.now() - at, ...result }
        })
      }
    })
  )
}

const failWith = (error: DeliveryError): Effect.Effect<never, Pick<AttemptOutcome, "error">> =>
  Effect.fail({ error })

const toDeliveryError = ({ cause }: HttpClientError.HttpClientError): DeliveryError => {
  if (cause instanceof NonPublicAddress) return "not_public"
  if (cause instanceof HostUnresolved) return "unresolved"
  return "unreachable"
}

interface SignatureInput {
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
