/**
 * A separate process with an instance that makes videos. It prints its port, dies at the named crash point,
 * and else lives until it is killed.
 */
import { type Strategy } from "@signalbox/core"
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
import { type Upstream } from "@signalbox/core/upstream"
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

// Not left behind by a test that failed.
process.once("disconnect", () => process.exit())

const [, , name = "", told = ""] = process.argv
const { credits, database, folder, settings, upstreams }: VideoProcessConfig = JSON.parse(told)

const crashTrigger = new CrashTrigger<VideoVerb>()

/** In place: what is made of the stores holds on to them. */
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
    // Tells the provider which process asks.
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

/** Whom it asks first, unless that is settled already; its successor favours somebody else. */
const preferredStrategy: Strategy = {
  name: "favourite",
  first: ({ contenders }) => {
    const slug = toSlug((name.at(-1) ?? "").charCodeAt(0) % upstreams.length)
    const [any] = contenders
    const found = contenders.find(({ candidate }) => candidate.endpoint.provider === slug) ?? any
    if (found === undefined) throw new Error("there is no candidate")
    return found
  }
}

const blobs = fileBlobs(folder)
/** What comes after the last byte, which is in no file of that name yet. */
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
