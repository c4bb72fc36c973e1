/** A field for an id, which Enter opens. */
import { useState } from "preact/hooks"
import { Field } from "./Field.tsx"

export const IdField = ({
  label,
  onOpen,
  placeholder
}: {
  readonly label: string
  readonly placeholder: string
  readonly onOpen: (id: string) => void
}) => {
  const [id, setId] = useState("")
  return (
    <Field label={label}>
      <input
        type="search"
        placeholder={placeholder}
        value={id}
        onInput={({ currentTarget: { value } }) => setId(value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return
          // It would submit the form around the field, too.
          event.preventDefault()
          const typed = event.currentTarget.value.trim()
          if (typed === "") return
          setId("")
          onOpen(typed)
        }}
      />
    </Field>
  )
}
