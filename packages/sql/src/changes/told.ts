/** Hands what was changed elsewhere to everybody who remembers something. */
import type { Change, Topic } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"

export const makeTold = Effect.map(PubSub.unbounded<Change>(), (told) => ({
  elsewhere: Stream.fromPubSub(told),
  tell: (change: Change) => Effect.asVoid(PubSub.publish(told, change)),
  /** Nobody knows what was changed, if anything was. */
  doubt: Effect.asVoid(PubSub.publishAll(told, everything))
}))

const ofAny: Readonly<Record<Topic, Change>> = {
  accounts: { topic: "accounts" },
  credentials: { topic: "credentials" },
  credits: { topic: "credits" },
  guardrails: { topic: "guardrails" },
  keys: { topic: "keys" },
  workspaces: { topic: "workspaces" }
}

const everything = Object.values(ofAny)

export const isTopic = (topic: string): topic is Topic => Object.hasOwn(ofAny, topic)
