/** Suggests how the last filter that is being typed may go on. */
import { useApi } from "../../api/useApi.ts"
import { useDebounced } from "../../api/useDebounced.ts"
import { useNames } from "../../api/useNames.ts"
import { filterForms } from "./filterNames.ts"
import { formatFilterText } from "./formatFilterText.ts"

/** A value, and what a viewer knows it by. */
interface Choice {
  readonly id: string
  readonly name?: string
}

const outcomes = [{ id: "answered" }, { id: "failed" }]
const operations = [
  "chat",
  "decisions",
  "embeddings",
  "images",
  "rerank",
  "speech",
  "transcriptions",
  "videos"
].map((id) => ({ id }))

export const FilterSuggestions = ({
  id,
  typed
}: {
  readonly id: string
  readonly typed: string
}) => {
  const last = /\S*$/.exec(typed)?.[0] ?? ""
  const before = typed.slice(0, typed.length - last.length)
  const [, name = "", value = ""] = /^(\w+)[:=](.*)$/.exec(last) ?? []
  const names = useNames()
  const presets = useApi<"presets.list">("api/v1/presets", { limit: 100 })
  const search = useDebounced(name === "model" ? value : undefined)
  const models = useApi<"models.list">(search === undefined ? undefined : "api/v1/models", {
    q: search,
    output_modalities: "all",
    limit: 20
  })
  const find = () => {
    switch (name) {
      case "status":
        return toOptions("outcome", outcomes)
      case "operation":
        return toOptions("operation", operations)
      case "model":
        return toOptions("model", models.data?.data)
      case "key":
        return toOptions("key_hash", names.keys)
      case "workspace":
        return toOptions("workspace_id", names.workspaces)
      case "preset":
        return toOptions(
          "preset_id",
          presets.data?.data.map(({ id, slug }) => ({ id, name: slug }))
        )
      default:
        return filterForms.map((text) => ({ text, label: undefined }))
    }
  }
  return (
    <datalist id={id}>
      {find().map(({ label, text }) => (
        <option key={text} value={before + text} label={label} />
      ))}
    </datalist>
  )
}

const toOptions = (parameter: string, choices: ReadonlyArray<Choice> = []) =>
  choices.map(({ id, name }) => ({ text: formatFilterText({ [parameter]: id }), label: name }))
