/** Previews a traffic control over the recorded traffic of the last hours, without setting it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { LiveControls } from "../../engine/health/control/LiveControls.ts"
import type { NewTrafficControl } from "../../engine/health/control/TrafficControl.ts"
import { TrafficControlStore } from "../../engine/health/control/TrafficControlStore.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import { RoutingRules } from "../../routing/RoutingRules.ts"
import { isControllable } from "../../routing/traffic/makeTrafficManagement.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { ControlPreview, PreviewFigures } from "./ControlPreview.ts"
import type { SimulationRun } from "./engine/SimulationRun.ts"
import { findLostModels, findServing, replay, type ServingModels } from "./previewControl.ts"
import { makeRecordingReader } from "./recording/makeRecordingReader.ts"
import type { RecordedRequest } from "./recording/RecordedRequest.ts"
import { computeLatencyFigures } from "./report/computeLatencyFigures.ts"

/** Made once for an instance. */
export const makeControlPreview = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const read = yield* makeRecordingReader
  const settings = yield* Settings
  const store = yield* TrafficControlStore
  const { strategy } = yield* RoutingRules
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)

  /** A part of every slice of the time, so that a busy hour costs no more than a quiet one. */
  const readSample = Effect.fnUntraced(function* (from: number, to: number) {
    const requests: Array<RecordedRequest> = []
    let isSample = false
    const length = (to - from) / slices
    for (let at = 0; at < slices; at++) {
      const end = from + (at + 1) * length
      const { next, rows } = yield* read(from + at * length, { limit: sliceRequests })
      requests.push(...rows.filter((row) => row.at < end))
      isSample ||= next !== undefined && next.startedAt < end
    }
    return { requests, isSample }
  })

  return Effect.fnUntraced(
    function* (wanted: NewTrafficControl, minutes: number) {
      const configuration = catalog.current()
      if (!isControllable(configuration, wanted)) {
        return yield* new InvalidRequest({
          path: ["id"],
          problem: `names no ${wanted.kind} of the catalog`
        })
      }
      const controls = yield* store.list
      const others = controls.filter(({ id, kind }) => id !== wanted.id || kind !== wanted.kind)
      const { id, kind, state = "active", weight = 1 } = wanted
      const control = { id, kind, state, weight, reason: null, version: 1, updated_at: "" }
      const liveBefore = toLive(controls)
      const liveAfter = toLive([...others, control])

      // The requests of this millisecond count, too.
      const to = clock.currentTimeMillisUnsafe() + 1
      const from = to - minutes * 60_000
      const { isSample, requests } = yield* readSample(from, to)
      const models = new Set(requests.map(({ model }) => model))
      const before = yield* findServing(configuration, models, liveBefore)
      const after = yield* findServing(configuration, models, liveAfter)
      const known = requests.filter(({ model }) => before.candidates.has(model))
      const kept = known.filter(({ model }) => after.candidates.has(model))
      const input = { configuration, requests: kept, settings, strategy }
      const runBefore = yield* replay(input, before)
      const runAfter = yield* replay(input, after)
      yield* Effect.yieldNow
      const lost = findLostModels(configuration, wanted, liveBefore, liveAfter)
      const requestsByModel = Map.groupBy(known, ({ model }) => model)
      const preview: ControlPreview = {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        requests: known.length,
        is_sample: isSample,
        lost_models: lost
          .map((model) => ({ model, requests: requestsByModel.get(model)?.length ?? 0 }))
          .toSorted((one, other) => other.requests - one.requests)
          .slice(0, maxListed),
        lost_model_count: lost.length,
        lost_requests: known.length - kept.length,
        before: kept.length === 0 ? null : toFigures(runBefore.run),
        after: kept.length === 0 ? null : toFigures(runAfter.run),
        cost_change: computeChange(runBefore.run.cost, runAfter.run.cost),
        providers: listShares(before, runBefore.run, runAfter.run),
        unrecorded_endpoints: Array.from(runAfter.unrecorded).toSorted().slice(0, maxListed)
      }
      return preview
    },
    (effect) => oneAtATime(effect)
  )
})

const slices = 20
const sliceRequests = 100

const maxListed = 100

const toLive = (controls: Parameters<LiveControls["replace"]>[0]): LiveControls => {
  const live = new LiveControls()
  live.replace(controls)
  return live
}

const toFigures = ({ cost, requests }: SimulationRun): PreviewFigures => {
  const { failures, p50, p95 } = computeLatencyFigures(requests)
  return {
    failures,
    cost: cost === undefined ? null : NanoUsd.toUsdNumber(cost),
    latency: p50 === undefined || p95 === undefined ? null : { p50, p95 }
  }
}

/** Null: a price is unknown, or nothing was spent before. */
const computeChange = (
  before: NanoUsd.NanoUsd | undefined,
  after: NanoUsd.NanoUsd | undefined
): number | null =>
  before === undefined || after === undefined || before === 0n
    ? null
    : Number(after - before) / Number(before)

/** The shares of the attempts. */
const listShares = (
  { candidates }: ServingModels,
  before: SimulationRun,
  after: SimulationRun
): ControlPreview["providers"] => {
  const names = new Map(
    Array.from(candidates.values())
      .flat()
      .map(({ endpoint, providerName }: Candidate) => [endpoint.id, providerName] as const)
  )
  const groupByProvider = ({ attempts }: SimulationRun): Shares =>
    Map.groupBy(attempts, ({ endpoint }) => names.get(endpoint) ?? endpoint)
  const was = groupByProvider(before)
  const is = groupByProvider(after)
  return Array.from(new Set([...was.keys(), ...is.keys()]), (provider) => ({
    provider,
    share_before: toShare(was, provider, before),
    share_after: toShare(is, provider, after)
  }))
    .toSorted((one, other) => other.share_after - one.share_after)
    .slice(0, maxListed)
}

/** The attempts by provider. */
type Shares = ReadonlyMap<string, ReadonlyArray<unknown>>

const toShare = (groups: Shares, name: string, { attempts }: SimulationRun): number =>
  attempts.length === 0 ? 0 : (groups.get(name)?.length ?? 0) / attempts.length
