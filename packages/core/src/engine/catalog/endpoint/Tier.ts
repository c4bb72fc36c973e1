/** Service tiers: an endpoint of a tier serves only requests that ask for the tier. */
export const tiers = ["default", "flex", "priority"] as const
export type Tier = (typeof tiers)[number]

/** A tier other than the default. */
export type RequestedTier = Exclude<Tier, "default">

/** `openai/flex` is of the flex tier unless the host says otherwise. */
export const toTier = (variant: string | undefined): Tier =>
  variant === "flex" || variant === "priority" ? variant : "default"
