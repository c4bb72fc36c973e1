/** Runs one process after the other on one database; each dies at a crash point of its own video job. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { waitUntil } from "../support/waitUntil.ts"
import { getProperty } from "../support/getProperty.ts"
import { videoPrice } from "./VideoProcessConfig.ts"
import { type VideoProcess, makeVideoProcesses } from "./makeVideoProcesses.ts"

/** The price of this number of videos, in USD. */
const toCredits = (videos: number): string =>
  `${Math.floor((videos * 4) / 10)}.${(videos * 4) % 10}`

export class VideoCrashRunner {
  readonly #processes: ReturnType<typeof makeVideoProcesses>
  readonly #limit: bigint
  #before: Promise<unknown> = Promise.resolve()
  #process: VideoProcess | undefined
  #survived = 0

  /** The credits suffice for exactly this number of videos. */
  constructor(postgresUrl: string | undefined, videos: number) {
    this.#limit = BigInt(videos) * videoPrice
    this.#processes = makeVideoProcesses({
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

  /** Queues a run with a process that dies at this point, and returns what remains of its job. */
  runUntilCrash(crashPoint: string) {
    const completed = this.#before.then(() => this.#survive(crashPoint))
    this.#before = completed.catch(() => {})
    return completed
  }

  async close(): Promise<void> {
    await (await this.#processes).close()
  }

  async #survive(crashPoint: string) {
    const { folder, left, receiver, start, upstreams } = await this.#processes
    for (const { videos } of upstreams) videos.always("in_progress", "completed")
    const crashing = this.#process ?? (await start("life 0"))
    this.#process = undefined
    await crashing.dieAt(crashPoint)
    const first = await crashing.submit(crashPoint).catch(() => undefined)
    const ended = await crashing.exited
    const dead = await left()

    const jobs = ++this.#survived
    const process = await start(`life ${jobs}`)
    this.#process = process
    // A caller without a response retries; a repeated request gets the same response.
    const again = await process.submit(crashPoint)
    const id = String(getProperty(again.body, "id"))
    const job = async () => (await process.ask(`/videos/${id}`)).body
    await waitUntil(
      async () => getProperty(await job(), "status") === "completed",
      `the job that was killed ${crashPoint} did not complete`
    )
    await waitUntil(
      async () => (await left()).steps === 0,
      `the job that was killed ${crashPoint} left pending tasks`
    )
    const { settled, spent, reserved, reservations, steps, dead: buried, ...all } = await left()
    const events = receiver.events.filter((event) => event.job === id)
    const made = upstreams.flatMap(({ videos }) => videos.jobs)
    const count = (of: bigint | number): number => Number(of) / jobs
    return {
      ended,
      isOverdrawn: [dead, { settled, reserved }].some(
        (then) => then.settled + then.reserved > this.#limit
      ),
      responses: [first, again].flatMap((answer) =>
        answer === undefined ? [] : [[answer.status, getProperty(answer.body, "id") === id]]
      ),
      usage: getProperty(await job(), "usage"),
      made: made.filter(({ idempotencyKey }) => idempotencyKey === id).length,
      recorded: all.generations.filter((generation) => generation === id).length,
      events: new Set(events.map(({ event }) => event.replace(id, "job"))),
      isAccepted: events.some(({ isAccepted }) => isAccepted),
      isFileKept: existsSync(join(folder, `${id}-0`)),
      left: { reserved, reservations, steps, buried },
      /** The totals divided by the number of jobs. */
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
