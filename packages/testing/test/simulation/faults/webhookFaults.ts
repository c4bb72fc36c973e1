/** Events that are told wrongly. */
import { DeliveryStore, WebhookStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { PlantedFault } from "./PlantedFault.ts"

export const webhookFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "an event counts as delivered once it was sent",
    breaks: "eventsArrive",
    database: (stores) => {
      const deliveries = Context.get(stores, DeliveryStore)
      return Context.add(stores, DeliveryStore, {
        ...deliveries,
        replace: (version, after) => deliveries.replace(version, { ...after, state: "delivered" })
      })
    }
  },
  {
    name: "a process does not find the signing secrets",
    breaks: "eventsAreSigned",
    process: (stores) => {
      const webhooks = Context.get(stores, WebhookStore)
      return Context.add(stores, WebhookStore, {
        ...webhooks,
        find: (account, workspace) =>
          Effect.map(webhooks.find(account, workspace), (webhook) =>
            webhook === undefined ? undefined : { ...webhook, secrets: [] }
          )
      })
    }
  }
]
