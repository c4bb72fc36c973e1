/** Cards of models as JSON text, put together once: a list is hundreds of them. */
import type { Model } from "../catalog/Model.ts"
import type { ModelCard } from "../catalog/ModelCard.ts"

interface Parts {
  readonly before: string
  readonly after: string
}

/** A model never changes; only its paths depend on where the host mounted us. */
const known = new WeakMap<Model, Parts>()

export const cardJson = (model: Model, mount: string): string => {
  let parts = known.get(model)
  if (parts === undefined) known.set(model, (parts = partsOf(model.card)))
  return parts.before + mountJson(mount) + parts.after
}

/** A card of its own, such as that of an alias. */
export const jsonOf = (card: ModelCard, mount: string): string => {
  const { after, before } = partsOf(card)
  return before + mountJson(mount) + after
}

const partsOf = ({ links: { details }, ...card }: ModelCard): Parts => ({
  before: `${JSON.stringify(card).slice(0, -1)},"links":{"details":"`,
  after: `${JSON.stringify(details).slice(1)}}}`
})

const mountJson = (mount: string): string => JSON.stringify(mount).slice(1, -1)
