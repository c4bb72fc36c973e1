/** Stores that lose, mix up or repeat. */
import {
  type ApiKey,
  ApiKeyStore,
  GenerationStore,
  JobStore,
  ResponseCacheStore,
  Transaction,
  VideoStore
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { PlantedFault } from "./PlantedFault.ts"

export const storeFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "a process caches keys for ever, and does not hear of their deletion",
    breaks: "deletedKeyIsRefused",
    process: (stores) => {
      const keys = Context.get(stores, ApiKeyStore)
      const known = new Map<string, ApiKey>()
      return Context.add(stores, ApiKeyStore, {
        ...keys,
        findBySecretHash: (secret) => {
          const cached = known.get(secret)
          return cached === undefined
            ? Effect.tap(keys.findBySecretHash(secret), (key) =>
                Effect.sync(() => key !== undefined && known.set(secret, key))
              )
            : Effect.succeed(cached)
        }
      })
    }
  },
  {
    name: "a record is dropped while the one before is written",
    breaks: "acceptedIsKept",
    process: (stores) => {
      const records = Context.get(stores, GenerationStore)
      let isWriting = false
      return Context.add(stores, GenerationStore, {
        ...records,
        record: (generations) =>
          Effect.suspend(() => {
            if (isWriting) return Effect.void
            isWriting = true
            return Effect.andThen(
              records.record(generations),
              // About as long as a write takes.
              Effect.forkDetach(
                Effect.delay(
                  Effect.sync(() => {
                    isWriting = false
                  }),
                  20
                )
              )
            )
          })
      })
    }
  },
  {
    name: "the cache of answers does not ask whose they are",
    breaks: "noTenantSeesAnothers",
    database: (stores) => {
      const cache = Context.get(stores, ResponseCacheStore)
      let latest: string | undefined
      return Context.add(stores, ResponseCacheStore, {
        ...cache,
        find: () => Effect.succeed(latest),
        put: (answer) =>
          Effect.sync(() => {
            latest = answer.text
          })
      })
    }
  },
  {
    name: "a step is given to two processes, and rows are replaced whatever their version is",
    breaks: "noJobRunsTwice",
    database: (stores) => {
      const jobs = Context.get(stores, JobStore)
      const videos = Context.get(stores, VideoStore)
      return stores.pipe(
        Context.add(JobStore, {
          ...jobs,
          queue: {
            ...jobs.queue,
            offer: (options) =>
              Effect.andThen(
                jobs.queue.offer(options),
                jobs.queue.offer({ ...options, id: `${options.id}-again` })
              )
          }
        }),
        Context.add(VideoStore, {
          ...videos,
          replace: (_, after) =>
            Effect.flatMap(videos.find(after.id), (before) =>
              videos.replace(before?.version ?? 0, after)
            )
        })
      )
    }
  },
  {
    name: "the idempotency key of a video is not looked up",
    breaks: "noJobRunsTwice",
    database: (stores) => {
      const videos = Context.get(stores, VideoStore)
      return Context.add(stores, VideoStore, {
        ...videos,
        findByIdempotencyKey: () => Effect.undefined,
        add: (job, limit) => {
          const { idempotency: _, ...other } = job
          return videos.add(other, limit)
        }
      })
    }
  },
  {
    name: "a transaction writes each row by itself",
    breaks: "acceptedIsKept",
    process: (stores) => Context.add(stores, Transaction, { withTransaction: (effect) => effect })
  }
]
