/** Service tiers: endpoints of a tier serve those who ask for it. Source: semantics A2. */
export const tiers = ["default", "flex", "priority"] as const
export type Tier = (typeof tiers)[number]

/** A tier that has to be asked for. */
export type RequestedTier = Exclude<Tier, "default">

/** `openai/flex` is of the flex tier unless the host says otherwise. */
export const toTier = (variant: string | undefined): Tier =>
  variant === "flex" || variant === "priority" ? variant : "default"
