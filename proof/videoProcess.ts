/**
 * A process of its own with a box that makes videos. It says its port, dies at the moment it is told by name,
 * and else lives until it is killed.
 */
import { type Strategy } from "@signalbox/core"
import {
  Atomically,
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
import { Doom } from "./Doom.ts"
import { serveUntilDoom } from "./serveUntilDoom.ts"
import { storesOfMeeting } from "./storesOfMeeting.ts"
import { type VideoMeeting, videoKey } from "./videoMeeting.ts"
import { moments, type VideoVerb } from "./videoMoments.ts"

// Not left behind by a test that failed.
process.once("disconnect", () => process.exit())

const [, , name = "", told = ""] = process.argv
const { credits, database, folder, settings, upstreams }: VideoMeeting = JSON.parse(told)

const doom = new Doom<VideoVerb>()

/** In place: what is made of the stores holds on to them. */
const watched = (context: Context.Context<Stores>): void => {
  const atomically = Context.get(context, Atomically)
  const deliveries = Context.get(context, DeliveryStore)
  const generations = Context.get(context, GenerationStore)
  const { queue } = Context.get(context, JobStore)
  const ledger = Context.get(context, LedgerStore)
  const counters = Context.get(context, SpendCounters)
  const videos = Context.get(context, VideoStore)
  Object.assign(atomically, {
    atomically: doom.watch("Atomically.atomically", atomically.atomically)
  })
  Object.assign(deliveries, {
    add: doom.watch("DeliveryStore.add", deliveries.add),
    replace: doom.watch("DeliveryStore.replace", deliveries.replace)
  })
  Object.assign(generations, { record: doom.watch("GenerationStore.record", generations.record) })
  Object.assign(queue, { offer: doom.watch("JobStore.offer", queue.offer) })
  Object.assign(ledger, {
    reserve: doom.watch("LedgerStore.reserve", ledger.reserve),
    settle: doom.watch("LedgerStore.settle", ledger.settle)
  })
  Object.assign(counters, { record: doom.watch("SpendCounters.record", counters.record) })
  Object.assign(videos, {
    add: doom.watch("VideoStore.add", videos.add),
    claim: doom.watch("VideoStore.claim", videos.claim),
    replace: doom.watch("VideoStore.replace", videos.replace)
  })
}

const slugOf = (at: number): string => `provider-${at}`

const provider = (baseUrl: string, at: number): Upstream => {
  const { videos, ...rest } = openrouter({
    slug: slugOf(at),
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
      pollEveryMillis: 20,
      submit: doom.watch("upstream.submit", videos.submit),
      poll: doom.watch("upstream.poll", videos.poll),
      content: doom.watch("upstream.content", videos.content)
    }
  }
}

/** Whom it asks first, unless that is settled already; its successor favours somebody else. */
const favourite: Strategy = {
  name: "favourite",
  first: ({ contenders }) => {
    const slug = slugOf((name.at(-1) ?? "").charCodeAt(0) % upstreams.length)
    const [any] = contenders
    const found = contenders.find(({ candidate }) => candidate.endpoint.provider === slug) ?? any
    if (found === undefined) throw new Error("there is nobody to choose from")
    return found
  }
}

const files = fileBlobs(folder)
/** What comes after the last byte, which is in no file of that name yet. */
const written = Stream.fromEffectDrain(doom.watch("BlobStore.write", () => Effect.void)())
const videoFiles: BlobStore = {
  ...files,
  put: (blob, bytes) =>
    doom.watch("BlobStore.put", () => files.put(blob, Stream.concat(bytes, written)))()
}

const stores = storesOfMeeting(database)
const box = await Signalbox.make({
  stores: Layer.tap(stores, (context) => Effect.sync(() => watched(context))),
  upstreams: upstreams.map(provider),
  models: [
    {
      id: "proof/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: upstreams.map((_, at) => ({
        provider: slugOf(at),
        price: {},
        videoPrice: { duration_seconds: "0.1" }
      }))
    }
  ],
  keys: [{ key: videoKey, kind: "member", user: "mem-1" }],
  credits: { default: credits },
  strategy: favourite,
  videoFiles,
  settings: { allowPrivateNetworks: true, ...settings }
})
await serveUntilDoom(box, doom, moments)
