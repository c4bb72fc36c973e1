/**
 * A separate process with an instance that generates videos. It prints its port, and dies at the named
 * crash point or when it is killed.
 */
import type { Strategy } from "@signalbox/core"
import {
  Transaction,
  type BlobStore,
  DeliveryStore,
  GenerationStore,
  JobStore,
  LedgerStore,
  SpendCounters,
  type Stores,
  VideoStore
} from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import { fileBlobs, Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { CrashTrigger } from "./CrashTrigger.ts"
import { serveUntilCrash } from "./serveUntilCrash.ts"
import { openStores } from "../support/openStores.ts"
import { type VideoProcessConfig, videoKey } from "./VideoProcessConfig.ts"
import { videoCrashPoints, type VideoVerb } from "./videoCrashPoints.ts"

// The process must not outlive a failed test.
process.once("disconnect", () => process.exit())

const [, , name = "", config = ""] = process.argv
const { credits, database, folder, settings, upstreams }: VideoProcessConfig = JSON.parse(config)

const crashTrigger = new CrashTrigger<VideoVerb>()

/** Instruments the stores in place, as services already refer to them. */
const instrumentStores = (context: Context.Context<Stores>): void => {
  const transaction = Context.get(context, Transaction)
  const deliveries = Context.get(context, DeliveryStore)
  const generations = Context.get(context, GenerationStore)
  const { queue } = Context.get(context, JobStore)
  const ledger = Context.get(context, LedgerStore)
  const counters = Context.get(context, SpendCounters)
  const videos = Context.get(context, VideoStore)
  Object.assign(transaction, {
    withTransaction: crashTrigger.wrap("Transaction.withTransaction", transaction.withTransaction)
  })
  Object.assign(deliveries, {
    add: crashTrigger.wrap("DeliveryStore.add", deliveries.add),
    replace: crashTrigger.wrap("DeliveryStore.replace", deliveries.replace)
  })
  Object.assign(generations, {
    record: crashTrigger.wrap("GenerationStore.record", generations.record)
  })
  Object.assign(queue, { offer: crashTrigger.wrap("JobStore.offer", queue.offer) })
  Object.assign(ledger, {
    reserve: crashTrigger.wrap("LedgerStore.reserve", ledger.reserve),
    settle: crashTrigger.wrap("LedgerStore.settle", ledger.settle)
  })
  Object.assign(counters, { record: crashTrigger.wrap("SpendCounters.record", counters.record) })
  Object.assign(videos, {
    add: crashTrigger.wrap("VideoStore.add", videos.add),
    claim: crashTrigger.wrap("VideoStore.claim", videos.claim),
    replace: crashTrigger.wrap("VideoStore.replace", videos.replace)
  })
}

const toSlug = (at: number): string => `provider-${at}`

const makeProvider = (baseUrl: string, at: number): Upstream => {
  const { videos, ...rest } = openrouter({
    slug: toSlug(at),
    baseUrl,
    // The key identifies the calling process to the provider.
    apiKey: `sk-of-${name}`,
    idempotencyHeader: "idempotency-key"
  })
  if (videos === undefined) throw new Error("it makes no videos")
  return {
    ...rest,
    videos: {
      ...videos,
      pollIntervalMillis: 20,
      submit: crashTrigger.wrap("upstream.submit", videos.submit),
      poll: crashTrigger.wrap("upstream.poll", videos.poll),
      getContent: crashTrigger.wrap("upstream.content", videos.getContent)
    }
  }
}

/** Prefers a different provider than the previous process, unless the job is already assigned. */
const preferredStrategy: Strategy = {
  name: "preferred",
  first: ({ contenders }) => {
    const slug = toSlug((name.at(-1) ?? "").charCodeAt(0) % upstreams.length)
    const [fallback] = contenders
    const found =
      contenders.find(({ candidate }) => candidate.endpoint.provider === slug) ?? fallback
    if (found === undefined) throw new Error("there is no candidate")
    return found
  }
}

const blobs = fileBlobs(folder)
/** Runs after the last byte is written, before the file gets its final name. */
const writtenFiles = Stream.fromEffectDrain(
  crashTrigger.wrap("BlobStore.write", () => Effect.void)()
)
const instrumentedBlobs: BlobStore = {
  ...blobs,
  put: (blob, bytes) =>
    crashTrigger.wrap("BlobStore.put", () => blobs.put(blob, Stream.concat(bytes, writtenFiles)))()
}

const stores = openStores(database)
const instance = await Signalbox.make({
  stores: Layer.tap(stores, (context) => Effect.sync(() => instrumentStores(context))),
  upstreams: upstreams.map(makeProvider),
  models: [
    {
      id: "proof/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: upstreams.map((_, at) => ({
        provider: toSlug(at),
        price: {},
        videoPrice: { duration_seconds: "0.1" }
      }))
    }
  ],
  keys: [{ key: videoKey, kind: "member", user: "mem-1" }],
  credits: { default: credits },
  strategy: preferredStrategy,
  videoFiles: instrumentedBlobs,
  settings: { allowPrivateNetworks: true, ...settings }
})
await serveUntilCrash(instance, crashTrigger, videoCrashPoints)
