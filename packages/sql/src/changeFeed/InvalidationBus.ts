/** Hands what was changed elsewhere to everybody who remembers something. */
import type { Invalidation, ChangeTopic } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"

export const makeInvalidationBus = Effect.map(PubSub.unbounded<Invalidation>(), (told) => ({
  remoteInvalidations: Stream.fromPubSub(told),
  publish: (change: Invalidation) => Effect.asVoid(PubSub.publish(told, change)),
  /** Nobody knows what was changed, if anything was. */
  invalidateAll: Effect.asVoid(PubSub.publishAll(told, allInvalidations))
}))

const invalidationByTopic: Readonly<Record<ChangeTopic, Invalidation>> = {
  accounts: { topic: "accounts" },
  credentials: { topic: "credentials" },
  credits: { topic: "credits" },
  guardrails: { topic: "guardrails" },
  keys: { topic: "keys" },
  workspaces: { topic: "workspaces" }
}

const allInvalidations = Object.values(invalidationByTopic)

export const isTopic = (topic: string): topic is ChangeTopic =>
  Object.hasOwn(invalidationByTopic, topic)
