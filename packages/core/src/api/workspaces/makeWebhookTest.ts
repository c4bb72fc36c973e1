/** Sends a test event to the webhook of a workspace at once, and says how it went. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { redactUrlQuery } from "../../engine/secrets/redact.ts"
import { Settings } from "../../instance/Settings.ts"
import { RateLimited } from "../../tenants/auth/AuthErrors.ts"
import { RateLimits } from "../../tenants/auth/rateLimits/RateLimits.ts"
import type { Delivery } from "../../tenants/webhooks/Delivery.ts"
import type { AttemptOutcome } from "../../tenants/webhooks/deliveryRetries.ts"
import { DeliverySender } from "../../tenants/webhooks/DeliverySender.ts"
import { Webhooks } from "../../tenants/workspaces/Webhooks.ts"
import type { Actor } from "../../values/Actor.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"

/** A test event that was sent, and what became of it. */
export interface WebhookTest {
  readonly id: string
  /** The receiver's, without its query. */
  readonly url: string
  readonly outcome: AttemptOutcome
}

/**
 * The event is signed and sent as any other, by the same rules of which addresses may be reached. It is no delivery: it is not
 * kept, not repeated, and a 410 leaves the webhook as it is. `Settings.webhookTestsPerMinute` bounds those of an account.
 */
export const makeWebhookTest = Effect.gen(function* () {
  const audit = yield* Audit
  const rateLimits = yield* RateLimits
  const { attempt } = yield* DeliverySender
  const { webhookTestsPerMinute: requests } = yield* Settings
  const webhooks = yield* Webhooks

  return Effect.fnUntraced(function* (
    actor: Actor,
    workspaceName: string
  ): Effect.fn.Return<WebhookTest, RateLimited | ResourceNotFound> {
    const { callback_url: url, workspace_id: workspace } = yield* webhooks.get(actor, workspaceName)
    if (url === null) return yield* new ResourceNotFound({ resource: "webhook", id: workspace })
    const now = yield* Clock.currentTimeMillis
    const retryAfterMillis = yield* rateLimits.take(
      JSON.stringify(["webhook-tests", actor.account]),
      { requests, windowMillis: 60_000 }
    )
    if (retryAfterMillis > 0) {
      return yield* new RateLimited({
        holder: "account",
        limit: requests,
        retryAfterMillis,
        resetAt: now + retryAfterMillis
      })
    }
    const id = `test-${SecureRandom.uuidV4Unsafe()}`
    const shownUrl = redactUrlQuery(url)
    // Before it is sent, so that no event leaves without its entry.
    yield* audit.change(
      actor,
      "webhook.test",
      Effect.succeed({
        result: undefined,
        target: workspace,
        after: { id, callback_url: shownUrl }
      })
    )
    return {
      id,
      url: shownUrl,
      outcome: yield* attempt(makeTestEvent(actor, workspace, { id, url, now }))
    }
  })
}).pipe(
  Effect.provide(
    DeliverySender.layer.pipe(
      Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
    )
  )
)

const makeTestEvent = (
  { account }: Actor,
  workspace: string,
  { id, now, url }: { readonly id: string; readonly now: number; readonly url: string }
): Delivery => ({
  id,
  account,
  workspace,
  type: "webhook.test",
  url,
  isWorkspaceUrl: true,
  body: JSON.stringify({
    type: "webhook.test",
    created_at: new Date(now).toISOString(),
    data: { workspace_id: workspace }
  }),
  createdAt: now,
  state: "pending",
  version: 1,
  failures: 0,
  attempts: []
})
