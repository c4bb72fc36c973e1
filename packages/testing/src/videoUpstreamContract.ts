/** A test suite for upstreams with videos. */
import {
  type ByteRange,
  isPossiblyAccepted,
  type Upstream,
  type UpstreamFailure,
  type VideoCall,
  type VideoCapability,
  type VideoOutput,
  type VideoReport
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import * as pace from "./pace.ts"
import * as reply from "./reply.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"
import type { Step } from "./Step.ts"

export interface VideoUpstreamContractOptions {
  /** Further states of its API, besides `in_progress`, `completed` and `failed`. */
  readonly states?: ReadonlyArray<"cancelled" | "expired">
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** What its API calls a job. Default: `jobs`, which have states; `operations` of Google are only done or not. */
  readonly dialect?: "jobs" | "operations"
}

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * videoUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const videoUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    dialect = "jobs",
    states = []
  }: VideoUpstreamContractOptions = {}
): void => {
  const { hasStates, job, nameJob, toOutput } = videoContractDialects[dialect]
  const videosAt = (url: string): VideoCapability => {
    const { videos } = make(url)
    if (videos === undefined) throw new Error(`${name} has no videos`)
    return videos
  }
  const provided = <A, E>(
    effect: Effect.Effect<A, E, HttpClient.HttpClient>
  ): Effect.Effect<A, E> => Effect.provide(effect, client)
  const attempt = <A>(
    effect: Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>
  ): Promise<Result.Result<A, UpstreamFailure>> =>
    Effect.runPromise(provided(Effect.result(effect)))
  /** The content of the first output, and its bytes. */
  const read = (
    { getContent }: VideoCapability,
    upstreamId: string,
    range?: ByteRange,
    credential?: Redacted.Redacted
  ) =>
    Effect.scoped(
      Effect.flatMap(
        getContent({
          upstreamId,
          ...toOutput(upstreamId),
          ...(range === undefined ? undefined : { range }),
          ...(credential === undefined ? undefined : { credential })
        }),
        (content) =>
          Effect.map(Stream.runCollect(content.bytes), (chunks) => ({
            ...content,
            read: Buffer.concat(chunks)
          }))
      )
    )
  /** A provider, and the capability that calls it. */
  const start = async () => {
    const provider = await ScriptedUpstream.start()
    const videos = videosAt(provider.url)
    const submit = (idempotencyKey = call.idempotencyKey) =>
      attempt(videos.submit({ ...call, idempotencyKey }))
    const poll = async (upstreamId: string) =>
      Result.getOrThrow(await attempt(videos.poll({ upstreamId })))
    return { provider, videos, submit, poll, [Symbol.asyncDispose]: () => provider.close() }
  }

  describe(`${name} as an upstream of videos`, () => {
    test("submits once, and returns the upstream's id of the job", async () => {
      await using instance = await start()
      const { report, upstreamId } = Result.getOrThrow(await instance.submit())
      expect(report).toEqual({ status: "pending" })
      expect(instance.provider.videos.jobs).toMatchObject([
        { id: upstreamId, model: call.model, submits: 1 }
      ])
      expect(instance.provider.requests).toHaveLength(1)
    })

    test("reports a job until its end", async () => {
      await using instance = await start()
      instance.provider.videos.script("pending", "in_progress", { status: "completed", cost: 0.5 })
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      expect(await instance.poll(upstreamId)).toEqual({
        status: hasStates ? "pending" : "in_progress"
      })
      expect(await instance.poll(upstreamId)).toEqual({ status: "in_progress" })
      expect(await instance.poll(upstreamId)).toMatchObject({
        status: "completed",
        outputs: [toOutput(upstreamId)]
      })
      expect(instance.provider.requests).toHaveLength(4)
    })

    test("reports why a job failed, truncated", async () => {
      await using instance = await start()
      const said = { code: "something_new", message: "out of film" }
      instance.provider.videos.script({ status: "failed", error: said })
      instance.provider.videos.script({
        status: "failed",
        error: { ...said, message: "x".repeat(9_999) }
      })
      const first = Result.getOrThrow(await instance.submit())
      expect(await instance.poll(first.upstreamId)).toEqual({
        status: "failed",
        kind: "server_error",
        message: "out of film"
      })
      const second = Result.getOrThrow(await instance.submit("gen-vid-another"))
      const report = await instance.poll(second.upstreamId)
      expect(report.status === "failed" && report.message).toHaveLength(500)
    })

    test.each(states.map((status) => [status]))("maps the state %s", async (status) => {
      await using instance = await start()
      instance.provider.videos.script(status)
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      expect(await instance.poll(upstreamId)).toEqual({ status })
    })

    test.each(hasStates ? ["warming_up"] : [])("reports %s as an unknown state", async (state) => {
      await using instance = await start()
      instance.provider.videos.script(state, "x".repeat(9_999), "completed")
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      expect(await instance.poll(upstreamId)).toEqual({
        status: "unknown",
        upstreamStatus: state
      })
      const long: VideoReport = await instance.poll(upstreamId)
      expect(long.status === "unknown" && long.upstreamStatus.length).toBeLessThanOrEqual(100)
      expect(await instance.poll(upstreamId)).toMatchObject({ status: "completed" })
    })

    test("does not fail a job without a state", async () => {
      await using instance = await start()
      instance.provider.always(reply.json(nameJob(job)))
      const unknown = { status: "unknown", upstreamStatus: "" }
      const [submitted, polled] = hasStates
        ? [unknown, unknown]
        : [{ status: "pending" }, { status: "in_progress" }]
      expect(Result.getOrThrow(await instance.submit())).toEqual({
        upstreamId: job,
        report: submitted
      })
      expect(await instance.poll(job)).toEqual(polled)
    })

    test.each([
      ["no JSON", fault.notJson()],
      ["nothing", fault.empty()],
      ["JSON of another shape", reply.json({ hello: "world" })],
      ["a job without an id", reply.json({ status: "pending" })],
      [
        "a job with a path traversal in its id",
        reply.json({ ...nameJob(".."), status: "pending" })
      ],
      ["a job with a numeric id", reply.json({ ...nameJob(7), status: "pending" })]
    ])("treats %s as an invalid response, after which a job may exist", async (_, step) => {
      await using instance = await start()
      instance.provider.always(step)
      const result = await instance.submit()
      expect(getFailure(result)).toMatchObject({ kind: "invalid_answer" })
      expect(isPossiblyAccepted(getFailure(result))).toBe(true)
      expect(getFailure(await attempt(instance.videos.poll({ upstreamId: job })))).toMatchObject({
        kind: "invalid_answer"
      })
    })

    const refusals: ReadonlyArray<readonly [number, string, boolean]> = [
      [400, "bad_request", false],
      [401, "credential_refused", false],
      [402, "credential_refused", false],
      [403, "forbidden", false],
      [404, "not_served", false],
      [429, "rate_limited", false],
      [500, "server_error", false],
      [503, "overloaded", false],
      [502, "server_error", true],
      [504, "timeout", true]
    ]
    test.each(refusals)(
      "fails after one attempt on a %i: %s (possibly accepted: %s)",
      async (status, kind, unsure) => {
        await using instance = await start()
        instance.provider.always(fault.status(status, { retryAfter: 7 }))
        const failure = getFailure(await instance.submit())
        expect(failure).toMatchObject({ kind, status, retryAfterMillis: 7_000 })
        expect(isPossiblyAccepted(failure)).toBe(unsure)
        expect(instance.provider.requests).toHaveLength(1)
        expect(getFailure(await attempt(instance.videos.poll({ upstreamId: job })))).toMatchObject({
          kind
        })
        expect(getFailure(await attempt(read(instance.videos, job)))).toMatchObject({
          kind
        })
        expect(instance.provider.requests).toHaveLength(3)
      }
    )

    test("reports a refused connection as not accepted", async () => {
      const videos = videosAt(await ScriptedUpstream.reserveRefusingUrl())
      const failure = getFailure(await attempt(videos.submit(call)))
      expect(failure).toMatchObject({ kind: "unreachable", phase: "connect" })
      expect(isPossiblyAccepted(failure)).toBe(false)
    })

    const cuts: ReadonlyArray<readonly [string, Step]> = [
      ["the request is read", fault.drop("request_body")],
      ["the answer's headers are sent", fault.drop("response_headers")],
      ["half of the answer is sent", fault.truncated("length")]
    ]
    test.each(cuts)(
      "a job is possibly accepted if the connection is lost after %s",
      async (_, cut) => {
        await using instance = await start()
        instance.provider.script(cut)
        const failure = getFailure(await instance.submit())
        expect(failure.kind).toBe("unreachable")
        expect(isPossiblyAccepted(failure)).toBe(true)
        expect(instance.provider.videos.jobs).toHaveLength(1)
        expect(instance.provider.requests).toHaveLength(1)
      }
    )

    test("creates one job for two submits with one key if the upstream supports keys", async () => {
      await using instance = await start()
      instance.provider.script(fault.drop("request_body"))
      await instance.submit()
      Result.getOrThrow(await instance.submit())
      expect(instance.provider.videos.jobs).toHaveLength(
        instance.videos.supportsIdempotencyKey === true ? 1 : 2
      )
    })

    test("closes the connection if a submit, poll or read is interrupted", async () => {
      await using instance = await start()
      instance.provider.always(pace.hold(instance.provider.gate()))
      const running = [
        Effect.asVoid(instance.videos.submit(call)),
        Effect.asVoid(instance.videos.poll({ upstreamId: job })),
        Effect.asVoid(read(instance.videos, job))
      ]
      for (const [i, each] of running.entries()) {
        const fiber = Effect.runFork(provided(each))
        await instance.provider.waitForRequests(i + 1)
        await Effect.runPromise(Fiber.interrupt(fiber))
        await instance.provider.waitForAborts(i + 1)
      }
      expect(instance.provider.requests.map(({ aborted }) => aborted)).toEqual([true, true, true])
    })

    test("streams the whole content", async () => {
      await using instance = await start()
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      await instance.poll(upstreamId)
      const content = Result.getOrThrow(await attempt(read(instance.videos, upstreamId)))
      expect(content).toMatchObject({
        contentType: "video/mp4",
        length: 1_000,
        contentRange: undefined,
        acceptsRanges: true
      })
      expect(content.read).toEqual(Buffer.from(instance.provider.videos.content))
    })

    test.each([
      ["from here to there", { first: 10, last: 19 }, { first: 10, last: 19, total: 1_000 }],
      ["from here on", { first: 990 }, { first: 990, last: 999, total: 1_000 }],
      ["the end", { suffix: 4 }, { first: 996, last: 999, total: 1_000 }]
    ])("reads a byte range: %s", async (_, range, contentRange) => {
      await using instance = await start()
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      await instance.poll(upstreamId)
      const content = Result.getOrThrow(await attempt(read(instance.videos, upstreamId, range)))
      expect(content).toMatchObject({
        contentRange,
        length: contentRange.last - contentRange.first + 1
      })
      expect(content.read).toEqual(
        Buffer.from(
          instance.provider.videos.content.subarray(contentRange.first, contentRange.last + 1)
        )
      )
    })

    test("fails for an unknown job, and for a range beyond the end", async () => {
      await using instance = await start()
      expect(getFailure(await attempt(read(instance.videos, `${job}-of-nobody`)))).toMatchObject({
        status: 404
      })
      const { upstreamId } = Result.getOrThrow(await instance.submit())
      await instance.poll(upstreamId)
      const beyond = await attempt(read(instance.videos, upstreamId, { first: 5_000 }))
      expect(getFailure(beyond)).toMatchObject({ status: 416 })
    })

    test("fails if the content is truncated", async () => {
      await using instance = await start()
      instance.provider.always(
        fault.truncated(
          "length",
          reply.raw("half a video", { headers: { "content-type": "video/mp4" } })
        )
      )
      const failure = getFailure(await attempt(read(instance.videos, job)))
      expect(failure).toMatchObject({ kind: "unreachable", phase: "body" })
    })

    test.each([["text/html"], ["image/svg+xml"], ["application/json"], ["text/javascript"]])(
      "rejects %s as a video",
      async (contentType) => {
        await using instance = await start()
        instance.provider.always(
          reply.raw("<script>", { headers: { "content-type": contentType } })
        )
        const failure = getFailure(await attempt(read(instance.videos, job)))
        expect(failure.kind).toBe("invalid_answer")
      }
    )

    test("closes the connection of unread content", async () => {
      await using instance = await start()
      const gate = instance.provider.gate()
      instance.provider.always(
        pace.hold(
          gate,
          "response_body",
          reply.raw("a video", { headers: { "content-type": "video/mp4" } })
        )
      )
      await Effect.runPromise(
        provided(Effect.scoped(instance.videos.getContent({ upstreamId: job, ...toOutput(job) })))
      )
      await instance.provider.waitForAborts(1)
      expect(instance.provider.requests[0]?.aborted).toBe(true)
    })

    test("sends the customer's credential if there is one, unless it ignores credentials", async () => {
      await using instance = await start()
      const { credential } = customer
      await attempt(instance.videos.submit({ ...call, credential }))
      await attempt(instance.videos.poll({ upstreamId: job, credential }))
      await attempt(read(instance.videos, job, undefined, credential))
      const sent = instance.provider.requests.map(({ headers }) => headers["authorization"])
      expect(sent.map((header) => header === `Bearer ${customer.key}`)).toEqual(
        sent.map(() => instance.videos.ignoresCredentials !== true)
      )
    })

    test("redacts a key that the upstream repeats", async () => {
      await using instance = await start()
      instance.provider.always(fault.status(401, { message: `Incorrect key: ${customer.key}` }))
      const { credential } = customer
      const failures = [
        await attempt(instance.videos.submit({ ...call, credential })),
        await attempt(instance.videos.poll({ upstreamId: job, credential })),
        await attempt(read(instance.videos, job, undefined, credential))
      ].map(getFailure)
      expect(JSON.stringify(failures) + failures.map(String).join()).not.toContain(customer.key)
    })

    test("estimates the requested seconds, or none without a duration", () => {
      const { estimateWorstCase } = videosAt("http://127.0.0.1:1")
      expect(estimateWorstCase({ ...call, duration: 8 })).toMatchObject({ videos: 1, seconds: 8 })
      const { duration: _, ...unsaid } = call
      expect(estimateWorstCase(unsaid).seconds).toBeUndefined()
    })
  })
}

const call: VideoCall = {
  model: "contract/model",
  prompt: "A lighthouse at night.",
  duration: 4,
  idempotencyKey: "gen-vid-contract"
}

const customer = {
  key: "sk-of-a-customer",
  credential: Redacted.make("sk-of-a-customer")
}

const getFailure = (result: Result.Result<unknown, UpstreamFailure>): UpstreamFailure => {
  if (Result.isSuccess(result)) throw new Error("it succeeded")
  return result.failure
}

/** What the suite expects where the APIs of providers differ. */
interface VideoContractDialect {
  /** Whether the API names the states of a job; if not, a job is in progress until its end. */
  readonly hasStates: boolean
  /** The id of a job. */
  readonly job: string
  /** The part of an answer that names a job. */
  readonly nameJob: (id: unknown) => object
  /** The first output of a job. */
  readonly toOutput: (id: string) => VideoOutput
}

const videoContractDialects: Readonly<Record<"jobs" | "operations", VideoContractDialect>> = {
  jobs: {
    hasStates: true,
    job: "job",
    nameJob: (id) => ({ id }),
    toOutput: () => ({ index: 0 })
  },
  operations: {
    hasStates: false,
    job: "projects/my-project/models/veo/operations/job",
    nameJob: (name) => ({ name }),
    toOutput: (id) => ({ index: 0, url: `gs://contract/videos/${id}/sample_0.mp4` })
  }
}
