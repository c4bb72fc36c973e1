/** What somebody above the request restricts: the account, guardrails. */
export interface Constraint {
  /** Whose restriction it is, for reasons. */
  readonly source: string
  readonly only?: ReadonlyArray<string>
  readonly ignore?: ReadonlyArray<string>
  /** Slugs or canonical slugs of models; a base slug means its variants too. */
  readonly onlyModels?: ReadonlyArray<string>
  readonly ignoreModels?: ReadonlyArray<string>
  /** Where endpoints may run; who does not say where runs in none of them. */
  readonly regions?: ReadonlyArray<string>
  readonly zdr?: boolean
  /** Zero data retention for the models of these authors alone. */
  readonly zdrAuthors?: ModelAuthors
  readonly denyDataCollection?: boolean
  /** Not to endpoints that train, among the free ones, the paid ones or both. */
  readonly denyTraining?: ReadonlyArray<"free" | "paid">
  /** Not to free endpoints that keep what they are sent for purposes of their own, such as publishing it. */
  readonly denyFreeCollection?: boolean
  /** True when spending is limited, so that an unknown price cannot be afforded. */
  readonly budgeted?: boolean
  /** True when what runs on customers' own credentials counts as spending too. */
  readonly countsByok?: boolean
}

/** The author of a model is what stands before the slash of its slug. */
export interface ModelAuthors {
  readonly authors: ReadonlyArray<string>
  /** Whether they are all but `authors`. */
  readonly isAllBut: boolean
}
