/** Opens a request by the id that a user quotes. */
import { useState } from "preact/hooks"
import { Field } from "../../components/Field.tsx"
import { navigate, toHash } from "../../routing/location.ts"

export const FindById = () => {
  const [id, setId] = useState("")
  const open = () => {
    if (id.trim() !== "") navigate(toHash(["requests", id.trim()]))
  }
  return (
    <Field label="Find by id">
      <input
        type="search"
        placeholder="gen-… or x-request-id"
        value={id}
        onInput={({ currentTarget: { value } }) => setId(value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") open()
        }}
      />
    </Field>
  )
}
