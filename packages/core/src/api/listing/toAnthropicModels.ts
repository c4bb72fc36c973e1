/** Lists models as Anthropic's API does: https://platform.claude.com/docs/en/api/models/list. */
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import type { SearchParams } from "../operation/RequestContext.ts"

/** Clients of Anthropic's API send its version; clients of other APIs do not. */
export const wantsAnthropicModels = (headers: RequestHeaders): boolean =>
  headers["anthropic-version"] !== undefined

/** Fields that the catalog does not know are null. */
export const toAnthropicModel = ({
  context_length: maxInput,
  created,
  id,
  name,
  top_provider: { max_completion_tokens: maxOutput }
}: ModelCard) => ({
  type: "model",
  id,
  display_name: name,
  created_at: new Date(created * 1_000).toISOString(),
  max_input_tokens: maxInput,
  max_tokens: maxOutput ?? null,
  capabilities: null,
  lifecycle: "active",
  line: null,
  deprecated_at: null,
  retires_at: null
})

/** A page after or before a model. A model that is not listed any more begins the list. */
export const toAnthropicPage = (
  models: ReadonlyArray<Model>,
  { after_id: after, before_id: before }: SearchParams,
  limit: number = defaultPageSize
) => {
  const find = (id: SearchParams[string]): number =>
    typeof id === "string" ? models.findIndex((model) => model.id === id) : -1
  const end = find(before)
  const isBackwards = typeof before === "string" && end !== -1
  const from = isBackwards ? Math.max(0, end - limit) : find(after) + 1
  const to = isBackwards ? end : from + limit
  const page = models.slice(from, to)
  return {
    data: page.map(({ card }) => toAnthropicModel(card)),
    has_more: isBackwards ? from > 0 : to < models.length,
    first_id: page.at(0)?.id ?? null,
    last_id: page.at(-1)?.id ?? null
  }
}

const defaultPageSize = 20
