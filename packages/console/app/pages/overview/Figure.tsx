/** One figure with its change and its line. */
import type { ComponentChildren } from "preact"
import { Sparkline } from "../../charts/Sparkline.tsx"
import type { Values } from "../../charts/stack.ts"

export const Figure = ({
  change,
  children,
  isBad = false,
  title,
  values
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** Undefined: there is nothing to compare with. */
  readonly change: string | undefined
  /** Whether the change is one for the worse that matters. */
  readonly isBad?: boolean
  readonly values: Values
}) => (
  <div>
    <dt>{title}</dt>
    <dd>
      {children}
      <span class={`small change ${isBad ? "text-bad" : "muted"}`}>
        {change ?? "nothing before to compare with"}
      </span>
      <Sparkline label={`${title} over time`} values={values} color={isBad ? "bad" : 0} />
    </dd>
  </div>
)
