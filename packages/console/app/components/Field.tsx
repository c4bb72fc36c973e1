/** A control with its label. */
import type { ComponentChildren } from "preact"

export const Field = ({
  children,
  isWide = false,
  label
}: {
  readonly label: string
  /** Whether the field is as wide as the form. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => (
  <label class={isWide ? "field wide" : "field"}>
    <span>{label}</span>
    {children}
  </label>
)
