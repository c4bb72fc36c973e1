/** A secret that is shown once. */
import { CopyButton } from "./CopyButton.tsx"

export const Secret = ({
  text,
  title = "Secret"
}: {
  readonly text: string
  readonly title?: string
}) => (
  <div class="secret">
    <p>{title}; copy it now, because it is not shown again:</p>
    <pre>{text}</pre>
    <CopyButton label={`Copy: ${title}`} text={text} />
  </div>
)
