/** Publishes changes by other processes to every cache of this one. */
import type { Invalidation, ChangeTopic } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"

export const makeInvalidationBus = Effect.map(PubSub.unbounded<Invalidation>(), (pubsub) => ({
  remoteInvalidations: Stream.fromPubSub(pubsub),
  publish: (change: Invalidation) => Effect.asVoid(PubSub.publish(pubsub, change)),
  /** For a change of an unknown kind. */
  invalidateAll: Effect.asVoid(PubSub.publishAll(pubsub, allInvalidations)),
  /** For changes that may have been missed. */
  invalidateUnconfirmed: Effect.asVoid(PubSub.publishAll(pubsub, unconfirmedInvalidations))
}))

const invalidationByTopic: Readonly<Record<ChangeTopic, Invalidation>> = {
  accounts: { topic: "accounts" },
  calibrations: { topic: "calibrations" },
  credentials: { topic: "credentials" },
  credits: { topic: "credits" },
  guardrails: { topic: "guardrails" },
  presets: { topic: "presets" },
  traffic: { topic: "traffic" },
  keys: { topic: "keys" },
  workspaces: { topic: "workspaces" }
}

const allInvalidations = Object.values(invalidationByTopic)
const unconfirmedInvalidations = allInvalidations.map((each): Invalidation => ({
  ...each,
  isUnconfirmed: true
}))

export const isTopic = (topic: string): topic is ChangeTopic =>
  Object.hasOwn(invalidationByTopic, topic)
