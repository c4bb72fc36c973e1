/** Creates, moves, suspends and removes the customers of an account; every change is in the audit log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Actor } from "../../values/Actor.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type {
  Customer,
  CustomerExists,
  CustomerPatch,
  CustomerUsage,
  NewCustomer,
  Suspension,
  UsageQuery
} from "./Customer.ts"

/** Customers, given by slug, or by the id of their workspace. */
export class Customers extends Context.Service<
  Customers,
  {
    /**
     * Creates the workspace, its key and its webhook, all or nothing. A customer that is there already with the same
     * bundle, and with the name and the URL that are given, is returned without its secrets. Race: of concurrent calls
     * one creates it.
     */
    readonly create: (
      actor: Actor,
      config: NewCustomer
    ) => Effect.Effect<CreatedCustomer, CustomerExists | InvalidRequest | QuotaExceeded>
    readonly get: (actor: Actor, ref: string) => Effect.Effect<Customer, ResourceNotFound>
    /** Oldest first. */
    readonly list: (actor: Actor, page: OffsetRequest) => Effect.Effect<OffsetPage<Customer>>
    /** Another bundle holds from the next request on; what is spent in running intervals counts on. */
    readonly update: (
      actor: Actor,
      ref: string,
      patch: CustomerPatch
    ) => Effect.Effect<Customer, InvalidRequest | ResourceNotFound>
    /** Refuses its requests from now on; those that run end as usual. */
    readonly suspend: (
      actor: Actor,
      ref: string,
      suspension: Suspension
    ) => Effect.Effect<Customer, ResourceNotFound>
    readonly resume: (actor: Actor, ref: string) => Effect.Effect<Customer, ResourceNotFound>
    /** What it has used in the running period, or in the one before. */
    readonly getUsage: (
      actor: Actor,
      ref: string,
      query: UsageQuery
    ) => Effect.Effect<CustomerUsage, ResourceNotFound>
    /** Removes its workspace with everything in it. */
    readonly remove: (
      actor: Actor,
      ref: string
    ) => Effect.Effect<void, InvalidRequest | ResourceNotFound>
  }
>()("@signalbox/core/domains/customers/Customers") {
  static readonly layer = layerOnDemand(
    Customers,
    {
      create: "call",
      get: "call",
      list: "call",
      update: "call",
      suspend: "call",
      resume: "call",
      getUsage: "call",
      remove: "call"
    },
    importNamed(() => import("./layerCustomers.ts"), "layerCustomers")
  )
}

/** A customer, with its secrets if this call has created it: they cannot be shown again. */
export interface CreatedCustomer {
  readonly customer: Customer
  readonly isNew: boolean
  readonly key?: Redacted.Redacted
  readonly webhookSecret?: Redacted.Redacted
}
