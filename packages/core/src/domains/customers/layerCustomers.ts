/** Creates, moves, suspends and removes the customers of an account; every change is in the audit log. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { CurrentBundles } from "../../tenants/auth/bundles/Bundle.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import type { CustomerState } from "../../tenants/workspaces/CustomerState.ts"
import type { Actor } from "../../values/Actor.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { mapPage } from "../../values/pages/OffsetPage.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { suggestNames } from "../../values/validation/findNearestName.ts"
import { shorten } from "../../values/validation/text.ts"
import { type Customer, toCustomer } from "./Customer.ts"
import { Customers } from "./Customers.ts"
import { makeCreateCustomer } from "./makeCreateCustomer.ts"
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
