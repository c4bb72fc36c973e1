/** Dynamic suffixes, valid on any model. See https://openrouter.ai/docs/features/provider-routing. */

/** What each suffix asks for: the first criterion of the order, and the service tier whose endpoints may serve. */
export const variants = {
  nitro: { sort: "throughput", tier: "priority" },
  floor: { sort: "price", tier: "flex" },
  exacto: { sort: "exacto", tier: undefined }
} as const

export type Variant = keyof typeof variants

const isVariant = (suffix: string): suffix is Variant => Object.hasOwn(variants, suffix)

/** `author/name:nitro` taken apart; undefined when the slug ends in no dynamic suffix. */
export const splitVariant = (
  slug: string
): { readonly base: string; readonly variant: Variant } | undefined => {
  const colon = slug.lastIndexOf(":")
  const suffix = slug.slice(colon + 1)
  return colon > 0 && isVariant(suffix)
    ? { base: slug.slice(0, colon), variant: suffix }
    : undefined
}
