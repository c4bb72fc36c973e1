/** A video upstream without key and network. The prompt determines the color. */
import { UpstreamFailure } from "@signalbox/core/upstream"
import type {
  ByteRange,
  UpstreamVideoJob,
  VideoCall,
  VideoCapability,
  VideoReport
} from "@signalbox/core/upstream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { encodeFade } from "./encodeFade.ts"
import type { Macroblocks } from "./h264.ts"

/**
 * The id of a job encodes all of it, so a restart loses nothing. A job is pending for a second and in progress for four, or
 * for ten hours if its prompt contains the word "slow". It fails if its prompt contains the word "fail".
 */
export const fakeVideos: VideoCapability = {
  submit: Effect.fnUntraced(function* (call) {
    const size = sizes.get(call.aspectRatio ?? "16:9")
    if (size === undefined) {
      return yield* new UpstreamFailure({ kind: "unsupported_parameter", detail: "aspect_ratio" })
    }
    const upstreamId = encodeJobId(call, size, yield* Clock.currentTimeMillis)
    return { upstreamId, report: { status: "pending" } }
  }),
  poll: (job) => Effect.flatMap(parseJobId(job), toReport),
  getContent: Effect.fnUntraced(function* (requested) {
    const job = yield* parseJobId(requested)
    const { status } = yield* toReport(job)
    if (status !== "completed") return yield* makeRejection(409, "the film is not ready")
    if (requested.index !== 0) return yield* makeRejection(404, "there is one film")
    const whole = encodeFade(job)
    const contentRange = resolveRange(requested.range, whole.length)
    if (contentRange !== undefined && contentRange.first > contentRange.last) {
      return yield* makeRejection(416, "the film is shorter")
    }
    const bytes =
      contentRange === undefined ? whole : whole.subarray(contentRange.first, contentRange.last + 1)
    return {
      contentType: "video/mp4",
      bytes: Stream.succeed(bytes),
      length: bytes.length,
      contentRange,
      acceptsRanges: true
    }
  }),
  // Nothing runs that would have to be stopped.
  cancel: () => Effect.void,
  pollIntervalMillis: 1_000,
  ignoresCredentials: true,
  estimateWorstCase: ({ duration }) => ({ videos: 1, seconds: duration ?? defaultSeconds })
}

/** The size of each aspect ratio, in macroblocks of 16 pixels. */
const sizes: ReadonlyMap<string, Macroblocks> = new Map([
  ["16:9", { across: 16, down: 9 }],
  ["9:16", { across: 9, down: 16 }],
  ["1:1", { across: 10, down: 10 }],
  ["4:3", { across: 12, down: 9 }],
  ["3:4", { across: 9, down: 12 }]
])

export const shapes: ReadonlyArray<string> = [...sizes.keys()]

const defaultSeconds = 4

const waitMillis = 1_000
const workMillis = 4_000
const slowWorkMillis = 36_000_000

interface Job {
  readonly startedAt: number
  readonly seconds: number
  readonly size: Macroblocks
  readonly hue: number
  readonly fails: boolean
  readonly isSlow: boolean
}

const encodeJobId = (call: VideoCall, { across, down }: Macroblocks, now: number): string => {
  const seconds = Math.min(60, Math.ceil(call.duration ?? defaultSeconds))
  const fails = /\bfail\b/i.test(call.prompt ?? "") ? 1 : 0
  const isSlow = /\bslow\b/i.test(call.prompt ?? "") ? 1 : 0
  return `film-${now}-${seconds}-${across}x${down}-${toHue(call)}-${fails}-${isSlow}`
}

const parseJobId = ({ upstreamId }: UpstreamVideoJob): Effect.Effect<Job, UpstreamFailure> => {
  const id = /^film-(\d{1,15})-(\d{1,2})-(\d{1,2})x(\d{1,2})-(\d{1,3})-([01])-([01])$/.exec(
    upstreamId
  )
  if (id === null) return makeRejection(404, "there is no such film")
  const [startedAt = 0, seconds = 0, across = 0, down = 0, hue = 0, fails = 0, isSlow = 0] = id
    .slice(1)
    .map(Number)
  return Effect.succeed({
    startedAt,
    seconds,
    size: { across, down },
    hue,
    fails: fails === 1,
    isSlow: isSlow === 1
  })
}

const toReport = ({ fails, isSlow, seconds, startedAt }: Job): Effect.Effect<VideoReport> =>
  Effect.map(Clock.currentTimeMillis, (now): VideoReport => {
    const since = now - startedAt
    if (since < waitMillis) return { status: "pending" }
    if (since < waitMillis + (isSlow ? slowWorkMillis : workMillis))
      return { status: "in_progress" }
    return fails
      ? { status: "failed", kind: "server_error", message: "on purpose, the prompt says so" }
      : { status: "completed", outputs: [{ index: 0 }], usage: { videos: 1, seconds } }
  })

/** The same prompt and seed give the same color. */
const toHue = ({ prompt = "", seed = 0 }: VideoCall): number => {
  let hash = Math.trunc(seed)
  for (let i = 0; i < prompt.length; i++) hash = (Math.imul(hash, 31) + prompt.charCodeAt(i)) | 0
  return (hash >>> 0) % 360
}

const resolveRange = (range: ByteRange | undefined, total: number) => {
  if (range === undefined) return undefined
  return "suffix" in range
    ? { first: Math.max(0, total - range.suffix), last: total - 1, total }
    : { first: range.first, last: Math.min(range.last ?? total, total - 1), total }
}

const makeRejection = (status: number, detail: string) =>
  Effect.fail(new UpstreamFailure({ kind: "not_served", status, detail }))
