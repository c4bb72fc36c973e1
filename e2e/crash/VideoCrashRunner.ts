/** One process after the other on one database, each of which dies at a moment of a video job of its own. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { waitUntil } from "../support/waitUntil.ts"
import { getProperty } from "../support/getProperty.ts"
import { videoPrice } from "./VideoProcessConfig.ts"
import { type VideoProcess, makeVideoProcesses } from "./makeVideoProcesses.ts"

/** USD for so many videos. */
const toCredits = (videos: number): string =>
  `${Math.floor((videos * 4) / 10)}.${(videos * 4) % 10}`

export class VideoCrashRunner {
  readonly #places: ReturnType<typeof makeVideoProcesses>
  readonly #limit: bigint
  #before: Promise<unknown> = Promise.resolve()
  #process: VideoProcess | undefined
  #survived = 0

  /** There is money for so many videos, and not for one more. */
  constructor(postgresUrl: string | undefined, videos: number) {
    this.#limit = BigInt(videos) * videoPrice
    this.#places = makeVideoProcesses({
      ...(postgresUrl === undefined ? undefined : { postgresUrl }),
      credits: toCredits(videos),
      providers: 2,
      settings: {
        jobLeaseMillis: 1_000,
        jobLeaseRefreshMillis: 300,
        jobPollMillis: 200,
        videoSweepMillis: 100,
        webhookRetryMillis: [1]
      }
    })
  }

  /** What became of a job whose process dies at this moment; after those that were asked for before. */
  runUntilCrash(moment: string) {
    const completed = this.#before.then(() => this.#survive(moment))
    this.#before = completed.catch(() => {})
    return completed
  }

  async close(): Promise<void> {
    await (await this.#places).close()
  }

  async #survive(moment: string) {
    const { folder, left, receiver, start, upstreams } = await this.#places
    for (const { videos } of upstreams) videos.always("in_progress", "completed")
    const crashing = this.#process ?? (await start("life 0"))
    this.#process = undefined
    await crashing.dieAt(moment)
    const first = await crashing.submit(moment).catch(() => undefined)
    const ended = await crashing.exited
    const dead = await left()

    const jobs = ++this.#survived
    const process = await start(`life ${jobs}`)
    this.#process = process
    // Unanswered callers retry, and answered ones get the same answer.
    const again = await process.submit(moment)
    const id = String(getProperty(again.body, "id"))
    const job = async () => (await process.ask(`/videos/${id}`)).body
    await waitUntil(
      async () => getProperty(await job(), "status") === "completed",
      `the job did not end that was killed ${moment}`
    )
    await waitUntil(
      async () => (await left()).steps === 0,
      `there was work left of the job that was killed ${moment}`
    )
    const { settled, spent, reserved, reservations, steps, dead: buried, ...all } = await left()
    const told = receiver.events.filter((event) => event.job === id)
    const made = upstreams.flatMap(({ videos }) => videos.jobs)
    const count = (of: bigint | number): number => Number(of) / jobs
    return {
      ended,
      isOverdrawn: [dead, { settled, reserved }].some(
        (then) => then.settled + then.reserved > this.#limit
      ),
      told: [first, again].flatMap((answer) =>
        answer === undefined ? [] : [[answer.status, getProperty(answer.body, "id") === id]]
      ),
      usage: getProperty(await job(), "usage"),
      made: made.filter(({ idempotencyKey }) => idempotencyKey === id).length,
      recorded: all.generations.filter((generation) => generation === id).length,
      events: new Set(told.map(({ event }) => event.replace(id, "job"))),
      isTaken: told.some(({ isAccepted }) => isAccepted),
      isFileKept: existsSync(join(folder, `${id}-0`)),
      left: { reserved, reservations, steps, buried },
      /** Of all jobs there were, by how many they are. */
      ofEach: {
        settled: count(settled / videoPrice),
        spent: count(spent / videoPrice),
        kept: count(all.jobs),
        made: count(made.length),
        recorded: count(all.generations.length),
        delivered: count(all.deliveries.filter((state) => state === "delivered").length)
      },
      isLimitKept: settled < this.#limit || (await process.submit("one more")).status === 402
    }
  }
}
