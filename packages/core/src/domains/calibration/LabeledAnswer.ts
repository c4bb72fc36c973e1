/** An answer and the option that was right. */
export interface LabeledAnswer {
  /** The probabilities of the model, in the order of the options: `[yes, no]` for a yes/no question. */
  readonly probabilities: ReadonlyArray<number>
  /** The position of the right option. */
  readonly label: number
  /** How many answers it stands for: 1 divided by the probability with which it was chosen to be labelled. */
  readonly weight: number
}
