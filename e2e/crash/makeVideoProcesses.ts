/** Starts processes on one database, with providers and a webhook receiver that outlive them. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SettingsShape } from "@signalbox/core"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeSqlClient } from "../support/makeSqlClient.ts"
import { makeCrashProcesses } from "./makeCrashProcesses.ts"
import { makeTestDatabase } from "../support/TestDatabase.ts"
import { send } from "../support/send.ts"
import { type VideoProcessConfig, videoKey } from "./VideoProcessConfig.ts"
import { type WebhookReceiver, startWebhookReceiver } from "../videos/WebhookReceiver.ts"

export const makeVideoProcesses = async ({
  credits,
  postgresUrl,
  providers = 1,
  settings
}: {
  readonly credits: string
  /** Default: the processes share a SQLite file. */
  readonly postgresUrl?: string
  /** The number of providers; default: one. */
  readonly providers?: number
  readonly settings: Partial<SettingsShape>
}) => {
  const upstreams = await Promise.all(
    Array.from({ length: providers }, () => ScriptedUpstream.start())
  )
  const receiver: WebhookReceiver = await startWebhookReceiver()
  const folder = mkdtempSync(join(tmpdir(), "signalbox-videos-"))
  const config: VideoProcessConfig = {
    database: makeTestDatabase(folder, postgresUrl),
    upstreams: upstreams.map(({ url }) => url),
    folder: join(folder, "files"),
    credits,
    settings
  }
  const processes = makeCrashProcesses("videoProcess.ts", config)

  const start = async (name: string) => {
    const { root, ...process } = await processes.start(name)
    const authorization = `Bearer ${videoKey}`
    return {
      ...process,
      submit: (key: string): Promise<HttpResponse> =>
        send(`${root}/videos`, {
          body: JSON.stringify({
            model: "proof/film",
            prompt: "a tide pool",
            duration: 4,
            callback_url: receiver.url
          }),
          headers: { authorization, "content-type": "application/json", "idempotency-key": key }
        }),
      ask: (path: string): Promise<HttpResponse> =>
        send(`${root}${path}`, { method: "GET", headers: { authorization } })
    }
  }

  return {
    start,
    upstreams,
    receiver,
    folder: config.folder,
    left: () => readLeftovers(config),
    close: async () => {
      processes.killAll()
      await receiver.close()
      for (const upstream of upstreams) await upstream.close()
    }
  }
}

export type VideoProcess = Awaited<
  ReturnType<Awaited<ReturnType<typeof makeVideoProcesses>>["start"]>
>

/** Reads the database from another process. */
const readLeftovers = ({ database }: VideoProcessConfig) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [{ reserved, settled } = { reserved: 0n, settled: 0n }] = yield* sql<
      Record<"reserved" | "settled", bigint>
    >`SELECT settled, reserved FROM limit_counters`
    const [{ credits } = { credits: 0n }] = yield* sql<{ credits: bigint }>`
      SELECT credits FROM spend WHERE interval_name = ${"lifetime"} AND subject LIKE ${"%mem-1%"}`
    const deliveries = yield* sql<{ state: string }>`SELECT state FROM deliveries`
    const generations = yield* sql<{ id: string }>`SELECT id FROM generations`
    return {
      reserved,
      settled,
      /** The lifetime spending of the caller, which counts towards limits set later. */
      spent: credits,
      reservations: (yield* sql`SELECT id FROM reservations`).length,
      jobs: (yield* sql`SELECT id FROM video_jobs`).length,
      deliveries: deliveries.map(({ state }) => state),
      generations: generations.map(({ id }) => id),
      steps: (yield* sql`SELECT id FROM job_steps WHERE state = ${"pending"}`).length,
      dead: (yield* sql`SELECT seq FROM dead_letters`).length
    }
  }).pipe(
    Effect.provideService(SafeIntegers, true),
    Effect.provide(makeSqlClient(database)),
    Effect.runPromise
  )
