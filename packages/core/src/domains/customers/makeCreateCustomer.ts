/** Creates a customer: its workspace, its key and its webhook, in one transaction. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { parseCallbackUrl } from "../../engine/outbound/parseCallbackUrl.ts"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import { Webhooks } from "../../tenants/workspaces/Webhooks.ts"
import type { Workspace } from "../../tenants/workspaces/Workspace.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import type { Actor } from "../../values/Actor.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { type NewCustomer, toCustomer } from "./Customer.ts"
import { CustomerExists } from "./CustomerErrors.ts"
import type { CreatedCustomer } from "./Customers.ts"

export const makeCreateCustomer = Effect.gen(function* () {
  const audit = yield* Audit
  const keys = yield* ApiKeys
  const keyStore = yield* ApiKeyStore
  const settings = yield* Settings
  const store = yield* WorkspaceStore
  const { withTransaction } = yield* Transaction
  const webhooks = yield* Webhooks
  const workspaces = yield* Workspaces

  /** Returns the customer of the workspace; fails with `CustomerExists` where it differs from the request. */
  const findExisting = Effect.fnUntraced(function* (
    actor: Actor,
    workspace: Workspace,
    { bundle, callback_url, name, slug }: NewCustomer
  ) {
    const differs = (difference: string) => new CustomerExists({ slug, difference })
    const customer = toCustomer(workspace)
    if (customer === undefined) {
      return yield* differs("is a workspace without a bundle; choose another slug")
    }
    if (customer.bundle !== bundle) {
      return yield* differs(`has the bundle ${customer.bundle}; move it with an update`)
    }
    if (name !== undefined && customer.name !== name) {
      return yield* differs(`is called ${customer.name}; rename it with an update`)
    }
    if (callback_url !== undefined) {
      const { callback_url: known } = yield* Effect.orDie(webhooks.get(actor, workspace.id))
      const wanted = parseCallbackUrl(callback_url, settings)
      if (Result.isFailure(wanted) || wanted.success !== known) {
        return yield* differs("has another webhook; set the webhook of its workspace")
      }
    }
    return { customer, isNew: false } satisfies CreatedCustomer
  })

  const createNew = (actor: Actor, { bundle, callback_url, name, slug }: NewCustomer) =>
    audit.change(
      actor,
      "customer.create",
      Effect.gen(function* () {
        const { id } = yield* workspaces.create(actor, { name: name ?? slug, slug })
        const { key, secret } = yield* keys.create(actor, {
          name: name ?? slug,
          workspace_id: id,
          creator_user_id: null
        })
        yield* keyStore.update(actor.account, key.hash, (made) => ({ ...made, customer: true }))
        const state = { bundle, key_hash: key.hash, suspended_at: null, suspended_reason: null }
        // The slug stays, so it cannot be taken.
        const made = yield* Effect.orDie(
          store.update(actor.account, id, (workspace) => ({ ...workspace, customer: state }))
        )
        const customer = made === undefined ? undefined : toCustomer(made)
        if (customer === undefined) return yield* Effect.die(new Error("a new workspace is gone"))
        const webhookSecret =
          callback_url === undefined ? undefined : yield* makeWebhook(actor, id, callback_url)
        return {
          result: {
            customer,
            isNew: true,
            key: secret,
            ...omitUndefined({ webhookSecret })
          } satisfies CreatedCustomer,
          target: id,
          after: customer
        }
      })
    )

  const makeWebhook = Effect.fnUntraced(function* (actor: Actor, id: string, url: string) {
    // Nobody else knows the workspace yet.
    yield* dieIfMissing(webhooks.put(actor, id, { callback_url: url }))
    const { secret } = yield* dieIfMissing(webhooks.createSecret(actor, id))
    return secret
  })

  /** Read without caches, because another process may have created it a moment ago. */
  const findNow = (actor: Actor, slug: string) =>
    withTransaction(Effect.suspend(() => store.find(actor.account, slug)))

  return Effect.fnUntraced(function* (
    actor: Actor,
    config: NewCustomer
  ): Effect.fn.Return<CreatedCustomer, CustomerExists | InvalidRequest | QuotaExceeded> {
    const known = yield* store.find(actor.account, config.slug)
    if (known !== undefined) return yield* findExisting(actor, known, config)
    return yield* Effect.catchTag(createNew(actor, config), "InvalidRequest", (error) =>
      Effect.flatMap(
        findNow(actor, config.slug),
        (created): Effect.Effect<CreatedCustomer, CustomerExists | InvalidRequest> =>
          created === undefined ? Effect.fail(error) : findExisting(actor, created, config)
      )
    )
  })
})

const dieIfMissing = <A>(
  effect: Effect.Effect<A, InvalidRequest | ResourceNotFound>
): Effect.Effect<A, InvalidRequest> => Effect.catchTag(effect, "ResourceNotFound", Effect.die)
