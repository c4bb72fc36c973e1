/** Names nobody used before, so that contracts can run on a store that is not empty. */
import { AccountId, GenerationId, KeyHash, type Limit, NanoUsd } from "@signalbox/core"

export const account = (): AccountId => AccountId.make(`account-${crypto.randomUUID()}`)

export const keyHash = (): KeyHash =>
  KeyHash.make((crypto.randomUUID() + crypto.randomUUID()).replaceAll("-", ""))

export const generationId = (): GenerationId =>
  GenerationId.make(`gen-dec-0-${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`)

/** A limit of its own, `cap` nano-USD wide. */
export const limit = (cap: bigint): Limit => ({
  kind: "credits",
  id: crypto.randomUUID(),
  window: "lifetime",
  cap: NanoUsd.make(cap)
})
