/** One attempt at a delivery: signs, sends once, and says what came of it. It changes nothing that is kept. */
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import { NotPublic, Unresolved } from "../outbound/OutboundErrors.ts"
import { OutboundHttp } from "../outbound/OutboundHttp.ts"
import { Settings } from "../Settings.ts"
import { callbackUrl } from "../values/callbackUrl.ts"
import { retryAfterMillis } from "../values/retryAfterMillis.ts"
import { Webhooks } from "../workspaces/Webhooks.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Outcome } from "./afterAttempt.ts"
import type { Delivery, DeliveryError } from "./Delivery.ts"
import { signatureHeaders } from "./signatureHeaders.ts"

/** Built once. */
export const makeAttemptDelivery = Effect.gen(function* () {
  const http = HttpClient.withScope(yield* OutboundHttp)
  const mac = yield* Mac.Mac
  const settings = yield* Settings
  const webhooks = yield* Webhooks
  const workspaces = yield* Workspaces

  const send = Effect.fnUntraced(
    function* ({ account, body, id, url, workspace }: Delivery) {
      // The rules may be stricter than they were when it was offered.
      if (Result.isFailure(callbackUrl(url, settings))) return yield* failed("unsafe_address")
      yield* Effect.catchTag(workspaces.find({ account }, workspace), "Missing", () =>
        failed("workspace_deleted")
      )
      const { secrets } = yield* Effect.catchTag(
        webhooks.delivery(account, workspace),
        "CannotOpen",
        () => failed("secret_unreadable")
      )
      const now = yield* Clock.currentTimeMillis
      const timestamp = Math.floor(now / 1000)
      const { headers, status } = yield* Effect.mapError(
        http.execute(
          HttpClientRequest.post(url, {
            headers: {
              "user-agent": "signalbox",
              ...(yield* signatureHeaders({ id, body, timestamp, secrets }))
            },
            body: HttpBody.text(body, "application/json")
          })
        ),
        (error): Pick<Outcome, "error"> => ({ error: reasonOf(error) })
      )
      const wait = retryAfterMillis(headers, yield* Clock.currentTimeMillis)
      return { status, ...(wait === undefined ? undefined : { retryAfterMillis: wait }) }
    },
    // Its end hangs up: what else the receiver has to say is not read, however much that is.
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: settings.webhookDeadlineMillis,
      orElse: () => failed("timeout")
    }),
    Effect.catch((outcome) => Effect.succeed(outcome)),
    Effect.provideService(Mac.Mac, mac),
    // Neither spans nor the receiver are told of addresses and traces.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false)
  )

  return Effect.fnUntraced(function* (delivery: Delivery): Effect.fn.Return<Outcome> {
    const at = yield* Clock.currentTimeMillis
    const told = yield* send(delivery)
    return { at, durationMillis: (yield* Clock.currentTimeMillis) - at, ...told }
  })
})

const failed = (error: DeliveryError): Effect.Effect<never, Pick<Outcome, "error">> =>
  Effect.fail({ error })

const reasonOf = ({ cause }: HttpClientError.HttpClientError): DeliveryError => {
  if (cause instanceof NotPublic) return "not_public"
  if (cause instanceof Unresolved) return "unresolved"
  return "unreachable"
}
