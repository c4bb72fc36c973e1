/** Calibrates Decisions, takes labels, and reports how well calibrated answers are. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Questions } from "../../questions/Question.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Actor } from "../../values/Actor.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { QuestionKind } from "./CalibrationMap.ts"
import type { SampleFilter, StoredMaps } from "./CalibrationStore.ts"
import type { Calibrator } from "./Calibrator.ts"
import type { LabeledPair, PairSelection } from "./joinPairs.ts"

/** The right answers of a generation. */
export interface LabelRequest {
  readonly generation: string
  /** By the name of a question: true or false for `noul`, a label for `choice`, a level for `score`. */
  readonly labels: Readonly<Record<string, boolean | number | string>>
  /** How many answers it stands for, at least 1; more than 1 of those who manage the account. */
  readonly weight: number
}

/** Selects maps of an account; absent fields select everything. */
export type CalibrationFilter = Pick<SampleFilter, "kind" | "model" | "question">

/** Calibration of Decisions. Labels of an account change nothing for others. */
export class Calibrations extends Context.Service<
  Calibrations,
  {
    /** Never fails: without the store, answers stay as they are and cannot be labelled. */
    readonly prepare: (account: AccountId, questions: Questions) => Effect.Effect<Calibrator>
    /**
     * Labels answers of a generation that the caller asked for, or may read and manages the account; labelling again
     * replaces. Maps follow soon after, beside requests. The number of answers labelled. An invalid label is an
     * `InvalidRequest`, and then none is taken.
     */
    readonly label: (
      caller: Caller,
      request: LabelRequest
    ) => Effect.Effect<number, InvalidRequest | NotLabelable | NotPermitted | ResourceNotFound>
    /**
     * Labels the only answer of a Decision that has two options with the one that it did not give, on the word of a manager of
     * the account. The number of answers labelled: 0 where that does not follow, as when there are more options.
     */
    readonly labelWrong: (caller: Caller, generation: Generation) => Effect.Effect<number>
    /** The maps of the account as they were last fitted. */
    readonly report: (
      account: AccountId,
      filter: CalibrationFilter
    ) => Effect.Effect<ReadonlyArray<StoredMaps>>
    /** Fits the maps of the selected groups to all labels there are. The next Decision sees all of them, thresholds included. */
    readonly refit: (account: AccountId, filter: CalibrationFilter) => Effect.Effect<void>
    /**
     * The latest labelled answers of the first model to whose questions the other one answered too, even if the first
     * was sure, calibrated by the maps of the account.
     */
    readonly listPairs: (
      account: AccountId,
      kind: QuestionKind,
      selection: PairSelection
    ) => Effect.Effect<ReadonlyArray<LabeledPair>>
    /**
     * Deletes the selected labels and fits the maps of their groups to the others. The number of labels deleted.
     */
    readonly forget: (actor: Actor, filter: CalibrationFilter) => Effect.Effect<number>
  }
>()("@signalbox/core/domains/calibration/Calibrations") {
  static readonly layer = layerOnDemand(
    Calibrations,
    {
      prepare: "call",
      label: "call",
      labelWrong: "call",
      report: "call",
      listPairs: "call",
      refit: "call",
      forget: "call"
    },
    importNamed(() => import("./layerCalibrations.ts"), "layerCalibrations")
  )
}

/** The generation has no answers that can be labelled: no Decision, not answered, or made without `calibration`. */
export class NotLabelable extends Data.TaggedError("NotLabelable")<{
  readonly id: string
}> {}
