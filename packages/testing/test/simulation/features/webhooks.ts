/** Videos whose ends are told to receivers that fail and hang at times. */
import { AccountId, DeliveryStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { asks, makeVideo, pickProcess } from "../questions.ts"
import { toReceiver } from "../Receivers.ts"
import { lastRequestAt } from "../script.ts"
import { tenants } from "../Tenant.ts"
import type { World } from "../World.ts"
import type { Feature } from "./Feature.ts"
import { sealing } from "./sealing.ts"

/** Ten attempts within about a minute. */
const webhookRetryMillis = [1_000, 2_000, 3_000, 5_000, 8_000, 8_000, 8_000, 8_000, 8_000]
export const maxWebhookAttempts = webhookRetryMillis.length + 1

export const webhooks: Feature = {
  share: 0.1,
  options: {
    sealing,
    settings: {
      webhookRetryMillis,
      webhookTimeoutMillis: 4_000,
      webhookOverloadBackoffMillis: 2_000
    }
  },
  plan: (world) => {
    const { chance, director, receivers } = world
    director.schedule(2_000, "creates secrets", () => createSecrets(world))
    for (let videos = chance.between(2, 5); videos > 0; videos--) {
      director.schedule(chance.between(3_000, lastRequestAt), "asks for a video", () =>
        askVideo(world)
      )
    }
    if (chance.happens(0.25)) return
    receivers.failureRate = chance.pick([0, 0.2, 0.5])
    receivers.hangRate = chance.pick([0, 0.1, 0.3])
    director.schedule(lastRequestAt, "receivers recover", () => {
      receivers.failureRate = 0
      receivers.hangRate = 0
    })
  },
  isSettled: async (world) => {
    const store = Context.get(world.stores, DeliveryStore)
    const pending = await world.query(
      Effect.forEach(tenants, ({ account }) =>
        store.list(AccountId.make(account), { state: "pending" }, { limit: 1 })
      )
    )
    return pending.every(({ rows }) => rows.length === 0)
  }
}

/** What signs the events of a tenant. */
const createSecrets = (world: World): void => {
  const process = pickProcess(world)
  if (process === undefined) return
  for (const tenant of tenants) {
    world.client.send(process, () => ({
      ...asks(tenant.management, "secret", tenant),
      path: "/signalbox/workspaces/default/webhook/secrets"
    }))
  }
}

const askVideo = (world: World): void => {
  const process = pickProcess(world)
  if (process === undefined) return
  const tenant = world.chance.pick(tenants)
  world.client.send(process, (id) => {
    const video = makeVideo(tenant, id)
    const callback_url = `https://${toReceiver(tenant.account)}/`
    return { ...video, body: { ...video.body, callback_url } }
  })
}
