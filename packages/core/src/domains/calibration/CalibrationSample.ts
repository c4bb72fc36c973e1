/** A labelled answer as stores keep it. */
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Labeler } from "./Labeler.ts"
import type { QuestionKind } from "./CalibrationMap.ts"

/** The properties that the labels of one map share. */
export interface CalibrationGroup {
  /** The model that answered; a dated name where the provider reports one. */
  readonly model: string
  /** How it made its probabilities, such as `logprobs`. */
  readonly method: string
  readonly kind: QuestionKind
}

/** Names a group, for maps and sets. */
export const toGroupKey = ({ kind, method, model }: CalibrationGroup): string =>
  JSON.stringify([model, method, kind])

/** One answer of a generation and its label. */
export interface CalibrationSample extends CalibrationGroup {
  readonly account: AccountId
  readonly generation: GenerationId
  /** Keyed hash of the question's name in its Decision. */
  readonly name: string
  /** Keyed hash of the question itself. */
  readonly question: string
  /** The probabilities of the model, in 32-bit precision. */
  readonly probabilities: ReadonlyArray<number>
  /** The position of the right option. */
  readonly label: number
  /** How many answers it stands for. */
  readonly weight: number
  /**
   * The model, as requested, that was to answer unsure questions and answered this one even if the first was sure. Both
   * answers have it. Absent: there was none.
   */
  readonly pair?: string
  /** The id of `model` in the catalog. Absent: the label has no pair, or is from an earlier version. */
  readonly catalogModel?: string
  /** Who labelled it; absent in labels of earlier versions. */
  readonly labeler?: Labeler
  /** When the generation began, and when it was labelled, in milliseconds since the epoch. */
  readonly askedAt: number
  readonly labeledAt: number
}
