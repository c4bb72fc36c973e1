/** A state in a word; colour only repeats it. */
import type { ComponentChildren } from "preact"

export type Tone = "good" | "warn" | "bad" | "plain"

export const Badge = ({
  children,
  title,
  tone = "plain"
}: {
  readonly children: ComponentChildren
  readonly title?: string | undefined
  readonly tone?: Tone
}) => (
  <span class={`badge badge-${tone}`} title={title}>
    {children}
  </span>
)
