/** Stores labels and the maps that were fitted to them. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { QuestionKind } from "./CalibrationMap.ts"
import type { CalibrationGroup, CalibrationSample } from "./CalibrationSample.ts"
import type { FittedMaps } from "./FittedMaps.ts"

/** Maps of one group. */
export interface StoredMaps extends CalibrationGroup {
  readonly fitted: FittedMaps
}

/** Everything that a request needs of an account. */
export interface AccountCalibration {
  /** Keys the hashes of questions: 32 random bytes in hex. */
  readonly secret: string
  /** Grows when labels are forgotten. */
  readonly epoch: number
  readonly maps: ReadonlyArray<StoredMaps>
}

/** Selects labels of one account; absent fields select everything. */
export interface SampleFilter {
  readonly account: AccountId
  readonly model?: string
  readonly method?: string
  readonly kind?: QuestionKind
  /** Keyed hash of a question. */
  readonly question?: string
  /** Labels given then or later, in milliseconds since the epoch. */
  readonly since?: number
}

/** A group with labels. */
export interface LabeledGroup extends CalibrationGroup {
  readonly samples: number
}

/**
 * Stores labels by generation, and maps by group. A label is deleted with the record of its generation, at the latest with
 * the next purge.
 */
export class CalibrationStore extends Context.Service<
  CalibrationStore,
  {
    /** Race: the first `newSecret` of an account becomes its secret, and every process gets that one. */
    readonly load: (account: AccountId, newSecret: string) => Effect.Effect<AccountCalibration>
    /**
     * Writes all of the labels or none. Replaces labels of the same answer: the same generation, name of a question and
     * model.
     */
    readonly label: (samples: ReadonlyArray<CalibrationSample>) => Effect.Effect<void>
    /** The labels given last come first. */
    readonly listSamples: (
      filter: SampleFilter,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalibrationSample>>
    readonly listGroups: (filter: SampleFilter) => Effect.Effect<ReadonlyArray<LabeledGroup>>
    /**
     * Replaces the maps of a group. Race: does nothing when labels were forgotten since `epoch`, so that maps of
     * forgotten labels do not come back.
     */
    readonly saveMaps: (account: AccountId, maps: StoredMaps, epoch: number) => Effect.Effect<void>
    /** Deletes the selected labels, and all maps of their groups. The number of labels deleted. */
    readonly forget: (filter: Omit<SampleFilter, "since">) => Effect.Effect<number>
  }
>()("@signalbox/core/domains/calibration/CalibrationStore") {}
