/** Suggests the models that match what is typed; a catalog may have thousands. */
import { useApi } from "../api/useApi.ts"
import { useDebounced } from "../api/useDebounced.ts"

export const ModelOptions = ({ id, typed }: { readonly id: string; readonly typed: string }) => {
  const models = useApi<"models.list">("api/v1/models", {
    q: useDebounced(typed.trim()),
    output_modalities: "all",
    limit: 20
  })
  return (
    <datalist id={id}>
      {models.data?.data.map(({ id }) => (
        <option key={id} value={id} />
      ))}
    </datalist>
  )
}
