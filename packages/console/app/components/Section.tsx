/** A part of a page under a heading. */
import type { ComponentChildren } from "preact"

export const Section = ({
  aside,
  children,
  title
}: {
  readonly title: string
  /** Controls beside the heading. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section aria-label={title}>
    <div class="heading">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)
