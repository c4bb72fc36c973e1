/** Accepts video jobs: once for an idempotency key, stored with their cost reserved. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import { Transaction } from "../../../instance/Transaction.ts"
import type { NotPermitted } from "../../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { requireModelAccess } from "../../../tenants/auth/permissions.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import { getCalendar } from "../../../engine/ledger/Calendar.ts"
import { refreshLimit } from "../../../engine/ledger/Limit.ts"
import { applyEdits } from "../../../engine/filters/TextSlot.ts"
import { SpendCounters } from "../../../engine/ledger/SpendCounters.ts"
import { currentTraceparent } from "../../../engine/observability/tracing/traceContext.ts"
import { ContentFilters, type ScreenedTexts } from "../../../routing/filters/ContentFilters.ts"
import { addProviderOptions } from "../../../routing/record/oneModelTexts.ts"
import type { Candidate } from "../../../routing/Candidate.ts"
import type { Plan } from "../../../routing/plan/plan.ts"
import type { RouteObserver, PlannedRoute } from "../../../routing/RouteQuery.ts"
import { Routing } from "../../../routing/Routing.ts"
import { NoEndpoints } from "../../../routing/RoutingErrors.ts"
import { toSkipReason } from "../../../routing/record/toGenerationBounds.ts"
import { Settings } from "../../../instance/Settings.ts"
import { SteadyTime } from "../../../values/SteadyTime.ts"
import { logDefect } from "../../../engine/upstreams/contain.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { toIgnoredRequest } from "../../../values/errors/ignoredFields.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { VideoReservations } from "../pricing/VideoReservations.ts"
import { listOmittedFields, type ParsedVideoRequest } from "../request/parseVideoRequest.ts"
import { toVideoPlan } from "../submit/toVideoPlan.ts"
import { VideoRejectionRecorder } from "../submit/VideoRejectionRecorder.ts"
import { makeSubmitJobKind, toSubmitStep } from "../submit/submitJobKind.ts"
import { AllRateLimited } from "../VideoStatus.ts"
import type { VideoJob } from "../VideoJob.ts"
import { VideoStore } from "../VideoStore.ts"
import type { SubmitError, Submission } from "../Videos.ts"
import { makeVideoQueries } from "./makeVideoQueries.ts"

export const makeVideoAcceptor = Effect.gen(function* () {
  const { withTransaction } = yield* Transaction
  const counters = yield* SpendCounters
  const digest = yield* Digest.Digest
  const filters = yield* ContentFilters
  const jobs = yield* DurableJobs
  const { addTraceTags, prepareQuery } = yield* makeVideoQueries
  const rejections = yield* VideoRejectionRecorder
  const reservations = yield* VideoReservations
  const routing = yield* Routing
  const settings = yield* Settings
  const calendar = getCalendar(settings)
  const kind = makeSubmitJobKind(settings)
  const store = yield* VideoStore

  const hash = (parts: unknown) =>
    digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))

  /** The stored key includes the caller, so that callers cannot see each other's jobs through it. */
  const toIdempotency = Effect.fnUntraced(function* (
    { account, keyHash, user, workspace }: Caller,
    { request }: ParsedVideoRequest,
    { idempotencyKey }: Submission
  ) {
    if (idempotencyKey === undefined) return undefined
    return {
      key: yield* hash([account, workspace, keyHash, user, idempotencyKey]),
      fingerprint: yield* hash(request)
    }
  })

  const submit = Effect.fnUntraced(function* (
    untagged: Caller,
    given: ParsedVideoRequest,
    submission: Submission,
    observer: RouteObserver | undefined
  ): Effect.fn.Return<VideoJob, SubmitError> {
    yield* requireModelAccess(untagged)
    const parsed = filters.isIdle(untagged)
      ? given
      : yield* filters.screen(untagged, given, loadTexts, observer?.requestId)
    if (parsed.filtered !== undefined) observer?.onFilter?.(parsed.filtered)
    const caller = addTraceTags(untagged, parsed.request.trace)
    const { ignored } = parsed
    if (ignored !== undefined) {
      observer?.onIgnored?.(ignored)
      if (observer?.isStrict ?? settings.refuseIgnoredFields)
        return yield* toIgnoredRequest(ignored)
    }
    const time = new SteadyTime(yield* Clock.Clock)
    const startedAt = time.now()
    let planned: PlannedRoute | undefined
    const onPlan = (route: PlannedRoute) => {
      planned = route
      observer?.onPlan(route)
    }
    return yield* Effect.tapErrorTag(
      planAndAccept(caller, parsed, { ...submission, observer }, onPlan),
      [
        "ContentBlocked",
        "ModelNotFound",
        "WrongOperation",
        "NoEndpoints",
        "AllRateLimited",
        "TooManyActiveJobs",
        "LimitExceeded"
      ],
      (error) => {
        const latencyMillis = time.now() - startedAt
        return rejections.record(
          { caller, observer, parsed, planned, startedAt, latencyMillis },
          error
        )
      }
    )
  })

  const planAndAccept = Effect.fnUntraced(function* (
    caller: Caller,
    parsed: ParsedVideoRequest,
    submission: Submission & { readonly observer: RouteObserver | undefined },
    onPlan: (planned: PlannedRoute) => void
  ): Effect.fn.Return<VideoJob, Exclude<SubmitError, NotPermitted>> {
    const { filtered } = parsed
    if (filtered?.blocked !== undefined) return yield* Effect.fail(filtered.blocked)
    const idempotency = yield* toIdempotency(caller, parsed, submission)
    const before =
      idempotency === undefined ? undefined : yield* store.findByIdempotencyKey(idempotency.key)
    if (before !== undefined) return yield* requireSameRequest(before, idempotency?.fingerprint)
    const { callback, defects, model, query, wanted } = yield* prepareQuery(caller, parsed)
    const planned = yield* routing.plan(query)
    yield* Effect.forEach(defects, logDefect, { discard: true })
    onPlan(planned)
    const candidates = yield* refuseLosses(
      parsed,
      yield* getCandidates(planned),
      submission.observer
    )
    const now = yield* Clock.currentTimeMillis
    const job: VideoJob = {
      ...wanted,
      version: 1,
      account: caller.account,
      workspace: caller.workspace,
      kind: caller.kind,
      ...omitUndefined({
        keyHash: caller.keyHash,
        user: caller.user,
        tags: caller.tags,
        requestId: submission.observer?.requestId,
        traceparent: yield* currentTraceparent,
        callbackUrl: callback,
        idempotency,
        ignored: parsed.ignored
      }),
      mount: submission.mount,
      model: model.id,
      bytes: parsed.bytes,
      ...(filtered === undefined || filtered.found.length === 0
        ? undefined
        : { filters: filtered.found }),
      status: "pending",
      createdAt: now,
      deadlineAt: now + settings.videoTimeoutMillis,
      candidates: candidates.map(({ id }) => id),
      plan: toVideoPlan(planned),
      reservations: [],
      reservedUntil: now + settings.videoReservationLeaseMillis,
      attempts: [],
      dueAt: now + settings.videoTimeoutMillis,
      polls: 0,
      failedPolls: 0
    }
    // Limits read flushed counters only.
    if (planned.limits.length > 0) yield* counters.flush()
    const stored = yield* withTransaction(accept(job, planned, candidates))
    return yield* requireSameRequest(stored, idempotency?.fingerprint)
  })

  /** Tells what the first candidate is not sent; a strict request has only those that are sent all of it. */
  const refuseLosses = (
    { request }: ParsedVideoRequest,
    candidates: ReadonlyArray<Candidate>,
    observer: RouteObserver | undefined
  ): Effect.Effect<ReadonlyArray<Candidate>, InvalidRequest> => {
    const listLost = ({ omittedFields }: Candidate) => listOmittedFields(request, omittedFields)
    const [first] = candidates
    const lost = first === undefined ? [] : listLost(first)
    const isStrict = observer?.isStrict ?? settings.refuseIgnoredFields
    if (!isStrict) {
      observer?.onIgnored?.(lost)
      return Effect.succeed(candidates)
    }
    const whole = candidates.filter((candidate) => listLost(candidate).length === 0)
    return whole.length > 0 ? Effect.succeed(whole) : Effect.fail(toIgnoredRequest(lost))
  }

  const accept = Effect.fnUntraced(function* (
    job: VideoJob,
    { limits, models, plan }: PlannedRoute,
    candidates: ReadonlyArray<Candidate>
  ) {
    const stored = yield* store.add(job, settings.maxActiveVideoJobs)
    if (stored.id !== job.id) return stored
    const reserved = yield* reservations.reserve(
      job.account,
      limits.map((limit) => refreshLimit(calendar, job.createdAt, limit)),
      candidates,
      settings.videoReservationLeaseMillis
    )
    if (reserved.candidates.length === 0) {
      return yield* new NoEndpoints({ models, rejected: plan.rejected })
    }
    const { reservations: made, skipped } = reserved
    const accepted: VideoJob =
      made.length === 0 && reserved.candidates.length === candidates.length
        ? job
        : {
            ...job,
            version: job.version + 1,
            reservations: made,
            candidates: reserved.candidates.map(({ id }) => id),
            ...(skipped.length === 0 || job.plan === undefined
              ? undefined
              : {
                  plan: {
                    ...job.plan,
                    rejected: [...job.plan.rejected, ...skipped.map(toSkipReason)]
                  }
                })
          }
    if (accepted !== job) yield* store.replace(job.version, accepted)
    yield* jobs.offer(kind, toSubmitStep(job.id))
    return accepted
  })

  return { submit }
})

const encoder = new TextEncoder()

const videoTexts: ScreenedTexts<ParsedVideoRequest> = {
  addTexts: ({ request }, slots) => {
    slots.addContent(request, "prompt", "prompt", "user")
    addProviderOptions(request.provider?.options, slots)
  },
  edit: applyEdits
}

const loadTexts = () => Effect.succeed(videoTexts)

/** The API of videos has no 409, so a reused key is an invalid request. */
const requireSameRequest = (job: VideoJob, fingerprint: string | undefined) =>
  job.idempotency?.fingerprint === fingerprint
    ? Effect.succeed(job)
    : Effect.fail(
        new InvalidRequest({ path: ["idempotency-key"], problem: "was used for another request" })
      )

/** The candidates that may get the job, now or after they recover. */
const getCandidates = ({
  health,
  models,
  plan
}: PlannedRoute): Effect.Effect<ReadonlyArray<Candidate>, NoEndpoints | AllRateLimited> => {
  const { ordered, rejected } = plan
  if (ordered.length === 0) return Effect.fail(new NoEndpoints({ models, rejected }))
  const retryAfterMillis = findRateLimitDelay(plan, health)
  if (retryAfterMillis !== undefined) {
    return Effect.fail(new AllRateLimited({ models, retryAfterMillis }))
  }
  const unhealthy = rejected.filter(({ reasons }) =>
    reasons.every(({ source }) => source === "health")
  )
  return Effect.succeed([...ordered, ...unhealthy.map(({ candidate }) => candidate)])
}

/**
 * Milliseconds until the last candidate may be called, when rate limits alone reject all of them. Undefined when
 * a candidate is available, or a breaker is open for another reason.
 */
const findRateLimitDelay = (
  { lastResort, rejected }: Plan,
  { at, endpoints }: HealthSnapshot
): number | undefined => {
  if (lastResort === undefined) return undefined
  const isOpen = rejected.some(({ reasons }) => reasons.every(({ rule }) => rule === "breaker"))
  const breaker = (endpoints[lastResort.id] ?? endpoints[lastResort.endpoint.id])?.breaker
  return isOpen || breaker?.state !== "backing_off" ? undefined : Math.max(0, breaker.until - at)
}
