/** The texts of requests that one model answers whole, wherever a provider is sent them. */
import { applyEdits, type TextSlots } from "../../engine/filters/TextSlot.ts"
import type { ScreenedTexts } from "../filters/ContentFilters.ts"
import type { OneModelRequest } from "../parseOneModelRequest.ts"
import type { RequestLabels } from "./toGeneration.ts"
import type { ProviderOptions } from "../providerOptions.ts"

/** `addTexts` adds those that have fields of their own. */
export const makeOneModelTexts = <Parsed extends OneModelRequest<RequestLabels, unknown>>(
  addTexts: ScreenedTexts<Parsed>["addTexts"] = addItems
): ScreenedTexts<Parsed> => ({
  addTexts: (parsed, slots) => {
    addTexts(parsed, slots)
    addParameters(parsed.parameters, slots)
  },
  edit: applyEdits
})

/** Of embeddings and reranks: what is embedded or ranked, and what that is compared with. */
const addItems = (
  { items, request }: OneModelRequest<RequestLabels, unknown>,
  slots: TextSlots
): void => {
  const isRerank = "query" in request
  if (isRerank) slots.addContent(request, "query", "query", "user")
  for (const at of items.keys()) {
    slots.addContent(items, at, `${isRerank ? "documents" : "input"}.${at}`, "user")
  }
}

/** Parameters of a model, such as the prompt of a transcription. Callers choose their names, so paths have only usual ones. */
export const addParameters = (
  parameters: Readonly<Record<string, unknown>>,
  slots: TextSlots,
  place = "parameters"
): void => {
  for (const name of Object.keys(parameters)) {
    const isUsual = place === "parameters" && /^[a-z_]{1,30}$/.test(name)
    slots.addContent(parameters, name, isUsual ? name : place, "user")
  }
}

/** Options of providers, which are sent beside the parameters. */
export const addProviderOptions = (
  options: ProviderOptions | undefined,
  slots: TextSlots
): void => {
  for (const each of Object.values(options ?? {})) addParameters(each, slots, "provider.options")
}
