/** Creates, moves, suspends and removes the customers of an account; every change is in the audit log. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { parseCallbackUrl } from "../../engine/outbound/parseCallbackUrl.ts"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { CurrentBundles } from "../../tenants/auth/bundles/Bundle.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import type { CustomerState, Workspace } from "../../tenants/workspaces/Workspace.ts"
import { Webhooks } from "../../tenants/workspaces/Webhooks.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { Actor } from "../../values/Actor.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { mapPage } from "../../values/pages/OffsetPage.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { suggestNames } from "../../values/validation/findNearestName.ts"
import { shorten } from "../../values/validation/text.ts"
import { type Customer, CustomerExists, type NewCustomer, toCustomer } from "./Customer.ts"
import { type CreatedCustomer, Customers } from "./Customers.ts"
import { makeCustomerUsage } from "./makeCustomerUsage.ts"

export const layerCustomers = Layer.effect(
  Customers,
  Effect.gen(function* () {
    const audit = yield* Audit
    const bundles = yield* CurrentBundles
    const store = yield* WorkspaceStore
    const workspaces = yield* Workspaces
    const createCustomer = yield* makeCreateCustomer
    const readUsage = yield* makeCustomerUsage

    const get = (actor: Actor, ref: string): Effect.Effect<Customer, ResourceNotFound> =>
      Effect.flatMap(store.find(actor.account, ref), (workspace) =>
        orMissing(ref, workspace === undefined ? undefined : toCustomer(workspace))
      )

    const checkBundle = (name: string): Effect.Effect<void, InvalidRequest> =>
      bundles.has(name)
        ? Effect.void
        : Effect.fail(
            new InvalidRequest({
              path: ["bundle"],
              problem:
                bundles.size === 0
                  ? "the application has no bundles: Options.bundles names them"
                  : `${shorten(name)} is no bundle; ${suggestNames(name, Array.from(bundles.keys()))}`
            })
          )

    /** `change` returns the fields of the customer that change. */
    const changeCustomer = Effect.fnUntraced(function* (
      actor: Actor,
      action: string,
      ref: string,
      change: (customer: CustomerState, at: string) => Partial<CustomerState>,
      name?: string
    ) {
      const { workspace_id } = yield* get(actor, ref)
      const at = DateTime.formatIso(yield* DateTime.now)
      return yield* audit.change(
        actor,
        `customer.${action}`,
        Effect.gen(function* () {
          let before: Customer | undefined
          // The slug stays, so it cannot be taken.
          const updated = yield* Effect.orDie(
            store.update(actor.account, workspace_id, (workspace) => {
              const { customer } = workspace
              if (customer === undefined) return workspace
              before = toCustomer(workspace)
              const after = {
                ...workspace,
                name: name ?? workspace.name,
                customer: { ...customer, ...change(customer, at) }
              }
              return setUpdatedAt(workspace, after, at)
            })
          )
          const after = yield* orMissing(
            ref,
            updated === undefined ? undefined : toCustomer(updated)
          )
          const target = findChangedTarget(workspace_id, before, after)
          return { result: after, target, before, after }
        })
      )
    })

    return {
      get,
      list: (actor, page) =>
        Effect.map(store.listCustomers(actor.account, page), (found) =>
          mapPage(
            found,
            (workspace): Customer => toCustomer(workspace) ?? neverListed(workspace.id)
          )
        ),
      create: (actor, config) =>
        Effect.andThen(checkBundle(config.bundle), createCustomer(actor, config)),
      update: Effect.fnUntraced(function* (actor, ref, { bundle, name }) {
        if (bundle !== undefined) yield* checkBundle(bundle)
        return yield* changeCustomer(
          actor,
          "update",
          ref,
          () => (bundle === undefined ? {} : { bundle }),
          name
        )
      }),
      suspend: (actor, ref, { reason }) =>
        changeCustomer(actor, "suspend", ref, ({ suspended_at, suspended_reason }, at) => ({
          suspended_at: suspended_at ?? at,
          suspended_reason: reason === undefined ? suspended_reason : reason
        })),
      resume: (actor, ref) =>
        changeCustomer(actor, "resume", ref, () => ({
          suspended_at: null,
          suspended_reason: null
        })),
      getUsage: (actor, ref, query) =>
        Effect.flatMap(get(actor, ref), (customer) => readUsage(actor.account, customer, query)),
      remove: (actor, ref) =>
        Effect.flatMap(get(actor, ref), ({ workspace_id }) =>
          workspaces.remove(actor, workspace_id)
        )
    }
  })
)

const orMissing = <A>(ref: string, found: A | undefined): Effect.Effect<A, ResourceNotFound> =>
  found === undefined
    ? Effect.fail(new ResourceNotFound({ resource: "customer", id: ref }))
    : Effect.succeed(found)

const neverListed = (id: string): never => {
  throw new Error(`the store lists the workspace ${id} among customers`)
}

/** Creates a customer: its workspace, its key and its webhook, in one transaction. */
const makeCreateCustomer = Effect.gen(function* () {
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
    // Only this call knows the workspace yet.
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
