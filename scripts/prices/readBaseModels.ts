/**
 * Reads the list of https://models.dev in another form: the facts of each model of an author, and by that model the
 * providers that sell it.
 */
import type { ListedProvider, PublishedCost, PublishedModel } from "./PublishedModel.ts"

/** By `author/model`. */
export type BaseModels = Readonly<Record<string, Omit<PublishedModel, "cost" | "experimental">>>

interface Seller extends Pick<PublishedModel, "cost" | "limit"> {
  readonly provider: string
  readonly model_id: string
  readonly status?: string | null
}

/** By `author/model`. */
export type Sellers = Readonly<Record<string, ReadonlyArray<Seller>>>

/** Authors that sell their models by the names that the list has. Its form leaves out most of what they charge. */
const authors: ReadonlySet<string> = new Set(["anthropic", "google", "moonshotai", "openai"])

export const readBaseModels = (
  models: BaseModels,
  sellers: Sellers
): Readonly<Record<string, ListedProvider>> => {
  const list = new Map<string, Map<string, PublishedModel>>()
  const add = (provider: string, name: string, model: PublishedModel): void => {
    const known = list.get(provider) ?? new Map<string, PublishedModel>()
    list.set(provider, known.set(name, model))
  }
  for (const [id, base] of Object.entries(models)) {
    const rows = sellers[id] ?? []
    const [author = "", name = ""] = id.split(/\/(.*)/s)
    const common = findCommonCost(rows)
    if (authors.has(author) && common !== undefined) add(author, name, { ...base, cost: common })
    for (const { cost, limit, model_id, provider, status } of rows) {
      const own = { ...base, limit, ...(typeof status === "string" ? { status } : undefined) }
      if (cost) add(provider, model_id, { ...own, cost })
    }
  }
  return Object.fromEntries(
    Array.from(list, ([provider, own]) => [provider, { models: Object.fromEntries(own) }])
  )
}

/**
 * What every seller charges, where at least three do, none charges something else, and none charges more for long prompts: that
 * is the author's own price. Undefined: they differ, or are too few, and the price stays unknown.
 */
const findCommonCost = (rows: ReadonlyArray<Seller>): PublishedCost | undefined => {
  const charging = rows.filter(({ cost }) => (cost?.input ?? 0) > 0)
  const common: Partial<Record<keyof PublishedCost, number>> = {}
  for (const part of costParts) {
    const stating = charging.filter(({ cost }) => (cost?.[part] ?? 0) > 0)
    const prices = new Set(stating.map(({ cost }) => cost?.[part]))
    const [price] = prices
    if (prices.size > 1) return undefined
    const isCommon = new Set(stating.map(({ provider }) => provider)).size >= fewestSellers
    if (price !== undefined && isCommon) common[part] = price
  }
  const { input, output } = common
  const isTiered = charging.some(({ cost }) => cost?.tiers !== undefined)
  return isTiered || input === undefined || output === undefined
    ? undefined
    : { ...common, input, output }
}

const fewestSellers = 3

const costParts = [
  "input",
  "output",
  "reasoning",
  "cache_read",
  "cache_write",
  "input_audio",
  "output_audio"
] as const satisfies ReadonlyArray<keyof PublishedCost>
