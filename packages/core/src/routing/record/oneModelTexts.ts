/** The texts of embeddings and reranks: their items, and what these are compared with; and the prompt of images. */
import { applyEdits } from "../../engine/filters/TextSlot.ts"
import type { ScreenedTexts } from "../filters/ContentFilters.ts"
import type { OneModelRequest } from "../parseOneModelRequest.ts"

export const makeOneModelTexts = <
  Parsed extends OneModelRequest<object, unknown>
>(): ScreenedTexts<Parsed> => ({
  addTexts: ({ items, request }, slots) => {
    // The items of a request for images are addresses.
    if ("prompt" in request) return slots.addContent(request, "prompt", "prompt", "user")
    const isRerank = "query" in request
    if (isRerank) slots.addContent(request, "query", "query", "user")
    for (const at of items.keys()) {
      slots.addContent(items, at, `${isRerank ? "documents" : "input"}.${at}`, "user")
    }
  },
  edit: (parsed, edits) => ({
    ...parsed,
    request: applyEdits(parsed.request, edits),
    items: applyEdits(parsed.items, edits)
  })
})
