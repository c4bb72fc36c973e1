/** Handlers of the operations on customers. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Customers } from "../../domains/customers/Customers.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import { reply } from "../operation/Reply.ts"
import type { CustomersApi } from "./CustomersApi.ts"
import { toCustomerUsageResponse } from "./CustomerUsageResponse.ts"

export const customersHandlers = Effect.gen(function* () {
  const customers = yield* Customers

  return {
    list: ({ query }, { caller }) =>
      Effect.map(customers.list(caller, toOffsetRequest(query)), (page) => toPageResponse(page)),
    create: ({ payload }, { caller }) =>
      Effect.map(customers.create(caller, payload), ({ customer, isNew, key, webhookSecret }) =>
        reply(isNew ? 201 : 200, {
          data: customer,
          created: isNew,
          key: toText(key),
          webhook_secret: toText(webhookSecret)
        })
      ),
    get: ({ params }, { caller }) =>
      Effect.map(customers.get(caller, params.slug), (data) => ({ data })),
    update: ({ params, payload }, { caller }) =>
      Effect.map(customers.update(caller, params.slug, payload), (data) => ({ data })),
    suspend: ({ params, payload }, { caller }) =>
      Effect.map(customers.suspend(caller, params.slug, payload), (data) => ({ data })),
    resume: ({ params }, { caller }) =>
      Effect.map(customers.resume(caller, params.slug), (data) => ({ data })),
    usage: ({ params, query }, { caller }) => {
      const { interval = "monthly", period = "current" } = query
      return Effect.map(customers.getUsage(caller, params.slug, { interval, period }), (usage) => ({
        data: toCustomerUsageResponse(usage)
      }))
    },
    delete: ({ params }, { caller }) =>
      Effect.as(customers.remove(caller, params.slug), deletedResponse)
  } satisfies Handlers<typeof CustomersApi>
})

const toText = (secret: Redacted.Redacted | undefined): string | null =>
  secret === undefined ? null : Redacted.value(secret)
