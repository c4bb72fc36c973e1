/** Says which model each router of a request chose, and why. */
import type { RouterKind } from "../engine/catalog/model/RouterConfig.ts"
import type { Plan } from "./plan/plan.ts"
import { admits, type RequestedModel } from "./Requirements.ts"

/** The choice of a model that stands for others. */
export interface RouterChoice {
  /** The id of the router model. */
  readonly model: string
  readonly kind: RouterKind
  /** Whether all of its endpoints cost nothing. */
  readonly free: boolean
  /** The model that is tried first; null: none fits the request. */
  readonly chosen: string | null
  /** How many models it stands for. */
  readonly candidates: number
  /** How many of them the plan would try. */
  readonly fitting: number
  /** One sentence. */
  readonly reason: string
}

export const explainRouters = (
  requested: ReadonlyArray<RequestedModel>,
  { affinity, ordered }: Plan
): ReadonlyArray<RouterChoice> =>
  requested.flatMap((model) => {
    const { id, router } = model
    if (router === undefined) return []
    const fitting = ordered.filter((candidate) => admits(model, candidate))
    const chosen = fitting[0]?.endpoint.model
    const count = new Set(fitting.map(({ endpoint }) => endpoint.model)).size
    const isKept = affinity?.did === "kept" && fitting[0] === ordered[0]
    return [
      {
        model: id,
        kind: router.kind,
        free: router.isFree,
        chosen: chosen ?? null,
        candidates: router.models.length,
        fitting: count,
        reason:
          chosen === undefined
            ? `none of the ${router.models.length} models fits the request`
            : isKept
              ? `${chosen} has the conversation in its cache`
              : `${chosen} ${reasons[router.kind]} ${count} of ${router.models.length} models that fit the request`
      }
    ]
  })

const reasons: Readonly<Record<RouterKind, string>> = {
  cheapest: "is the cheapest available of",
  random: "was drawn from"
}
