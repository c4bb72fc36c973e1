/** What somebody above the request restricts: the account today, workspaces and guardrails too. */
export interface Constraint {
  /** Whose restriction it is, for reasons. */
  readonly source: string
  readonly only?: ReadonlyArray<string>
  readonly ignore?: ReadonlyArray<string>
  readonly zdr?: boolean
  readonly denyDataCollection?: boolean
  /** True when spending is limited, so that an unknown price cannot be afforded. */
  readonly budgeted?: boolean
}
