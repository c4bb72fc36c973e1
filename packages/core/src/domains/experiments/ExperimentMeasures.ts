/** What an experiment measures on both sides, added up over any number of processes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

const Count = Schema.Int

/** The requests of one side. */
export const ArmMeasures = Schema.Struct({
  /** Requests at which the model answered or failed; those that the caller broke off or got wrong do not count. */
  requests: Count,
  errors: Count,
  /** Milliseconds to the answer; of a stream, to its first event. */
  latency: Schema.Struct({ count: Count, first: Count, counts: Schema.Array(Count) }),
  /** Nano-USD of attempts with a known cost. */
  cost: NanoUsd.NanoUsd,
  /**
   * The squares of what each request cost, summed up, in nano-USD squared. An integer, so that sums of any number of processes
   * are exact in any order. Absent: not known for all requests, because a process of an earlier version counted some.
   */
  costSquares: Schema.optionalKey(Schema.BigInt)
})
export type ArmMeasures = typeof ArmMeasures.Type

/** Both sides, and for shadows how often they agree. */
export const ExperimentMeasures = Schema.Struct({
  /** The requested model. */
  control: ArmMeasures,
  /** The model on trial. */
  trial: ArmMeasures,
  /** Pairs of answers that were compared, and those that agree. */
  compared: Count,
  agreed: Count,
  /** Requests that were not sent to the model on trial, for want of money or, of a shadow, because too many were under way. */
  skipped: Count,
  /**
   * Requests that a canary put on trial and that say nothing about the model: it was not called, or failed in a way that does
   * not count. States of earlier versions have none.
   */
  unmeasured: Count.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
})
export type ExperimentMeasures = typeof ExperimentMeasures.Type

export const emptyArm: ArmMeasures = {
  requests: 0,
  errors: 0,
  latency: Histogram.empty,
  cost: NanoUsd.zero,
  costSquares: 0n
}

export const emptyMeasures: ExperimentMeasures = {
  control: emptyArm,
  trial: emptyArm,
  compared: 0,
  agreed: 0,
  skipped: 0,
  unmeasured: 0
}

export const addMeasures = (
  self: ExperimentMeasures,
  that: ExperimentMeasures
): ExperimentMeasures => ({
  control: addArm(self.control, that.control),
  trial: addArm(self.trial, that.trial),
  compared: self.compared + that.compared,
  agreed: self.agreed + that.agreed,
  skipped: self.skipped + that.skipped,
  unmeasured: self.unmeasured + that.unmeasured
})

const addArm = (self: ArmMeasures, that: ArmMeasures): ArmMeasures => ({
  requests: self.requests + that.requests,
  errors: self.errors + that.errors,
  latency: Histogram.merge(self.latency, that.latency),
  cost: NanoUsd.sum(self.cost, that.cost),
  ...(self.costSquares === undefined || that.costSquares === undefined
    ? undefined
    : { costSquares: self.costSquares + that.costSquares })
})

/** The measures of one request. */
export const toArm = (
  outcome: "answered" | "failed",
  latencyMillis: number,
  cost: NanoUsd.NanoUsd = NanoUsd.zero
): ArmMeasures => ({
  requests: 1,
  errors: outcome === "failed" ? 1 : 0,
  latency: outcome === "failed" ? Histogram.empty : Histogram.add(Histogram.empty, latencyMillis),
  cost,
  costSquares: cost * cost
})
